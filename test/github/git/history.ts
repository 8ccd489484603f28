// Questions about the graph of commits: who descends from whom, where two lines part, and what a merge would hold.
// A merge conflicts here when both sides changed the same path since they parted, to different content.
import { commitOf, filesAt, writeTree, type Files, type ObjectStore, type TreeEntry } from './objects.ts'

/** A commit and all it descends from, nearest first. */
export function ancestors(store: ObjectStore, sha: string): Set<string> {
  const seen = new Set([sha])
  for (const commit of seen) for (const parent of commitOf(store, commit).parents) seen.add(parent)
  return seen
}

export function mergeBase(store: ObjectStore, one: string, other: string): string | null {
  const known = ancestors(store, one)
  if (known.has(other)) return other
  for (const sha of ancestors(store, other)) if (known.has(sha)) return sha
  return null
}

export const descends = (store: ObjectStore, sha: string, from: string): boolean => ancestors(store, sha).has(from)

/** Commits that `head` has and `base` lacks, oldest first. */
export function commitsBetween(store: ObjectStore, base: string, head: string): readonly string[] {
  const known = ancestors(store, base)
  return [...ancestors(store, head)].filter((sha) => !known.has(sha)).toReversed()
}

export function changedPaths(before: Files, after: Files): readonly string[] {
  const gone = [...before.keys()].filter((path) => !after.has(path))
  const changed = [...after].filter(([path, entry]) => !same(before.get(path), entry)).map(([path]) => path)
  return [...gone, ...changed].sort()
}

/** The tree of merging `head` into `base`, or null where they conflict. */
export function mergeTrees(store: ObjectStore, base: string, head: string): string | null {
  const key = `${base} ${head}`
  const known = store.merges.get(key)
  if (known !== undefined) return known
  const tree = merge(store, base, head)
  store.merges.set(key, tree)
  return tree
}

function merge(store: ObjectStore, base: string, head: string): string | null {
  const parting = mergeBase(store, base, head)
  const [before, ours, theirs] = [
    parting === null ? new Map<string, TreeEntry>() : filesAt(store, parting),
    filesAt(store, base),
    filesAt(store, head),
  ]
  const ourChanges = new Set(changedPaths(before, ours))
  const merged = new Map(ours)
  for (const path of changedPaths(before, theirs)) {
    const entry = theirs.get(path)
    if (ourChanges.has(path) && !same(ours.get(path), entry)) return null
    if (entry === undefined) merged.delete(path)
    else merged.set(path, entry)
  }
  return writeTree(store, merged)
}

function same(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.sha === other?.sha && one?.mode === other?.mode
}
