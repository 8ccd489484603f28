// A pull request that brings the first policy to a base: it is judged by what it proposes, and nothing in the proposal counts
// before an admin has acknowledged it for this very commit. Until then what it says about people counts as if it said nothing.
import { builtInPolicy, type Policy } from '../../contract/policy/policy.ts'
import type { Attempt } from '../model.ts'
import { actsInForce } from './facts.ts'

export const isProposal = ({ invalid }: Pick<Attempt, 'invalid'>): boolean =>
  invalid.some(({ code }) => code === 'policy_proposed')

export const isAcknowledged = (attempt: Attempt): boolean =>
  actsInForce(attempt).some(({ covers }) => covers.some(({ subject }) => subject === 'proposal'))

/** By whose rules people act on an attempt: nobody writes the rule by which others may say yes to it. */
export const rulesForPeople = (attempt: Attempt): Policy =>
  isProposal(attempt) ? builtInPolicy : attempt.contract.policy
