// The policy at the tip of a branch, and the organisation's default in its `.github` repository.
import { policyFile } from '../../../core/contract/scope.ts'
import { keptByUse, type KeptByUse } from '../../../core/forget.ts'
import type { PolicyTexts } from '../../../ports.ts'
import type { Access, Place } from '../access.ts'
import { fileAt, isLinkAt, Unreadable } from './file-at.ts'
import { orUnseen } from '../status.ts'

export async function policyTexts(
  access: Access,
  branch: string | null,
  organisation: () => Promise<string | null>,
): Promise<PolicyTexts> {
  const [own, below] = await Promise.all([policyIn(access, access.place, branch), organisation()])
  return { sha: own?.sha ?? '', own: own?.text ?? null, organisation: below }
}

export async function policyAt(access: Access, commit: string): Promise<string | null> {
  return (await policyIn(access, access.place, commit))?.text ?? null
}

/** The same file on the default branch of the organisation's `.github` repository, when the App may see it. */
export async function organisationPolicy(access: Access): Promise<string | null> {
  const { owner, repo } = access.place
  if (repo === '.github') return null
  return (await orUnseen(policyIn(access, { owner, repo: '.github' }, null)))?.text ?? null
}

/** What cannot be read is no policy, and stands as a text that is none either: it is refused like any that is invalid. */
async function policyIn(
  access: Access,
  place: Place,
  ref: string | null,
): Promise<{ readonly sha: string; readonly text: string } | null> {
  try {
    const file = await fileAt(access, place, policyFile, ref)
    if (file !== null) await expectNoLink(access, place, ref, file.sha)
    return file
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { sha: '', text: error.message }
  }
}

/** By who asks: texts that were once found to be no link there. One that leads to the very same text governs as that did. */
const plain = new WeakMap<Access['octokit'], KeptByUse<true>>()

/** Where a link leads, nothing guards what governs. */
async function expectNoLink(access: Access, place: Place, ref: string | null, sha: string): Promise<void> {
  const known = plain.get(access.octokit) ?? keptByUse<true>({ entriesMax: 1_000, weightMax: 1_000 })
  plain.set(access.octokit, known)
  const text = `${place.owner}/${place.repo} ${ref ?? ''} ${sha}`
  if (known.get(text) !== undefined) return
  if (await isLinkAt(access, place, policyFile, ref)) throw new Unreadable(`${policyFile} is a link`)
  known.set(text, true, 1)
}
