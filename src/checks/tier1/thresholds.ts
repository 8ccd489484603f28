// Lowered bars for test coverage and the like, seen in the changed lines of a configuration. Lines are compared by the
// key they set, in their order, so that a block that moves is not taken for one that changes.
import { added, removed, type PatchLine } from './patch.ts'

export type Lowered = { readonly line: number; readonly message: string }

const configuration =
  /\.(?:[cm]?[jt]s|jsonc?|ya?ml|toml|cfg|ini|properties|gradle|kts|xml|mk)$|(?:^|\/)(?:Makefile|\.[a-z0-9]+rc)$/
/** In these files, common words stand for coverage too. */
const aboutCoverage =
  /(?:^|\/)(?:package\.json|\.?(?:jest|vitest|vite|nyc|c8|karma|stryker|playwright|web-test-runner)[^/]*\.[a-z]+|\.(?:nyc|c8|coverage)rc[^/]*|\.?codecov\.ya?ml|[^/]*jacoco[^/]*|build\.gradle(?:\.kts)?|pom\.xml)$/i
const isCodecov = (path: string): boolean => /(?:^|\/)\.?codecov\.ya?ml$/.test(path)

const telling = /fail[_-]?under|threshold|coverage|(?:^|[_-])cov(?:$|[_-])|mutation[_-]?score|min[_-]?msi/i
const common = /^(?:branches|functions|lines|statements|global|perFile|target|minimum|break|high|low)$/
const aboutTime = /time|delay|duration|interval|(?:ms|millis|seconds)$/i
const setting = /([A-Za-z_][\w.-]{0,80})["']?\s{0,20}(?:[:=]|\s)\s{0,20}["']?(\d{1,9}(?:\.\d{1,9})?)(?![\w.])/g

export function loweredThresholds(path: string, lines: readonly PatchLine[]): Lowered[] {
  if (!configuration.test(path)) return []
  const before = valuesByKey(path, removed(lines))
  const after = valuesByKey(path, added(lines))
  return [...before].flatMap(([key, old]) => {
    const now = after.get(key) ?? []
    return old.flatMap(({ value, line }, index) => {
      const next = now[index]
      if (next === undefined) return [{ line, message: `The threshold \`${key}\`, which was ${value}, is gone.` }]
      // Codecov's `threshold` is by how much coverage may fall.
      const isWeaker = isCodecov(path) && key === 'threshold' ? next.value > value : next.value < value
      if (!isWeaker) return []
      return [{ line: next.line, message: `The threshold \`${key}\` went from ${value} to ${next.value}.` }]
    })
  })
}

type Value = { readonly value: number; readonly line: number }

function valuesByKey(path: string, lines: readonly PatchLine[]): Map<string, Value[]> {
  const values = new Map<string, Value[]>()
  for (const { text, line } of lines) {
    for (const [, key = '', value = ''] of text.matchAll(setting)) {
      if (!isThreshold(path, key)) continue
      values.set(key, [...(values.get(key) ?? []), { value: Number(value), line }])
    }
  }
  return values
}

function isThreshold(path: string, key: string): boolean {
  if (aboutTime.test(key)) return false
  return telling.test(key) || (aboutCoverage.test(path) && common.test(key))
}
