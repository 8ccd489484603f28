// Plain values that remember where somebody wrote them. Reading, aliases, layers and messages all work on this tree, so
// that a problem points to the user's own line and spelling however far the value has been moved since.
import type { Json } from '../canonical.ts'

export type JsonObject = { readonly [key: string]: Json | undefined }
export type Spot = { readonly line: number; readonly column: number }
/** Keys and list positions from the top. */
export type Path = readonly (string | number)[]
type Written = {
  /** Null for a value that came from a layer below and has no place in this file. */
  readonly spot: Spot | null
  /** As it was written, aliases included. */
  readonly path: Path
}
export type Scalar = string | number | boolean | null
export type ScalarTree = Written & { readonly kind: 'scalar'; readonly value: Scalar }
export type ListTree = Written & { readonly kind: 'list'; readonly items: readonly Tree[] }
export type MapTree = Written & { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Entry> }
export type Tree = ScalarTree | ListTree | MapTree
/** The spot is that of the key. */
export type Entry = { readonly spot: Spot | null; readonly value: Tree }

export function plain(tree: Tree): Json {
  if (tree.kind === 'scalar') return tree.value
  return tree.kind === 'list' ? tree.items.map(plain) : plainMap(tree)
}

export function plainMap(tree: MapTree): JsonObject {
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, plain(value)]))
}

/** A tree of values that nobody wrote in this file. */
export function treeOf(value: Json, path: Path = []): Tree {
  if (value === null || typeof value !== 'object') return { kind: 'scalar', value, spot: null, path }
  if (isList(value)) {
    return { kind: 'list', items: value.map((item, index) => treeOf(item, [...path, index])), spot: null, path }
  }
  return mapOf(value, path)
}

export function mapOf(object: JsonObject, path: Path = []): MapTree {
  const entries = Object.entries(object).flatMap(([key, value]): [string, Entry][] =>
    value === undefined ? [] : [[key, { spot: null, value: treeOf(value, [...path, key]) }]],
  )
  return { kind: 'map', entries: new Map(entries), spot: null, path }
}

// Array.isArray does not narrow readonly arrays.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

export function entryAt(tree: Tree, [key, ...rest]: readonly string[]): Entry | null {
  if (tree.kind !== 'map' || key === undefined) return null
  const entry = tree.entries.get(key)
  if (entry === undefined) return null
  return rest.length === 0 ? entry : entryAt(entry.value, rest)
}

/** The tree without the entry at a path. */
export function withoutEntry(tree: MapTree, [key = '', ...rest]: readonly string[]): MapTree {
  const entries = new Map(tree.entries)
  const entry = entries.get(key)
  if (rest.length === 0) entries.delete(key)
  else if (entry?.value.kind === 'map') entries.set(key, { ...entry, value: withoutEntry(entry.value, rest) })
  return { ...tree, entries }
}

/** The tree with an entry at a path; the mappings on the way there are made where they are missing. */
export function withEntry(tree: MapTree, [key = '', ...rest]: readonly string[], entry: Entry): MapTree {
  const entries = new Map(tree.entries)
  if (rest.length === 0) return { ...tree, entries: entries.set(key, entry) }
  const made: Tree = { kind: 'map', entries: new Map(), spot: entry.spot, path: entry.value.path }
  const { spot, value } = entries.get(key) ?? { spot: entry.spot, value: made }
  // Where the way is barred by a value of the wrong type, that value is the problem to report.
  if (value.kind === 'map') entries.set(key, { spot, value: withEntry(value, rest, entry) })
  return { ...tree, entries }
}

export type Located = {
  /** Null when there is no value at the path. */
  readonly tree: Tree | null
  readonly spot: Spot
  readonly path: Path
}

/** Where a path leads, or as far towards it as something was written. */
export function locate(root: Tree, path: Path): Located {
  let tree: Tree = root
  let spot = root.spot ?? { line: 1, column: 1 }
  for (const [index, step] of path.entries()) {
    const next = childOf(tree, step)
    if (next === null) return { tree: null, spot, path: [...tree.path, ...path.slice(index)] }
    tree = next
    spot = next.spot ?? spot
  }
  return { tree, spot, path: tree.path }
}

function childOf(tree: Tree, step: string | number): Tree | null {
  if (tree.kind === 'list' && typeof step === 'number') return tree.items[step] ?? null
  return tree.kind === 'map' ? (tree.entries.get(String(step))?.value ?? null) : null
}
