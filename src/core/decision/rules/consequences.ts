// What follows from new facts: the decision is made again, and attempt and task move to where it puts them.
import { equal } from '../../canonical.ts'
import { contextSizes, contextTruncation, retryContext } from '../../words/retry/retry-context.ts'
import { toReview } from './attempt.ts'
import { isThrough } from '../gate/afterwards.ts'
import { conclude } from '../gate/conclude.ts'
import { conclusionOf } from '../gate/conclusion.ts'
import { emit, type Draft } from './draft.ts'
import { confirmedByVerifier, factsOf } from '../gate/facts.ts'
import { usesUp } from '../gate/history.ts'
import { stageResults } from '../gate/stage-results.ts'
import { attemptPath } from './transitions.ts'
import type { AttemptState } from '../attempt-state.ts'
import type { Attempt, Confirmation } from '../model.ts'
import type { Decision } from '../decision.ts'

/** A decision may move the task, and that the decision; it settles after one more round. */
const ROUNDS_MAX = 5

export function consequences(draft: Draft, reportedOn: string | null): void {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = draft.events.length
    for (const { id } of draft.task.attempts) {
      const attempt = draft.task.attempts.find((one) => one.id === id)
      if (attempt && isJudged(attempt) && (attempt.live || id === reportedOn)) concludeAgain(draft, attempt)
    }
    moveTask(draft)
    if (draft.events.length === before) return
  }
}

const isJudged = ({ state }: Attempt): boolean => state !== 'SUPERSEDED' && state !== 'none'

function concludeAgain(draft: Draft, attempt: Attempt): void {
  reviewMoved(draft, attempt)
  const decision = conclude(draft.task, attempt)
  const verifying = attempt.state === 'RUNNING' && mayVerify(attempt, decision)
  const changed = !equal(decision, attempt.decision)
  if (!changed && !verifying) return
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const path = attemptPath(attempt.state, targetState(attempt, decision), decision.row)
  if (path === null) return undeclared(draft, attempt, decision)
  let from = attempt.state
  for (const to of path) {
    emit(draft, { type: 'TaskExecutionStateChanged', ...at, data: { from, to } })
    from = to
  }
  if (!changed) return
  if (decision.status !== attempt.decision?.status || decision.row !== attempt.decision.row)
    ended(draft, attempt, decision)
  const conclusion = conclusionOf(decision)
  emit(draft, { type: 'DecisionConcluded', ...at, data: { ...decision, conclusion, inputs: decision.evidence } })
}

/** What a stage of the review has come to is recorded once, and again where it comes to something else. */
function reviewMoved(draft: Draft, attempt: Attempt): void {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  for (const result of stageResults(draft.task, attempt))
    if (!equal(attempt.stage_results[result.stage] ?? null, result))
      emit(draft, { type: 'ReviewStageCompleted', ...at, data: result })
}

function targetState(attempt: Attempt, decision: Decision): AttemptState {
  const { status } = decision
  if (status === 'success') return 'SUCCESS'
  if (status === 'retry') return 'RETRY'
  if (status === 'failed') return 'FAILED'
  if (attempt.state === 'RUNNING') return mayVerify(attempt, decision) ? 'VERIFYING' : 'RUNNING'
  return 'VERIFYING'
}

/** Verification begins once the changed paths are known and allowed. */
function mayVerify({ files, scope_violations }: Attempt, { row }: Decision): boolean {
  return files !== null && (scope_violations.length === 0 || row !== 'scope')
}

function undeclared(draft: Draft, attempt: Attempt, decision: Decision): void {
  const detail = `${attempt.id} cannot go from ${attempt.state} by row ${decision.row}`
  const error = { code: 'SYSTEM_INVARIANT_VIOLATED', subject: attempt.id, detail } as const
  emit(draft, { type: 'ErrorOccurred', attempt_id: attempt.id, head_sha: attempt.head_sha, data: { error } })
}

