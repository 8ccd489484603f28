// By which policy this run judges: that of the base branch as it is now, read through the API, over the organisation's
// default. What the checkout holds under the same name belongs to the pull request and governs nothing.
import { policyTexts, organisationPolicy } from '../src/adapters/github/policy-file.ts'
import type { Access } from '../src/adapters/github/access.ts'
import { orUnseen } from '../src/adapters/github/status.ts'
import { governing } from '../src/core/contract/governing.ts'
import { makeContract } from '../src/core/contract/make-contract.ts'
import type { Policy } from '../src/core/contract/policy.ts'
import type { PolicyProblem } from '../src/core/contract/problem.ts'
import { findTaskBlock } from '../src/core/contract/task-text.ts'
import type { ResultsFile } from '../src/core/decision/results-file.ts'
import type { Subject } from './event.ts'

export type Governing =
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly problems: readonly PolicyProblem[] }
  | {
      readonly kind: 'policy'
      /** With what the pull request's own block adds. */
      readonly policy: Policy
      readonly hash: string
      readonly organisation: ResultsFile['policy']['organisation']
    }

export async function governingPolicy(access: Access, subject: Subject): Promise<Governing> {
  const { owner, repo } = access.place
  const ofOrganisation = { owner, repo: '.github' }
  const [texts, defaults] = await Promise.all([
    policyTexts(access, subject.base_ref, () => organisationPolicy(access)),
    repo === '.github' ? null : orUnseen(access.octokit.rest.repos.get(ofOrganisation)),
  ])
  const { own, organisation } = texts
  if (own === null && organisation === null) return { kind: 'none' }
  const { policy, hash, problems } = governing({ own, organisation })
  if (problems.length > 0) return { kind: 'invalid', problems }
  const seen = organisation !== null ? 'read' : defaults === null && repo !== '.github' ? 'unseen' : 'none'
  const asked = withBlock(policy, subject)
  if ('problems' in asked) return { kind: 'invalid', problems: asked.problems }
  return { kind: 'policy', policy: asked.policy, hash, organisation: seen }
}

type Asked = { readonly policy: Policy } | { readonly problems: readonly PolicyProblem[] }

/** The block in the pull request's own text, which only adds and tightens. Issues are for the App to read. */
function withBlock(policy: Policy, { pull, title, body }: Subject): Asked {
  const file = `#${pull ?? ''}`
  const found = findTaskBlock(body, file)
  if (!found.ok) return { problems: found.problems }
  if (found.block === null) return { policy }
  const block = { text: found.block.text, source: 'pull_request', edited_by: 'builder', file } as const
  const reading = makeContract({ task_id: file, title, body, policy, blocks: [block] })
  return 'contract' in reading ? { policy: reading.contract.policy } : { problems: reading.unreadable }
}
