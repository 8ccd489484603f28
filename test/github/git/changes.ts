// What changed between two commits, file by file as GitHub lists it: with counts, a patch where there is one to show,
// and a file that was moved with little change listed as renamed.
import { structuredPatch } from 'diff'
import { changedPaths } from './history.ts'
import { blobOf, filesAt, type Files, type ObjectStore, type TreeEntry } from './objects.ts'

export type Change = {
  readonly path: string
  readonly previousPath: string | null
  readonly status: 'added' | 'removed' | 'modified' | 'renamed'
  readonly sha: string
  readonly additions: number
  readonly deletions: number
  /** Null for a binary file, for one too large to show, and for a mere move. */
  readonly patch: string | null
}
type Pair = { readonly path: string; readonly from: string; readonly old?: TreeEntry; readonly now?: TreeEntry }

const similarityMin = 0.5
const renameCandidatesMax = 200
// https://docs.github.com/en/repositories/creating-and-managing-repositories/repository-limits
const patchLinesMax = 20_000
const patchBytesMax = 500_000

export function changesBetween(store: ObjectStore, base: string | null, head: string): readonly Change[] {
  const before: Files = base === null ? new Map<string, TreeEntry>() : filesAt(store, base)
  const after = filesAt(store, head)
  const known = remembered.get(store) ?? new Map<string, readonly Change[]>()
  remembered.set(store, known)
  const key = `${base ?? ''}..${head}`
  const changes = known.get(key) ?? describe(store, pairs(store, before, after), keptOut(store, after))
  known.set(key, changes)
  return changes
}

// Commits never change, so neither does what lies between two of them.
const remembered = new WeakMap<ObjectStore, Map<string, readonly Change[]>>()

function pairs(store: ObjectStore, before: Files, after: Files): readonly Pair[] {
  const paths = changedPaths(before, after)
  const gone = new Set(paths.filter((path) => !after.has(path)))
  const moves = new Map<string, string>()
  const added = paths.filter((path) => !before.has(path))
  if (gone.size * added.length <= renameCandidatesMax ** 2) {
    for (const path of added) {
      const from = likest(store, after.get(path), gone, before)
      if (from === null) continue
      moves.set(path, from)
      gone.delete(from)
    }
  }
  const moved = new Set(moves.values())
  return paths.filter((path) => !moved.has(path)).map((path) => pair(path, moves.get(path) ?? path, before, after))
}

function pair(path: string, from: string, before: Files, after: Files): Pair {
  const [old, now] = [before.get(from), after.get(path)]
  return { path, from, ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { now }) }
}

function likest(
  store: ObjectStore,
  entry: TreeEntry | undefined,
  gone: ReadonlySet<string>,
  before: Files,
): string | null {
  if (entry === undefined || entry.mode === '160000') return null
  const exact = [...gone].find((path) => before.get(path)?.sha === entry.sha)
  if (exact !== undefined) return exact
  const scored = [...gone].map((path) => ({ path, score: similarity(store, before.get(path)?.sha ?? '', entry.sha) }))
  const best = scored.sort((a, b) => b.score - a.score)[0]
  return best !== undefined && best.score >= similarityMin ? best.path : null
}

function similarity(store: ObjectStore, one: string, other: string): number {
  const [a, b] = [linesOf(blobOf(store, one)), linesOf(blobOf(store, other))]
  const left = new Set(a)
  const shared = b.filter((line) => left.has(line)).length
  return shared / Math.max(a.length, b.length, 1)
}

const linesOf = (content: Buffer): readonly string[] =>
  content
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')

/** Paths whose lines `.gitattributes` keeps out of every diff. https://git-scm.com/docs/gitattributes#_generating_diff_text */
const keptOut = (store: ObjectStore, files: Files): ReadonlySet<string> =>
  new Set(
    contentOf(store, files.get('.gitattributes'))
      .toString('utf8')
      .split('\n')
      .flatMap((line) => /^(\S+) -diff$/.exec(line)?.[1] ?? []),
  )

function describe(store: ObjectStore, found: readonly Pair[], hidden: ReadonlySet<string>): readonly Change[] {
  return found.map(({ path, from, old, now }): Change => {
    const lines = patchOf(contentOf(store, old), contentOf(store, now))
    const counted = hidden.has(path) ? { additions: 0, deletions: 0, patch: null } : lines
    return {
      path,
      previousPath: from === path ? null : from,
      status: from !== path ? 'renamed' : old === undefined ? 'added' : now === undefined ? 'removed' : 'modified',
      sha: (now ?? old)?.sha ?? '',
      ...counted,
    }
  })
}

function contentOf(store: ObjectStore, entry: TreeEntry | undefined): Buffer {
  if (entry === undefined) return Buffer.alloc(0)
  // A submodule is shown as the commit that it points to.
  return entry.mode === '160000' ? Buffer.from(`Subproject commit ${entry.sha}\n`) : blobOf(store, entry.sha)
}

function patchOf(old: Buffer, now: Buffer): Pick<Change, 'additions' | 'deletions' | 'patch'> {
  if (old.includes(0) || now.includes(0) || old.equals(now)) return { additions: 0, deletions: 0, patch: null }
  const { hunks } = structuredPatch('a', 'b', old.toString('utf8'), now.toString('utf8'), '', '', { context: 3 })
  const lines = hunks.flatMap(({ lines }) => lines)
  const text = hunks
    .map((hunk) => {
      const range = `-${span(hunk.oldStart, hunk.oldLines)} +${span(hunk.newStart, hunk.newLines)}`
      return [`@@ ${range} @@`, ...hunk.lines].join('\n')
    })
    .join('\n')
  return {
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    patch: lines.length > patchLinesMax || text.length > patchBytesMax || text === '' ? null : text,
  }
}

/** An empty side begins before its first line. */
function span(start: number, count: number): string {
  if (count === 0) return `${start - 1},0`
  return count === 1 ? `${start}` : `${start},${count}`
}
