// A file of a repository as it is at a branch or a commit. https://docs.github.com/en/rest/repos/contents
import type { Access, Place } from './access.ts'
import { orMissing } from './status.ts'

/** Null where there is no such file; without a `ref`, on the default branch. */
export async function fileAt(
  { octokit }: Pick<Access, 'octokit'>,
  place: Place,
  path: string,
  ref: string | null,
): Promise<{ sha: string; text: string } | null> {
  const answer = await orMissing(octokit.rest.repos.getContent({ ...place, path, ...(ref === null ? {} : { ref }) }))
  const data = answer?.data
  if (data === undefined || Array.isArray(data) || data.type !== 'file' || !('content' in data)) return null
  return { sha: data.sha, text: Buffer.from(data.content, 'base64').toString('utf8') }
}
