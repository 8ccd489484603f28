// What an input means for a task: new events, or none when it says nothing new. First the facts that it brings, then
// what follows from them. The same input twice changes nothing the second time.
import { kept } from '../record/answers.ts'
import { equal } from '../../canonical.ts'
import { supersede } from './attempt.ts'
import { consequences } from './consequences.ts'
import { checked, gateAnswered, judged, listed, merged, onTheWay, waited } from './decide-results.ts'
import { hear } from './decide-said.ts'
import { drifted } from './drift.ts'
import { emit, type Draft } from './draft.ts'
import type { NewEvent } from '../record/events.ts'
import { sameEnd } from '../results/ended-at.ts'
import { jobOf } from '../results/job-of.ts'
import type { Input } from './inputs.ts'
import { join, joinGoal, joinRequest, leaveGoal, takeUp } from './joining.ts'
import type { Attempt, Regression, TaskState } from '../model.ts'
import type { Dependency } from '../task-parts.ts'
import { open } from './open.ts'
import { isSameCarried } from '../../people/act.ts'

export function decide(task: TaskState, input: Input, at: string): readonly NewEvent[] {
  const draft: Draft = { task, events: [], at }
  if ('attempt_id' in input) reportOn(draft, input)
  else if (input.type === 'open_attempt') open(draft, input)
  else if (input.type === 'carry_rejection') carry(draft, input.rejection)
  else if (input.type === 'note_stranger') strange(draft, input)
  else if (input.type === 'join_goal') joinGoal(draft, input)
  else if (input.type === 'leave_goal') leaveGoal(draft, input.goal)
  else if (input.type === 'join_request') joinRequest(draft, input)
  else if (input.type === 'report_dependencies') follow(draft, input.on)
  else if (input.type === 'report_beside') close(draft, input)
  else if (input.type === 'take_up') takeUp(draft, input)
  else if (input.type === 'join_task') join(draft, input)
  else if (!task.heard.includes(input.saying.key)) hear(draft, input)
  if (draft.events.length > 0) consequences(draft, 'attempt_id' in input ? input.attempt_id : null)
  return draft.events
}

/** Looked at once, it is news only where something of it has changed. */
function follow(draft: Draft, on: readonly Dependency[]): void {
  if (equal(draft.task.waits_for, on)) return
  emit(draft, { type: 'DependenciesSeen', attempt_id: null, head_sha: null, data: { on } })
}

function close(draft: Draft, { pull, issues }: Extract<Input, { type: 'report_beside' }>): void {
  if (equal(draft.task.beside[pull] ?? [], issues)) return
  emit(draft, { type: 'BesideSeen', attempt_id: null, head_sha: null, data: { pull, issues } })
}

/** What was said of a rejection elsewhere before is not said again. */
function carry(draft: Draft, rejection: Extract<Input, { type: 'carry_rejection' }>['rejection']): void {
  const known = draft.task.carried.find((one) => isSameCarried(one, rejection))
  // Here it may have been lifted already; it does not come back by standing where it was made.
  const isNews = known === undefined ? rejection.standing === 'stands' : known.standing !== rejection.standing
  if (!isNews || (known !== undefined && known.standing !== 'stands')) return
  emit(draft, { type: 'RejectionCarried', attempt_id: null, head_sha: rejection.head_sha, data: rejection })
}

function strange(draft: Draft, { key, user, pull }: Extract<Input, { type: 'note_stranger' }>): void {
  if (draft.task.heard.includes(key)) return
  const data = { key, user: user.login, user_id: user.id, pull }
  emit(draft, { type: 'StrangerAnswered', attempt_id: null, head_sha: null, data })
}

/** Nobody has to confirm again what is not confirmed, or what they confirmed although they were told of this. */
function regressed(
  { status, assignee }: TaskState,
  { merged, id, head_sha, regressions }: Attempt,
  regression: Regression,
): NewEvent[] {
  const isKnown = regressions.some((one) => equal(one, regression))
  if (status !== 'verified' || merged === null || isKnown) return []
  const { why, sha } = regression
  const reason = `${why} at ${sha.slice(0, 7)}`
  const data = { by: 'countersign', reason, assignee: assignee?.login ?? null, regression }
  return [{ type: 'TaskReopened', attempt_id: id, head_sha, data }]
}

type Report = Extract<Input, { attempt_id: string }>

/** A report about an attempt that is not open here has nothing to say: what is owed is asked for when one opens. */
function reportOn(draft: Draft, input: Report): void {
  const attempt = draft.task.attempts.find(({ id }) => id === input.attempt_id)
  if (attempt !== undefined) emit(draft, ...reported(draft, attempt, input))
}

