// What has many parts, cut to limits: each says whether it shows everything.
import type { CheckResult, ScopeViolation } from '../../decision/model.ts'
import { firstCharacters, firstOf, lastLines } from './excerpt.ts'

export type Limits = {
  readonly priorAttempts: number
  readonly diffLines: number
  readonly passedChecks: number
  readonly outputLines: number
  /** How many paths, objections, patterns and people are listed. */
  readonly listed: number
  readonly feedbackCharacters: number
}

/** A result without its output, and the lines of that. */
export type Output = { readonly result: CheckResult; readonly lines: readonly string[] }
const NAME_CHARACTERS_MAX = 200

/** Failed checks keep their name and exit code, however little of their output there is room for. */
export function resultsWithin(checks: readonly Output[], { outputLines, passedChecks }: Limits) {
  const passed = checks.filter(({ result }) => result.passed).slice(0, passedChecks)
  const shown = checks
    .filter((check) => !check.result.passed || passed.includes(check))
    .map(({ result, lines }) => ({ result, output: lastLines(lines, outputLines) }))
  return {
    list: shown.map(({ result, output }) => ({ ...result, output: output.text })),
    isCut: shown.length < checks.length || shown.some(({ output }) => output.isCut),
  }
}

/** Every failed check is named; of paths and objections there can be thousands. */
export function failuresWithin(failures: readonly string[], max: number): ReturnType<typeof firstOf> {
  const checks = failures.filter((failure) => failure.startsWith('check:'))
  const others = failures.filter((failure) => !failure.startsWith('check:'))
  const { list, isCut } = firstOf(others, max)
  return { list: [...checks, ...list.map(shortName)], isCut }
}

export const shortName = (name: string): string => firstCharacters(name, NAME_CHARACTERS_MAX).text

/** The patterns are those of the contract and the same for every path. */
export function scopeWithin(all: readonly ScopeViolation[], max: number) {
  const [first] = all
  if (first === undefined) return null
  const allowed = firstOf(first.allowed, max)
  const denied = firstOf(first.denied, max)
  const violations = all.slice(0, max).map(({ path, violation_type }) => ({ path: shortName(path), violation_type }))
  const isCut = violations.length < all.length || allowed.isCut || denied.isCut
  return { shown: { violations, allowed: allowed.list.map(shortName), denied: denied.list.map(shortName) }, isCut }
}
