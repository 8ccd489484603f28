// The policy at the tip of a branch, and the organisation's default in its `.github` repository.
import { policyFile } from '../../core/contract/scope.ts'
import type { PolicyTexts } from '../../ports.ts'
import type { Access } from './access.ts'
import { fileAt } from './file-at.ts'
import { orUnseen } from './status.ts'

export async function policyTexts(
  access: Access,
  branch: string | null,
  organisation: () => Promise<string | null>,
): Promise<PolicyTexts> {
  const [own, below] = await Promise.all([fileAt(access, access.place, policyFile, branch), organisation()])
  return { sha: own?.sha ?? '', own: own?.text ?? null, organisation: below }
}

export async function policyAt(access: Access, commit: string): Promise<string | null> {
  return (await fileAt(access, access.place, policyFile, commit))?.text ?? null
}

/** The same file on the default branch of the organisation's `.github` repository, when the App may see it. */
export async function organisationPolicy(access: Access): Promise<string | null> {
  const { owner, repo } = access.place
  if (repo === '.github') return null
  return (await orUnseen(fileAt(access, { owner, repo: '.github' }, policyFile, null)))?.text ?? null
}
