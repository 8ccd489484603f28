// Secrets in what a change adds: whoever reads the repository has them from then on, so the line is named and never quoted.
// Where no diff shows the lines of a file, all of it is searched as it is committed; what cannot be searched is named.
import { matchesAny } from '../../core/contract/glob.ts'
import type { Verification } from '../../core/contract/policy/policy.ts'
import type { Tier1Check } from '../../core/decision/model.ts'
import { holdsSecret } from '../../core/secret-formats.ts'
import type { FileDiff } from './diff.ts'
import type { Finding } from './finding.ts'
import { someOf } from './one-line.ts'
import { added, changedLines } from './patch.ts'
import { FILE_BYTES_MAX, type FileReading } from './workspace.ts'

const NAMED_MAX = 5
/** Of all files together that are searched whole. */
const BYTES_MAX = 32 * 1024 * 1024

type Line = { readonly line: number; readonly text: string }
type Settings = Verification['tier1']

const isSearched = (path: string, { secrets, secrets_allowed }: Settings): boolean =>
  secrets !== 'off' && !matchesAny(secrets_allowed, path)

export function secretsInDiff({ file: { path }, patch }: FileDiff, settings: Settings): Finding[] {
  // Most diffs are told by one look.
  if (patch === null || !isSearched(path, settings) || !looksSecret(patch)) return []
  return secretsInLines(path, added(changedLines(patch)))
}

const secretsInLines = (path: string, lines: readonly Line[]): Finding[] =>
  lines.flatMap(({ line, text }): Finding[] =>
    looksSecret(text) ? [{ path, line, severity: 'HIGH', category: 'secret', message: words }] : [],
  )

/** Wide characters are plain ones with bytes of nothing between them, whether or not a mark says so. */
const looksSecret = (text: string): boolean =>
  holdsSecret(text) || (text.includes('\0') && holdsSecret(text.replaceAll('\0', '')))

export type WholeSearch = {
  readonly search: (path: string, reading: FileReading) => void
  readonly found: readonly Finding[]
  /** Files that could not be searched. */
  readonly unsearched: readonly string[]
}

/** Called in the order of the paths, with files of which no diff shows the lines. */
export function wholeSearch(settings: Settings): WholeSearch {
  const found: Finding[] = []
  const unsearched: string[] = []
  let left = BYTES_MAX
  const search = (path: string, reading: FileReading): void => {
    if (!isSearched(path, settings)) return
    const text = textOf(reading)
    if (text === null || text.length > left) {
      unsearched.push(path)
      return
    }
    left -= text.length
    if (!looksSecret(text)) return
    const lines = text.split('\n').map((one, index) => ({ line: index + 1, text: one }))
    found.push(...secretsInLines(path, lines))
  }
  return { search, found, unsearched }
}

/** One character for each byte: no encoding hides a token. Null where nobody has opened it. */
function textOf(reading: FileReading): string | null {
  switch (reading.kind) {
    case 'file':
      return reading.bytes.length > FILE_BYTES_MAX ? null : Buffer.from(reading.bytes).toString('latin1')
    case 'symlink':
      return reading.target
    case 'too_large':
      return null
    // These hold no text of this change, or are spoken of where files are judged.
    case 'submodule':
    case 'missing':
    case 'unavailable':
      return ''
  }
}

const words = 'This line looks as if it held a secret. Take it out, and make it invalid where it was valid.'

/** There only where something was found: that nothing looks like a secret proves nothing. */
export function secretsCheck(found: readonly Finding[], { secrets }: Settings): Tier1Check[] {
  if (secrets !== 'fail' || found.length === 0) return []
  const places = found.map(({ path, line }) => `${path} line ${line} looks as if it held a secret`)
  return [{ name: 'secrets', passed: false, detail: someOf(places, NAMED_MAX) }]
}

export function unsearchedWords(paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const why = 'no diff shows the lines of these files and they were not opened'
  return [`Secrets were not looked for, because ${why}: ${someOf(paths, NAMED_MAX)}.`]
}
