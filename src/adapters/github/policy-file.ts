// The policy at the tip of a branch, and the organisation's default in its `.github` repository.
import { policyFile } from '../../core/contract/scope.ts'
import type { PolicyTexts } from '../../ports.ts'
import type { Access, Place } from './access.ts'
import { orMissing, orUnseen } from './status.ts'

export async function policyTexts(
  access: Access,
  branch: string,
  organisation: () => Promise<string | null>,
): Promise<PolicyTexts> {
  const [own, below] = await Promise.all([fileAt(access, access.place, branch), organisation()])
  return { sha: own?.sha ?? '', own: own?.text ?? null, organisation: below }
}

export async function policyAt(access: Access, commit: string): Promise<string | null> {
  return (await fileAt(access, access.place, commit))?.text ?? null
}

/** The same file on the default branch of the organisation's `.github` repository, when the App may see it. */
export async function organisationPolicy(access: Access): Promise<string | null> {
  const { owner, repo } = access.place
  if (repo === '.github') return null
  return (await orUnseen(fileAt(access, { owner, repo: '.github' }, null)))?.text ?? null
}

async function fileAt(
  { octokit }: Access,
  place: Place,
  branch: string | null,
): Promise<{ sha: string; text: string } | null> {
  const ref = branch === null ? {} : { ref: branch }
  const answer = await orMissing(octokit.rest.repos.getContent({ ...place, path: policyFile, ...ref }))
  const data = answer?.data
  if (data === undefined || Array.isArray(data) || data.type !== 'file' || !('content' in data)) return null
  return { sha: data.sha, text: Buffer.from(data.content, 'base64').toString('utf8') }
}
