// What GitHub lists of a commit, as the bytes that came: of a large commit they are megabytes of JSON, which is parsed where
// nobody waits for it.
import { z } from 'zod'
import { jsonIn } from '../../../core/json.ts'
import type { Job } from '../../../core/jobs.ts'

export type CommitFile = {
  readonly path: string
  readonly kind: 'file' | 'symlink' | 'submodule'
  readonly mode: string
  readonly sha: string
  readonly size: number
}
/** Those that were asked for, and whether what is not among them is not in the commit either. */
export type CommitFiles = { readonly files: ReadonlyMap<string, CommitFile>; readonly complete: boolean }

const listed = z.object({
  truncated: z.boolean().default(false),
  tree: z.array(
    z.object({ path: z.string(), mode: z.string(), type: z.string(), sha: z.string(), size: z.number().default(0) }),
  ),
})

export function treeIn(bytes: Uint8Array): CommitFiles {
  const { truncated, tree } = listed.parse(
    jsonIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')),
  )
  const files = tree.flatMap(({ path, mode, type, sha, size }): [string, CommitFile][] =>
    type === 'tree' ? [] : [[path, { path, kind: kindOf(type, mode), mode, sha, size }]],
  )
  return { files: new Map(files), complete: !truncated }
}

function kindOf(type: string, mode: string): CommitFile['kind'] {
  if (type === 'commit') return 'submodule'
  return mode === '120000' ? 'symlink' : 'file'
}

export type TreeQuestion = { readonly tree: Uint8Array; readonly paths: readonly string[] }

/** JSON is parsed so much faster than anything else that others write. */
const PACE = 100
export const treeWork = (tree: Uint8Array): number => tree.length / PACE

export const treeJob: Job<TreeQuestion, CommitFiles> = {
  run: ({ tree, paths }) => {
    const { files, complete } = treeIn(tree)
    const asked = paths.flatMap((path): [string, CommitFile][] => {
      const file = files.get(path)
      return file === undefined ? [] : [[path, file]]
    })
    return { files: new Map(asked), complete }
  },
  work: ({ tree }) => treeWork(tree),
}
