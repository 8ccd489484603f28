// Pairs from the patches that a distribution keeps for a package: a security fix as it was made is `accept`, its reversal
// hidden among other patches of the same package is `reject`. Everything is taken from the tree with all patches applied.
import { applyPatch, parsePatch, reversePatch, structuredPatch, type StructuredPatch } from 'diff'

export type Patch = { readonly name: string; readonly text: string }
export type SetCase = {
  readonly name: string
  readonly kind: string
  readonly language: string
  readonly need: string
  readonly label: 'accept' | 'reject'
  readonly issue: string
  readonly files: readonly { readonly path: string; readonly status: string; readonly patch: string }[]
  readonly defect?: { readonly path: string; readonly line: number }
  readonly repository?: Readonly<Record<string, string>>
}
type Tree = ReadonlyMap<string, string>
type Parsed = { readonly name: string; readonly files: readonly StructuredPatch[] }

const PAIRS_PER_PACKAGE_MAX = 8
const CHANGED_LINES_MAX = 300
const REPOSITORY_CHARACTERS_MAX = 30_000
const COMPANIONS_MAX = 6

const languages: readonly (readonly [RegExp, string])[] = [
  [/\.(?:c|h|cc|cpp|hpp)$/, 'C'],
  [/\.py$/, 'Python'],
  [/\.java$/, 'Java'],
  [/\.(?:[cm]?js|ts)$/, 'JavaScript'],
  [/\.rb$/, 'Ruby'],
  [/\.php$/, 'PHP'],
  [/\.go$/, 'Go'],
  [/\.p[lm]$/, 'Perl'],
]
const languageOf = (path: string): string | null => languages.find(([ending]) => ending.test(path))?.[1] ?? null
const isTest = (path: string): boolean => /(?:^|\/)(?:tests?|testsuite|spec|src\/test)\/|(?:^|\/)test_/i.test(path)

/** `debian/patches/series` names them in order; what it comments out is not applied. */
export const seriesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^\s*([^#\s]+)/.exec(line)?.[1] ?? [])

/** The paths whose text is needed to apply them. */
export const touchedBy = (patches: readonly Patch[]): Set<string> =>
  new Set(patches.flatMap((patch) => parsed(patch)?.files.flatMap(({ oldFileName, newFileName }) => [oldFileName, newFileName]) ?? []).map(plainPath)) // prettier-ignore

const plainPath = (name: string | undefined): string => (name ?? '').replace(/^[^/]+\//, '').replace(/\t.*$/, '')

function parsed({ name, text }: Patch): Parsed | null {
  try {
    return { name, files: parsePatch(text).filter(({ hunks }) => hunks.length > 0) }
  } catch {
    return null
  }
}

export function securityCases(title: string, patches: readonly Patch[], original: Tree): SetCase[] {
  const known = patches.flatMap((patch) => parsed(patch) ?? [])
  const last = known.reduce<Tree>((tree, patch) => applied(tree, patch.files) ?? tree, original)
  const cases: SetCase[] = []
  for (const fix of known.filter(({ name }) => /CVE-\d|GHSA-/i.test(name)).toSorted(byName)) {
    if (cases.length >= 2 * PAIRS_PER_PACKAGE_MAX) break
    cases.push(...(pairOf(title, fix, known, last) ?? []))
  }
  return cases
}

const byName = (one: Parsed, other: Parsed): number => (one.name < other.name ? -1 : 1)

function pairOf(title: string, fix: Parsed, all: readonly Parsed[], last: Tree): SetCase[] | null {
  const open = applied(last, backwards(fix))
  if (open === null) return null
  const mended = changeBetween(open, last)
  const reversed = changeBetween(last, open).find(({ path }) => !isTest(path))
  if (reversed === undefined || !isUsable(mended)) return null
  const language = languageOf(reversed.path)
  const hidden = hiddenAmong(fix, all, last, open, linesIn(mended))
  if (language === null || hidden === null) return null
  const name = `${title} ${fix.name.replace(/\.(?:patch|diff)$/, '')}`
  const defect = placeOf(hidden.files, reversed)
  const about = /CVE-\d+-\d+|GHSA(?:-\w{4}){3}/i.exec(fix.name)?.[0] ?? fix.name
  const more = { kind: 'security', language, need: 'file' }
  return [
    {
      ...more,
      name: `${name} is fixed`,
      kind: 'good',
      label: 'accept',
      issue: issueOf([`The security hole ${about} in ${mended.map(({ path }) => path).join(', ')} is closed.`]),
      files: mended,
      repository: around(last, mended),
    },
    {
      ...more,
      name: `${name} is opened again among other changes`,
      label: 'reject',
      issue: issueOf([`The package has ${hidden.names.join(' and ')}.`, 'No protection that is there today is lost.']),
      files: hidden.files,
      ...(defect === null ? {} : { defect }),
      repository: around(open, hidden.files),
    },
  ]
}

const issueOf = (criteria: readonly string[]): string =>
  ['## Acceptance criteria', ...criteria.map((line) => `- ${line}`), ''].join('\n')

/** Other patches of the package, made at the same time as the fix is taken back, until they are the larger part. */
function hiddenAmong(fix: Parsed, all: readonly Parsed[], last: Tree, open: Tree, lines: number) {
  const others = all.filter((one) => one !== fix).toSorted((one, other) => Number(isFix(one)) - Number(isFix(other)))
  let before = last
  const names: string[] = []
  for (const other of others) {
    if (names.length >= COMPANIONS_MAX) break
    const without = applied(before, backwards(other))
    // What does not come off alone, and what comes off neither before nor after the reversal, is left as it is.
    if (without === null || applied(without, backwards(fix)) === null) continue
    const grown = changeBetween(without, last)
    if (!isUsable(grown)) continue
    before = without
    names.push(`the change \`${other.name.replace(/\.(?:patch|diff)$/, '')}\``)
    if (linesIn(grown) > 2 * lines) break
  }
  const files = changeBetween(before, open)
  const isLarger = linesIn(changeBetween(before, last)) > lines
  return names.length > 0 && isLarger && isUsable(files) ? { names, files } : null
}

const isFix = ({ name }: Parsed): boolean => /CVE-\d|GHSA-/i.test(name)

type Changed = { readonly path: string; readonly status: 'added' | 'modified' | 'removed'; readonly patch: string }

function changeBetween(old: Tree, now: Tree): Changed[] {
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path))
  return paths.toSorted().map((path) => {
    const status = !old.has(path) ? 'added' : now.has(path) ? 'modified' : 'removed'
    return { path, status, patch: patchOf(path, old.get(path) ?? '', now.get(path) ?? '') }
  })
}

/** The hunks and nothing else, as a case has them. */
export function patchOf(path: string, old: string, now: string): string {
  const { hunks } = structuredPatch(path, path, old, now, '', '', { context: 3 })
  const body = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.filter((line) => !line.startsWith('\\')),
  ])
  return body.join('\n')
}

