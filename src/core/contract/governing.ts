// Which policy governs a branch: the file at its tip over the organisation's default, or the built-in one while these
// cannot be read. The App and the Action both ask here, each for itself.
import { digest } from '../canonical.ts'
import type { Reason } from '../decision/decision.ts'
import { builtInPolicy, type Policy } from './policy.ts'
import { beyondLimits, flawOfAll, report, type PolicyProblem } from './problem.ts'
import { readPolicy } from './read-policy.ts'
import { policyFile } from './scope.ts'

export type PolicySources = { readonly own: string | null; readonly organisation: string | null }
export type Governing = {
  readonly policy: Policy
  /** Of the texts, not of what a version of this product reads out of them: two versions must agree on it. */
  readonly hash: string
  readonly problems: readonly PolicyProblem[]
  /** Why nothing can be judged by it; empty for a policy that can be read. */
  readonly invalid: readonly Reason[]
}

/** Of these two texts, whatever else comes along. */
const hashOf = ({ own, organisation }: PolicySources): string => digest({ own, organisation })

export function governing({ own, organisation }: PolicySources): Governing {
  const hash = hashOf({ own, organisation })
  const below = organisation === null ? null : readPolicy(organisation, `the organisation's ${policyFile}`)
  const reading = below?.ok === false ? below : readPolicy(own ?? '', policyFile, below?.ok ? below.layer : {})
  return reading.ok ? { policy: reading.policy, hash, problems: [], invalid: [] } : invalid(hash, reading.problems)
}

/** Where reading it took more than anybody may take. */
export const unreadPolicy = (sources: PolicySources): Governing =>
  invalid(hashOf(sources), report([flawOfAll(beyondLimits('The policy'))], policyFile))

const invalid = (hash: string, problems: readonly PolicyProblem[]): Governing => ({
  policy: builtInPolicy,
  hash,
  problems,
  invalid: problems.map(({ file, line, message }): Reason => ({
    code: 'policy_invalid',
    subject: null,
    detail: `${file}:${line} ${message}`,
  })),
})

export const sayPlace = ({ file, line, column, message }: PolicyProblem): string =>
  `${file}:${line}:${column} ${message}`
