// The files of one commit as blobs. Trees and blobs never change, so each is fetched once.
import { z } from 'zod'
import type { GitHubClient, Place } from './access.ts'

export type CommitFile =
  | {
      readonly kind: 'file'
      readonly mode: string
      readonly sha: string
      readonly size: number
      readonly bytes: () => Promise<Uint8Array>
    }
  | { readonly kind: 'symlink'; readonly mode: string; readonly sha: string; readonly target: () => Promise<string> }
  | { readonly kind: 'submodule'; readonly mode: string; readonly sha: string }
export type CommitFiles = { readonly files: ReadonlyMap<string, CommitFile>; readonly complete: boolean }

const tree = z.object({
  truncated: z.boolean().default(false),
  tree: z.array(
    z.object({ path: z.string(), mode: z.string(), type: z.string(), sha: z.string(), size: z.number().optional() }),
  ),
})

export async function commitFiles(octokit: GitHubClient, place: Place, commit: string): Promise<CommitFiles> {
  const { data } = await octokit.rest.git.getTree({ ...place, tree_sha: commit, recursive: '1' })
  const { truncated, tree: entries } = tree.parse(data)
  const blob = async (file_sha: string): Promise<Uint8Array> => {
    const { data } = await octokit.rest.git.getBlob({ ...place, file_sha })
    return Buffer.from(data.content, 'base64')
  }
  const files = new Map<string, CommitFile>()
  for (const { path, mode, type, sha, size = 0 } of entries) {
    if (type === 'commit') files.set(path, { kind: 'submodule', mode, sha })
    else if (type !== 'blob') continue
    else if (mode === '120000')
      files.set(path, { kind: 'symlink', mode, sha, target: async () => Buffer.from(await blob(sha)).toString('utf8') })
    else files.set(path, { kind: 'file', mode, sha, size, bytes: () => blob(sha) })
  }
  return { files, complete: !truncated }
}
