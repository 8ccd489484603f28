// Which policy governs a branch: the file at its tip over the organisation's default, or the built-in one while these
// cannot be read. Where there is none at all, a pull request that adds one is judged by what it proposes, as long as an admin
// says so. The App and the Action both ask here, each for itself.
import { digest } from '../../canonical.ts'
import type { Reason } from '../../decision/decision.ts'
import { builtInPolicy, type Policy } from './policy.ts'
import { beyondLimits, flawOfAll, report, type PolicyProblem } from '../problem.ts'
import { readPolicy } from './read-policy.ts'
import { policyFile } from '../scope.ts'

export type PolicySources = {
  readonly own: string | null
  readonly organisation: string | null
  /** It is on no base yet: `own` is what a pull request would add. */
  readonly proposed?: true
}
export type Governing = {
  readonly policy: Policy
  /** Of the texts, not of what a version of this product reads out of them: two versions must agree on it. */
  readonly hash: string
  readonly problems: readonly PolicyProblem[]
  /** What a proposal says of `mode` and does not get while it is one. */
  readonly later?: Policy['mode']
  /** Why nothing can be judged by it; empty for a policy that can be read. */
  readonly invalid: readonly Reason[]
}

/** Of these two texts, whatever else comes along. A proposal is never the policy of a base, not even of the same words. */
const hashOf = ({ own, organisation, proposed }: PolicySources): string =>
  digest(proposed ? { own, organisation, proposed } : { own, organisation })

/** What a pull request would add where there is none, neither on its base nor for the organisation. */
export const proposalOf = (own: string): PolicySources => ({ own, organisation: null, proposed: true })

export function governing(sources: PolicySources): Governing {
  const { own, organisation, proposed = false } = sources
  const hash = hashOf(sources)
  const below = organisation === null ? null : readPolicy(organisation, `the organisation's ${policyFile}`)
  const reading = below?.ok === false ? below : readPolicy(own ?? '', policyFile, below?.ok ? below.layer : {})
  if (!reading.ok) return invalid(sources, reading.problems)
  const { policy } = reading
  const sound = { hash, problems: [], invalid: [] }
  // Only a base can say that nothing is enforced on it.
  if (!proposed || policy.mode === 'enforce') return { ...sound, policy }
  return { ...sound, policy: { ...policy, mode: 'enforce' }, later: policy.mode }
}

/** Where reading it took more than anybody may take. */
export const unreadPolicy = (sources: PolicySources): Governing =>
  invalid(sources, report([flawOfAll(beyondLimits('The policy'))], policyFile))

const invalid = (sources: PolicySources, problems: readonly PolicyProblem[]): Governing => ({
  policy: builtInPolicy,
  hash: hashOf(sources),
  problems,
  invalid: problems.map(({ file, line, message }): Reason => ({
    code: sources.proposed ? 'proposal_invalid' : 'policy_invalid',
    subject: null,
    detail: `${file}:${line} ${message}`,
  })),
})

export const sayPlace = ({ file, line, column, message }: PolicyProblem): string =>
  `${file}:${line}:${column} ${message}`
