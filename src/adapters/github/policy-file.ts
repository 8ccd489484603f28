// The policy at the tip of a branch, and the organisation's default in its `.github` repository.
import type { PolicyTexts } from '../../ports.ts'
import type { Access, Place } from './forge.ts'
import { orMissing, orUnseen } from './status.ts'

const path = '.github/countersign.yml'

export async function policyTexts(access: Access, branch: string): Promise<PolicyTexts> {
  const { place } = access
  const [own, organisation] = await Promise.all([
    textAt(access, place, branch),
    place.repo === '.github' ? null : orUnseen(textAt(access, { owner: place.owner, repo: '.github' }, null)),
  ])
  return { sha: own?.sha ?? '', own: own?.text ?? null, organisation: organisation?.text ?? null }
}

async function textAt(
  { octokit }: Access,
  place: Place,
  branch: string | null,
): Promise<{ sha: string; text: string } | null> {
  const ref = branch === null ? {} : { ref: branch }
  const answer = await orMissing(octokit.rest.repos.getContent({ ...place, path, ...ref }))
  const data = answer?.data
  if (data === undefined || Array.isArray(data) || data.type !== 'file' || !('content' in data)) return null
  return { sha: data.sha, text: Buffer.from(data.content, 'base64').toString('utf8') }
}
