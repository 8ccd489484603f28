// How loud we are. A comment and a review reach everybody who follows a pull request, so they are written where somebody has
// to know something; the check run and its label say the rest.
import type { Decision, ReasonCode, WarningCode } from '../decision.ts'
import type { Attempt } from '../model.ts'

const waits: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'awaiting_member',
  'awaiting_task',
  'awaiting_files',
  'awaiting_tier1',
  'awaiting_check',
  'awaiting_screenshots',
  'awaiting_verifier',
  'awaiting_gate',
  // It is asked again by itself; once it is not, that is more than waiting.
  'VERIFICATION_CRASH',
])

/** Whoever asks to be told of these is told. */
const toBeTold: ReadonlySet<WarningCode> = new Set<WarningCode>(['pull_ahead'])

/** More than that it waits for what comes by itself, or that it passed. */
export const hasMoreToSay = ({ status, reasons, warnings }: Decision): boolean =>
  warnings.some(({ code }) => toBeTold.has(code)) ||
  (status === 'pending' ? reasons.some(({ code }) => !waits.has(code)) : status !== 'success')

/** A verdict that passes has nothing that anybody has to answer. */
export const isToBeReviewed = ({ contract }: Attempt, outcome: string): boolean =>
  outcome !== 'PASS' || contract.policy.verification.verifier.review === 'always'
