// A file of a repository as it is at a branch or a commit. What is there and cannot be read is never taken for nothing: GitHub
// leaves the contents of larger files out, and answers a folder or a link to elsewhere in other shapes.
// https://docs.github.com/en/rest/repos/contents#get-repository-content
import { z } from 'zod'
import type { Access, Place } from '../access.ts'
import { atBranch } from '../at-branch.ts'
import { orMissing, statusOf } from '../status.ts'

/** There is something, and it is no file that we read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** What is read here are policies and workflows, which are refused long before. */
const BYTES_MAX = 5 * 1024 * 1024

/** Null where there is no such file. `ref` is a branch or a commit; without one, it is the default branch. Rejects with Unreadable. */
export async function fileAt(
  { octokit }: Pick<Access, 'octokit'>,
  place: Place,
  path: string,
  ref: string | null,
): Promise<{ sha: string; text: string } | null> {
  const wanted = { ...place, path, ...refOf(ref) }
  const answer = await orMissing(octokit.rest.repos.getContent(wanted).catch(asUnreadable))
  const data = answer?.data
  if (data === undefined) return null
  if (Array.isArray(data) || data.type !== 'file' || !('content' in data)) throw new Unreadable(`${path} is no file`)
  const { sha, size, encoding, content } = data
  if (encoding === 'base64') return { sha, text: textOf(content) }
  if (size > BYTES_MAX) throw new Unreadable(`${path} is too large`)
  const blob = await octokit.rest.git.getBlob({ ...place, file_sha: sha })
  return { sha, text: textOf(blob.data.content) }
}

const listing = z.array(z.object({ path: z.string(), type: z.string(), size: z.number().default(0) }))

/** What lies in a folder, at a branch or a commit; null where there is none. */
export async function folderAt(
  { octokit }: Pick<Access, 'octokit'>,
  place: Place,
  path: string,
  ref: string | null,
): Promise<z.output<typeof listing> | null> {
  const answer = await orMissing(octokit.rest.repos.getContent({ ...place, path, ...refOf(ref) }))
  return listing.safeParse(answer?.data).data ?? null
}

/** GitHub follows a link to a file of the same repository without a word; only the folder that it lies in tells. */
export async function isLinkAt(
  access: Pick<Access, 'octokit'>,
  place: Place,
  path: string,
  ref: string | null,
): Promise<boolean> {
  const entries = (await folderAt(access, place, path.slice(0, path.lastIndexOf('/')), ref)) ?? []
  return entries.some((one) => one.path === path && one.type === 'symlink')
}

const refOf = (ref: string | null): { readonly ref?: string } => (ref === null ? {} : { ref: atBranch(ref) })

const textOf = (content: string): string => Buffer.from(content, 'base64').toString('utf8')

/** Above a hundred megabytes GitHub refuses, with the status of a missing permission. */
function asUnreadable(error: unknown): never {
  const isTooLarge = statusOf(error) === 403 && error instanceof Error && /too[ _]large/i.test(error.message)
  throw isTooLarge ? new Unreadable('The file is too large', { cause: error }) : error
}
