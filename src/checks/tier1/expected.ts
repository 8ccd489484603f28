// What a task must bring along: files that have to exist after the change, and types of file that it has to contain.
import { matchesGlob } from '../../core/contract/glob.ts'
import type { Tier1Check } from '../../core/decision/model.ts'
import { locate, type Location } from './locate.ts'
import { oneLine } from './one-line.ts'
import type { Workspace } from './workspace.ts'

/** How many paths are held against patterns in one run: the patterns may come from whoever wrote the task. */
const COMPARISONS_MAX = 300_000
/** Of the files that a pattern matches, one that is there is enough. */
const MATCHES_MAX = 100

/** A plain path, a folder that holds a file, or a pattern. One check each, in their order. */
export async function expectedOutputs(workspace: Workspace, expected: readonly string[]): Promise<Tier1Check[]> {
  const lookUp = searcher(workspace)
  const checks: Tier1Check[] = []
  for (const path of expected) {
    const why = await whyNotThere(workspace, path, lookUp)
    const detail = why === null ? null : `Expected output '${path}' not found${why === '' ? '' : `: ${why}`}`
    checks.push({ name: `file_exists_${path}`, passed: why === null, detail })
  }
  return checks
}

type LookUp = (pattern: string) => Promise<{ readonly matches: readonly string[]; readonly isComplete: boolean }>

/** Null when it is there, else what to say beyond that it is not. */
async function whyNotThere(workspace: Workspace, expected: string, lookUp: LookUp): Promise<string | null> {
  if (expected.split(/[/\\]/).includes('..')) return 'a path may not contain `..`'
  // A name such as `[id].ts` is a pattern too, so the file of exactly this name comes first.
  const exact = await locate(workspace, expected)
  if (exact.kind !== 'missing') return words(exact)
  const { matches, isComplete } = await lookUp(expected)
  let said = isComplete ? '' : 'there are too many files to hold against all patterns, so name the path itself'
  for (const match of matches) {
    const why = words(await locate(workspace, match))
    if (why === null) return null
    said = why
  }
  return said
}

function words(location: Location): string | null {
  switch (location.kind) {
    case 'present':
      return null
    case 'missing':
      return ''
    case 'outside':
      return 'it leads outside the repository'
    case 'unavailable':
      return `it could not be read, because ${oneLine(location.why)}`
  }
}

function searcher(workspace: Workspace): LookUp {
  let listing: Promise<readonly string[]> | null = null
  let left = COMPARISONS_MAX
  return async (pattern) => {
    listing ??= workspace.list().then((paths) => paths.toSorted())
    const plain = pattern.replace(/^\.\//, '').replace(/\/+$/, '')
    const [start = ''] = plain.split(/[\\*?[{]/, 1)
    const [end = ''] = /[^\\*?\]}]*$/.exec(plain) ?? []
    const isInside = (path: string): boolean => path.startsWith(`${plain}/`)
    // Most paths are told apart by how the pattern begins and ends, which costs next to nothing.
    const near = (await listing).filter((path) => path.startsWith(start) && (path.endsWith(end) || isInside(path)))
    if (near.length > left) return { matches: [], isComplete: false }
    left -= near.length
    const found = near.filter((path) => isInside(path) || matchesGlob(plain, path))
    return { matches: found.slice(0, MATCHES_MAX), isComplete: true }
  }
}

/** Each type, such as `.md`, `md` or `Dockerfile`, must occur among the changed files that exist. */
export function expectedTypes(types: readonly string[], paths: readonly string[]): Tier1Check[] {
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1).toLowerCase())
  return types.map((type) => {
    const word = type.toLowerCase().replace(/^\*?\./, '')
    const passed = names.some((name) => name === word || name.endsWith(`.${word}`))
    return { name: `file_type_${type}`, passed, detail: passed ? null : `No changed file is of type '${type}'` }
  })
}