/** What is recorded beside a decision that ends an attempt: what it cost, who must hear of it, what helps the next. */
function ended(draft: Draft, attempt: Attempt, decision: Decision): void {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const { status, reasons, row } = decision
  if (status !== 'success' && status !== 'retry' && status !== 'failed') return
  const consumed = usesUp(draft.task, attempt, decision)
  const data = { attempt_number: attempt.ordinal, outcome: `${status} by ${row}`, consumed }
  emit(draft, { type: 'AttemptCompleted', ...at, data })
  if (status === 'success') return
  const [error] = reasons
  if (status === 'failed' && error !== undefined) emit(draft, { type: 'AttemptFailed', ...at, data: { error } })
  const spent = reasons.find(({ code }) => code === 'POLICY_RETRY_LIMIT_EXCEEDED' || code === 'POLICY_NO_PROGRESS')
  const { retry } = attempt.contract.policy.verification
  if (spent !== undefined && row !== 'spent') {
    const cause = spent.code === 'POLICY_NO_PROGRESS' ? 'no_progress' : 'attempts'
    emit(draft, { type: 'RetryLimitReached', ...at, data: { max_attempts: retry.max_attempts, cause } })
  }
  if (row === 'hard' || (spent !== undefined && row !== 'spent')) {
    const lead = attempt.contract.policy.roles.lead
    const why = row === 'hard' ? 'hard_fail' : (spent?.code ?? '')
    emit(draft, { type: 'EscalationRaised', ...at, data: { why, to: lead.length > 0 ? lead : ['admins'] } })
  }
  assembleContext(draft, { ...attempt, decision })
}

function assembleContext(draft: Draft, attempt: Attempt): void {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const context = retryContext(draft.task, attempt)
  const { bytes, sources, hash } = contextSizes(context)
  const data = {
    attempt_number: context.attempt_number,
    prior_attempts_count: context.prior_attempts.length,
    context_size_bytes: bytes,
    feedback_sources: sources,
    context_hash: hash,
  }
  emit(draft, { type: 'RetryContextAssembled', ...at, data })
  const cut = contextTruncation(draft.task, attempt)
  if (cut !== null) emit(draft, { type: 'ContextTruncated', ...at, data: cut })
}

/** The task follows its newest attempt that is still the head of an open pull request. */
function moveTask(draft: Draft): void {
  const attempt = draft.task.attempts.findLast(({ live }) => live)
  const decision = attempt?.decision
  if (attempt === undefined || !decision) return
  const { status } = draft.task
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const failed = decision.status === 'retry' || decision.status === 'failed'
  const done = status === 'completed' || status === 'verified'
  const withdrawn = done && decision.status === 'refer' && decision.row !== 'confirmation'
  if (withdrawn || (failed && (done || status === 'review'))) {
    emit(draft, {
      type: 'TaskSentBack',
      ...at,
      data: { from: status, by: decision.by ?? 'policy', reason: decision.row },
    })
    return
  }
  if (status === 'in_progress' && !failed) toReview(draft, draft.task.assignee, '')
  if (draft.task.status === 'review' && isThrough(decision)) complete(draft, attempt)
  if (draft.task.status !== 'completed' || decision.row !== 'success') return
  if (attempt.confirmed_by !== null) return confirmedStill(draft, attempt, attempt.confirmed_by)
  const facts = factsOf(draft.task, attempt)
  if (facts.policy.merge_requires !== 'verified' || !confirmedByVerifier(facts)) return
  const notes = 'confirmed by the built-in verifier'
  const data = { key: `verifier:${attempt.id}`, by: 'countersign', user_id: null, notes, separation: 'solo' } as const
  emit(draft, { type: 'TaskVerified', ...at, data })
}

/** Another pull request had taken the task back, and is gone. */
function confirmedStill(
  draft: Draft,
  { id, head_sha }: Attempt,
  { by, user_id, notes, separation, at }: Confirmation,
): void {
  const data = { key: `again:${id}`, by, user_id, notes, separation, at }
  emit(draft, { type: 'TaskVerified', attempt_id: id, head_sha, data })
}

function complete(draft: Draft, attempt: Attempt): void {
  const facts = factsOf(draft.task, attempt)
  const approvals = facts.approvals.map(({ by }) => by)
  if (facts.approval !== null) approvals.push(facts.approval.user)
  const [by] = approvals
  if (by === undefined) return
  emit(draft, { type: 'TaskCompleted', attempt_id: attempt.id, head_sha: attempt.head_sha, data: { by, approvals } })
}
