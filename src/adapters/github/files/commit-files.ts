// The files of one commit as blobs. Trees and blobs never change, so each is fetched once.
import { z } from 'zod'
import type { Access, GitHubClient, Place } from '../access.ts'
import { readHere } from '../reading.ts'
import { bytesOf } from '../streamed.ts'
import { NoAnswer } from '../traffic/no-answer.ts'
import type { CommitFiles } from './tree.ts'

/** Far more than GitHub lists of the largest commit. */
const TREE_BYTES_MAX = 64 * 1024 * 1024

/** As it came: to parse a large one takes longer than others may wait. */
export async function treeBytes(octokit: GitHubClient, place: Place, commit: string): Promise<Uint8Array> {
  const { data } = await octokit.rest.git.getTree({
    ...place,
    tree_sha: commit,
    recursive: '1',
    request: { parseSuccessResponseBody: false },
  })
  const bytes = await bytesOf(data, TREE_BYTES_MAX)
  if (bytes === null || bytes.at(0) !== BRACE)
    throw new NoAnswer(`What answered for the files of ${commit} is not GitHub`)
  return bytes
}
const BRACE = 0x7b

export async function blobBytes(octokit: GitHubClient, place: Place, file_sha: string): Promise<Uint8Array> {
  const { data } = await octokit.rest.git.getBlob({ ...place, file_sha })
  return Buffer.from(data.content, 'base64')
}

const commitShape = z.object({ tree: z.object({ sha: z.string() }) })

export async function treeOf({ octokit, place }: Access, commit_sha: string): Promise<string> {
  const commit = commitShape.safeParse((await octokit.rest.git.getCommit({ ...place, commit_sha })).data)
  if (!commit.success) throw new NoAnswer(`What answered for the commit ${commit_sha} is not GitHub`)
  return commit.data.tree.sha
}

const unread: CommitFiles = { files: new Map(), complete: false }

export async function commitFiles(access: Access, commit: string, paths: readonly string[]): Promise<CommitFiles> {
  const { octokit, place, reading = readHere } = access
  return (await reading.tree({ tree: await treeBytes(octokit, place, commit), paths })) ?? unread
}
