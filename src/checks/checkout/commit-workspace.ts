// The files of one commit for tier 1, as they are committed: read from the objects, whatever lies on the disk by now.
// Files that are asked for at the same time are fetched together, since starting git takes longer than reading.
import { FILE_BYTES_MAX, type FileReading, type Workspace } from '../tier1/workspace.ts'
import type { Git } from './git.ts'

export type Entry = { readonly path: string; readonly mode: string; readonly id: string }

const LINK_BYTES_MAX = 4_096
const link = '120000'
const submodule = '160000'

/** Every file, link and submodule of a commit. */
export async function entriesOf(git: Git, commit: string): Promise<Entry[]> {
  const { ok, bytes, isCut, trouble } = await git(['ls-tree', '-r', '-z', '--full-tree', commit])
  if (!ok || isCut) throw new Error(`git could not list the files: ${trouble || 'too many'}`)
  const lines = bytes.toString('utf8').split('\0').filter(Boolean)
  return lines.map((line) => {
    const [mode = '', , id = ''] = line.slice(0, line.indexOf('\t')).split(' ')
    return { path: line.slice(line.indexOf('\t') + 1), mode, id }
  })
}

export const isSubmodule = ({ mode }: Entry): boolean => mode === submodule

export function commitWorkspace(git: Git, entries: readonly Entry[], parsePython: Workspace['parsePython']): Workspace {
  const known = new Map(entries.map((entry) => [entry.path, entry]))
  const fetch = together((ids) => blobs(git, ids))
  return {
    list: async () => [...known.keys()],
    parsePython,
    read: async (path): Promise<FileReading> => {
      const entry = known.get(path)
      if (entry === undefined) return { kind: 'missing' }
      if (isSubmodule(entry)) return { kind: 'submodule' }
      const blob = await fetch(entry.id)
      if ('why' in blob) return { kind: 'unavailable', why: blob.why }
      if (blob.bytes === null) return { kind: 'too_large', size: blob.size }
      if (entry.mode !== link) return { kind: 'file', bytes: blob.bytes, size: blob.size }
      if (blob.size > LINK_BYTES_MAX) return { kind: 'unavailable', why: 'its link is too long' }
      return { kind: 'symlink', target: blob.bytes.toString('utf8') }
    },
  }
}

type Blob = { readonly size: number; readonly bytes: Buffer | null } | { readonly why: string }

/** Those that are too large are weighed and not fetched. */
async function blobs(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, Blob>> {
  const weighed = await git(['cat-file', '--batch-check'], { input: lines(ids) })
  const told = weighed.bytes.toString('utf8').split('\n')
  const found = new Map<string, Blob>()
  for (const line of told) {
    const [, id = '', size = ''] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? []
    if (id !== '') found.set(id, { size: Number(size), bytes: null })
  }
  const wanted = ids.filter((id) => {
    const blob = found.get(id)
    return blob !== undefined && 'size' in blob && blob.size <= FILE_BYTES_MAX
  })
  const { bytes } =
    wanted.length === 0 ? { bytes: Buffer.alloc(0) } : await git(['cat-file', '--batch'], { input: lines(wanted) })
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at)
    const [, id = '', size = ''] = /^([0-9a-f]+) blob (\d+)$/.exec(bytes.toString('utf8', at, end)) ?? []
    const content = bytes.subarray(end + 1, end + 1 + Number(size))
    // What does not come as it was announced is not taken for anything.
    if (id === '' || content.length !== Number(size)) break
    found.set(id, { size: content.length, bytes: content })
    at = end + 1 + content.length + 1
  }
  for (const id of wanted) {
    const blob = found.get(id)
    if (blob !== undefined && 'bytes' in blob && blob.bytes === null) found.delete(id)
  }
  return found
}

const lines = (ids: readonly string[]): string => ids.map((id) => `${id}\n`).join('')

/** Collects what is asked for in one turn. */
function together(fetch: (ids: readonly string[]) => Promise<ReadonlyMap<string, Blob>>) {
  let waiting: Set<string> | null = null
  let fetched: Promise<ReadonlyMap<string, Blob>> = Promise.resolve(new Map<string, Blob>())
  return async (id: string): Promise<Blob> => {
    if (waiting === null) {
      const ids = new Set<string>()
      waiting = ids
      fetched = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        waiting = null
        return fetch([...ids])
      })
    }
    waiting.add(id)
    const mine = fetched
    return (await mine).get(id) ?? { why: 'git does not have it here' }
  }
}
