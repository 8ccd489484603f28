// What the earlier attempts of a task mean for this one: how many they used up, and whether the task has failed.
// Everything is derived from their current conclusions, so a re-run that turns green gives its attempt back.
import { failureSignature } from './signature.ts'
import type { Attempt, TaskState } from '../model.ts'
import type { Decision, Reason, RowName } from '../decision.ts'

/** Rows whose `retry` or `failed` uses up one attempt. Outages and referrals use up none. */
const consumingRows: readonly RowName[] = ['rejected', 'scope', 'tier1', 'hard', 'checks', 'soft', 'block']

function consumes(decision: Decision | null): boolean {
  if (decision === null || !consumingRows.includes(decision.row)) return false
  return decision.status === 'retry' || decision.status === 'failed'
}

/** Earlier attempts that still count: those since the last `/retry` or reopening. */
export function countedBefore(task: TaskState, attempt: Attempt): Attempt[] {
  return task.attempts.filter(({ ordinal }) => ordinal > task.counted_after && ordinal < attempt.ordinal)
}

export function attemptsUsed(task: TaskState, attempt: Attempt): number {
  return countedBefore(task, attempt).filter(consumed).length
}

/** Why the task had failed before this attempt began; empty while it may still succeed. */
export function spentBy(task: TaskState, attempt: Attempt): Reason[] {
  const earlier = countedBefore(task, attempt)
  if (earlier.some(({ decision }) => decision?.row === 'hard')) {
    return [{ code: 'hard_failed_before', subject: null, detail: null }]
  }
  if (!attempt.limited) return []
  const { max_attempts: max } = attempt.contract.policy.verification.retry
  const used = earlier.filter(consumed).length
  if (used >= max) return [{ code: 'POLICY_RETRY_LIMIT_EXCEEDED', subject: String(max), detail: String(used) }]
  const repeats = attempt.contract.policy.verification.retry.stop_on_no_progress
  return sameSignatures(sinceProgress(earlier).filter(consumed), repeats) ? [noProgress(repeats)] : []
}

/** Somebody granted new attempts after this one had begun: it uses up none of them. */
export const isForgiven = (task: TaskState, { ordinal }: Attempt): boolean => ordinal <= task.counted_after

/** Whether this attempt, concluded so, uses up one of those that the task has left. */
export const usesUp = (task: TaskState, attempt: Attempt, decision: Decision | null): boolean =>
  !isForgiven(task, attempt) && consumes(decision)

/** Whether the whole task has failed: nothing that is pushed goes green until somebody grants new attempts. */
export const isFinal = ({ row, status, reasons }: Pick<Decision, 'row' | 'status' | 'reasons'>): boolean =>
  status === 'failed' && (row === 'hard' || row === 'spent' || reasons.some(({ code }) => code.startsWith('POLICY_')))

/** Why failing now would be final, given the decision that this attempt is about to get. */
export function lastStraw(task: TaskState, attempt: Attempt, decision: Decision): Reason[] {
  if (!attempt.limited || !usesUp(task, attempt, decision)) return []
  const { max_attempts: max, stop_on_no_progress: repeats } = attempt.contract.policy.verification.retry
  const used = attemptsUsed(task, attempt) + 1
  if (used >= max) return [{ code: 'POLICY_RETRY_LIMIT_EXCEEDED', subject: String(max), detail: String(used) }]
  const failures = [...sinceProgress(countedBefore(task, attempt)).filter(consumed), { ...attempt, decision }]
  return sameSignatures(failures, repeats) ? [noProgress(repeats)] : []
}

const consumed = (attempt: Attempt): boolean => attempt.state !== 'SUPERSEDED' && consumes(attempt.decision)

const noProgress = (repeats: number): Reason => ({
  code: 'POLICY_NO_PROGRESS',
  subject: String(repeats),
  detail: null,
})

/** Those after the last one whose checks had passed, whatever else it waited for: that was progress. */
function sinceProgress(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.slice(attempts.findLastIndex(({ decision }) => decision !== null && isThrough(decision)) + 1)
}

const isThrough = ({ status, row }: Decision): boolean =>
  status === 'success' ||
  row === 'parallel' ||
  (status === 'refer' && (row === 'refer' || row === 'review' || row === 'confirmation'))

/** Whether the newest of them, as many as `repeats` says, failed in one way. */
function sameSignatures(failures: readonly Attempt[], repeats: number): boolean {
  if (repeats === 0 || failures.length < repeats) return false
  const [first, ...rest] = failures.slice(-repeats).map(failureSignature)
  return first !== undefined && first !== null && rest.every((signature) => signature === first)
}
