// How far an attempt is examined: several votes are for what the policy or the task itself calls important.
import type { Attempt } from '../../core/decision/model.ts'

export const tierOf = ({ contract }: Attempt): 2 | 3 =>
  contract.policy.verification.verifier.tier === 3 || contract.stakes === 'high' || contract.stakes === 'critical'
    ? 3
    : 2
