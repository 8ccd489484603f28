// What the gate concludes: a status, the row of the table that decided, and codes with the facts that sentences need. Which
// words people read for them is chosen in `words/say.ts`.
import type { ReferReason } from './verdict.ts'

// prettier-ignore
export type Authority =
  | 'human' | 'policy' | 'attempts' | 'scope' | 'tier1' | 'checks' | 'verifier' | 'review' | 'red_team' | 'vision'
  | 'verification'
// prettier-ignore
export const rowNames = [
  'invalid', 'rejected', 'approved', 'spent', 'scope', 'protected', 'tier1', 'pending', 'hard', 'checks', 'soft',
  'unavailable', 'refer', 'vacuous', 'review', 'block', 'confirmation', 'parallel', 'success',
] as const
export type RowName = (typeof rowNames)[number]
export type DecisionStatus = 'pending' | 'success' | 'retry' | 'failed' | 'refer'

// prettier-ignore
export type ReasonCode =
  | 'SYSTEM_INVARIANT_VIOLATED' | 'SYSTEM_FAULT' | 'AGENT_NO_CHANGES' | 'SCOPE_VIOLATION_WRITE'
  | 'VERIFICATION_CHECK_FAILED' | 'VERIFICATION_CHECK_MISSING' | 'VERIFICATION_TIMEOUT' | 'VERIFICATION_TIER1_FAILED'
  | 'VERIFICATION_AGENT_REJECTED' | 'VERIFICATION_CRASH' | 'GIT_MERGE_CONFLICT' | 'USER_INVALID_CONFIG'
  | 'POLICY_RETRY_LIMIT_EXCEEDED' | 'POLICY_NO_PROGRESS'
  | 'policy_invalid' | 'policy_proposed' | 'proposal_invalid' | 'no_policy' | 'contract_unreadable' | 'criteria_unclear' | 'protected_path' | 'paths_unknown' | 'builder_unknown'
  | 'rejected_by' | 'approved_by' | 'overridden_by' | 'referral_lifted_by' | 'hard_failed_before'
  | 'awaiting_member' | 'member_not_green' | 'awaiting_task' | 'awaiting_dependency' | 'awaiting_pull' | 'awaiting_files' | 'awaiting_tier1' | 'awaiting_check' | 'awaiting_screenshots' | 'awaiting_verifier' | 'awaiting_gate'
  | 'awaiting_approval' | 'missing_workflow' | 'unclear_workflow' | 'unclear_jobs' | 'run_cancelled' | 'run_never_started'
  | 'referred' | ReferReason | 'approval_missing' | 'stage_missing' | 'changes_requested'
  | 'stage_rejected' | 'awaiting_stages' | 'stage_team_unknown' | 'owners_broken' | 'owners_nobody' | 'owners_unknown'
  | 'gate_blocked' | 'gate_could_not_judge' | 'confirmation_missing'
/** A code that programs choose by, and the facts that the sentence for people needs. */
export type Reason = {
  readonly code: ReasonCode
  readonly subject: string | null
  readonly detail: string | null
}

// prettier-ignore
export type WarningCode =
  | 'no_checks_ran' | 'no_check_applied' | 'no_required_check' | 'advisory_failed' | 'verifier_off' | 'not_unanimous'
  | 'solo_verification' | 'solo_act' | 'judged_by_proposal' | 'criterion_new' | 'criterion_gone' | 'task_changed' | 'edit_ignored'
  | 'gate_remarks' | 'pull_ahead' | 'way_free'
export type Warning = { readonly code: WarningCode; readonly subject: string | null; readonly detail: string | null }
export type Unblock = { readonly words: string; readonly who: string }

/** What the gate shows, with the authority that decided and who can change it with which words. */
export type Decision = {
  readonly status: DecisionStatus
  readonly by: Authority | null
  readonly row: RowName
  readonly reasons: readonly Reason[]
  readonly warnings: readonly Warning[]
  readonly who_can_unblock: readonly Unblock[]
  readonly evidence: readonly string[]
}
