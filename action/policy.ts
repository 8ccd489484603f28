// By which policy this run judges: that of the base branch as it is now, read through the API, over the organisation's
// default. What the checkout holds under the same name belongs to the pull request and governs nothing, unless there is no
// other: then the pull request is judged by what it proposes, and says so.
import { policyAt, policyTexts, organisationPolicy } from '../src/adapters/github/files/policy-file.ts'
import type { Access } from '../src/adapters/github/access.ts'
import { closedIssuesSeen } from '../src/adapters/github/issues/closed-issues.ts'
import { orUnseen } from '../src/adapters/github/status.ts'
import type { VisualExpectation } from '../src/core/contract/task/expectations.ts'
import { governing, proposalOf } from '../src/core/contract/policy/governing.ts'
import { runWords } from '../src/core/words/run/run-words.ts'
import type { Policy } from '../src/core/contract/policy/policy.ts'
import type { PolicyProblem } from '../src/core/contract/problem.ts'
import type { ResultsFile } from '../src/core/decision/results/results-file.ts'
import type { Subject } from './event.ts'
import { askedBy } from './task.ts'

export type Governing =
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly proposed: boolean; readonly problems: readonly PolicyProblem[] }
  /** What the task asks cannot be read. */
  | { readonly kind: 'unreadable'; readonly problems: readonly PolicyProblem[] }
  | {
      readonly kind: 'policy'
      /** With what the blocks of the task add. */
      readonly policy: Policy
      readonly expectations: readonly VisualExpectation[]
      readonly hash: string
      readonly organisation: ResultsFile['policy']['organisation']
      readonly notes: readonly string[]
      readonly warnings: readonly string[]
    }

/** `mayPropose`: whether a change may bring the policy along by which it is judged. */
export async function governingPolicy(access: Access, subject: Subject, mayPropose: boolean): Promise<Governing> {
  const { owner, repo } = access.place
  const { pull } = subject
  const ofOrganisation = { owner, repo: '.github' }
  const [texts, defaults, closed] = await Promise.all([
    policyTexts(access, subject.base_ref, () => organisationPolicy(access)),
    repo === '.github' ? null : orUnseen(access.octokit.rest.repos.get(ofOrganisation)),
    pull === null ? null : closedIssuesSeen(access, pull),
  ])
  const { own, organisation } = texts
  const without = own === null && organisation === null
  const copy = without && mayPropose ? await policyAt(access, subject.head_sha) : null
  if (without && copy === null) return { kind: 'none' }
  const proposed = copy !== null
  const { policy, hash, problems, later } = governing(proposed ? proposalOf(copy) : { own, organisation })
  if (problems.length > 0) return { kind: 'invalid', proposed, problems }
  const ofProposal = proposed ? [runWords.proposed(subject.base_ref, later ?? null)] : []
  const seen = organisation !== null ? 'read' : defaults === null && repo !== '.github' ? 'unseen' : 'none'
  const governed = { kind: 'policy', hash, organisation: seen } as const
  // A group is judged by the policy alone: what its members' tasks ask was asked of each.
  if (pull === null) return { ...governed, policy, expectations: [], notes: ofProposal, warnings: [] }
  const asked = await askedBy(access, { ...subject, pull }, closed, policy)
  if ('problems' in asked) return { kind: 'unreadable', problems: asked.problems }
  return { ...governed, ...asked, notes: [...ofProposal, ...asked.notes] }
}