function reported(draft: Draft, attempt: Attempt, input: Report): NewEvent[] {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const ids = { task_id: draft.task.task_id, attempt_id: attempt.id }
  switch (input.type) {
    case 'end_attempt':
      if (attempt.live) supersede(draft, attempt, input.why, null)
      return []
    case 'report_merge':
      return merged(attempt, input.by)
    case 'report_regression':
      return regressed(draft.task, attempt, { why: input.why, sha: input.sha })
    case 'add_builder':
      return [
        {
          type: 'ExternalModificationDetected',
          ...at,
          data: { login: input.builder.login, sha: input.sha, builder: input.builder },
        },
      ]
    case 'ask_deployment': {
      const { run, run_attempt, environment, sha } = input
      const known = attempt.deployments.find((one) => one.run === run && one.environment === environment)
      const isKnown = known !== undefined && known.run_attempt >= run_attempt
      return isKnown ? [] : [{ type: 'DeploymentAsked', ...at, data: { run, run_attempt, environment, sha } }]
    }
    case 'note_fault': {
      const { doing, what } = input
      return (attempt.faults[doing] ?? null) === what ? [] : [{ type: 'FaultNoted', ...at, data: { doing, what } }]
    }
    case 'report_files':
      return attempt.files === null ? listed(attempt, input) : []
    case 'report_policy_copy': {
      const { problems, effect } = input
      const data = { problems, ...(effect === undefined ? {} : { effect }) }
      return attempt.policy_copy === null ? [{ type: 'PolicyCopyRead', ...at, data }] : []
    }
    case 'note_drift':
      return drifted(attempt, input)
    case 'report_ahead':
      return equal(attempt.ahead.pulls, input.pulls) ? [] : [{ type: 'AheadSeen', ...at, data: { pulls: input.pulls } }]
    case 'report_stages':
      return equal(attempt.stages, input.people) ? [] : [{ type: 'StagesRead', ...at, data: { people: input.people } }]
    case 'report_members': {
      const { lacking, covers } = input
      const { group, live } = attempt
      // Whoever was asked just before the group ended may answer after it.
      if (!live || group === null || equal(group, { ...group, lacking, covers })) return []
      return [{ type: 'MembersJudged', ...at, data: { lacking, covers } }]
    }
    case 'report_obstacle':
      return attempt.obstacle === input.obstacle
        ? []
        : [{ type: 'RunObstructed', ...at, data: { obstacle: input.obstacle } }]
    case 'report_tier1': {
      const { run, passed, checks, findings, feedback, unseen = [] } = input
      if (attempt.tier1?.id === run) return []
      const found = { passed, checks, findings, feedback, unseen, run, ...sameEnd(input) }
      const data = { tier: 1, confidence: null, ...found } as const
      return [{ type: 'TierCompleted', ...at, data }]
    }
    case 'report_screenshots': {
      const { run, shots } = input
      const data = { run, shots }
      return equal(attempt.screenshots, data) ? [] : [{ type: 'ScreenshotsReported', ...at, data }]
    }
    case 'refuse_result': {
      const { source, why } = input
      return attempt.refused.some((one) => equal(one, { source, why }))
        ? []
        : [{ type: 'ResultRefused', ...at, data: { source, why } }]
    }
    case 'leave_out_check':
      return equal(attempt.checks[input.name], { id: input.run, state: 'left_out', result: null, name: input.name })
        ? []
        : [{ type: 'CheckLeftOut', ...at, data: { check_name: input.name, run: input.run } }]
    case 'start_check':
      if (attempt.checks[input.name]?.id === input.run) return []
      return [
        { type: 'CheckStarted', ...at, data: { check_name: input.name, run: input.run, ...jobOf(input), ...ids } },
      ]
    case 'report_check':
      return checked(draft.task, attempt, input)
    case 'start_verification': {
      const { session_id, tier, prompt_hash, handoff_hash } = input
      if (attempt.verifier.phase !== 'idle' && attempt.verifier.phase !== 'unavailable') return []
      return [{ type: 'VerificationStarted', ...at, data: { ...ids, session_id, tier, prompt_hash, handoff_hash } }]
    }
    case 'report_verdict':
      return judged(attempt, input, ids)
    case 'report_unavailable': {
      const { session_id, reason, retry_at, cost, raw = [], happened = [] } = input
      const { verifier } = attempt
      if (verifier.phase === 'answered' || (verifier.phase === 'unavailable' && verifier.id === session_id)) return []
      const extra = { ...(cost === undefined ? {} : { cost }), ...(raw.length === 0 ? {} : { raw: raw.map(kept) }) }
      const data = { ...ids, session_id, reason, retry_at, ...extra }
      return [...onTheWay(happened, at), { type: 'VerificationUnavailable', ...at, data }]
    }
    case 'report_gate': {
      return gateAnswered(attempt, input)
    }
    case 'end_wait':
      return waited(attempt, input.what)
    case 'show_slot': {
      const { slot, digest, ref } = input
      return draft.task.slots[slot]?.digest === digest
        ? []
        : [{ type: 'SlotShown', ...at, data: { slot, digest, ref } }]
    }
  }
}