const linesIn = (change: readonly Changed[]): number =>
  change.reduce((sum, { patch }) => sum + patch.split('\n').filter((line) => /^[-+]/.test(line)).length, 0)
const isUsable = (change: readonly Changed[]): boolean =>
  change.length > 0 && linesIn(change) <= CHANGED_LINES_MAX && change.every(({ patch }) => patch !== '')

/** Where the hole is in the new file: the first line after or at which the protection is gone. */
function placeOf(files: readonly Changed[], { path, patch }: Changed): { path: string; line: number } | null {
  const first = patch.split('\n').find((line) => line.startsWith('-') && line.trim().length > 4)
  const file = files.find((one) => one.path === path)
  if (first === undefined || file === undefined) return null
  let line = 0
  for (const text of file.patch.split('\n')) {
    const start = /^@@ -\d+,\d+ \+(\d+)/.exec(text)?.[1]
    if (start !== undefined) line = Number(start)
    else if (text === first) return { path, line: Math.max(1, line) }
    else if (!text.startsWith('-')) line += 1
  }
  return null
}

function around(tree: Tree, files: readonly Changed[]): Record<string, string> {
  let room = REPOSITORY_CHARACTERS_MAX
  const shown = files.flatMap(({ path }): [string, string][] => {
    const text = tree.get(path)
    if (text === undefined || text.length > room) return []
    room -= text.length
    return [[path, text]]
  })
  return Object.fromEntries(shown)
}

const backwards = ({ files }: Parsed): StructuredPatch[] => files.map((file) => reversePatch(file)).toReversed()

/** Null where a part of it does not fit: half a patch is none. */
function applied(tree: Tree, files: readonly StructuredPatch[]): Tree | null {
  const now = new Map(tree)
  for (const file of files) {
    const [old, path] = [nameIn(file.oldFileName), nameIn(file.newFileName)]
    const text = applyPatch(now.get(old ?? '') ?? '', file)
    if (text === false || (old !== null && !now.has(old))) return null
    if (old !== null) now.delete(old)
    if (path !== null) now.set(path, text)
  }
  return now
}

const nameIn = (name: string | undefined): string | null =>
  name === undefined || name.startsWith('/dev/null') ? null : plainPath(name)
