// What results mean for the state: of checks, of tiers, of gates. As long as they move, what is missing is waited for anew.
import type { EventData, NewEvent } from './events.ts'
import type { Decision } from '../decision.ts'
import { on } from './fold.ts'
import { isFromBefore } from '../../as-of.ts'
import { sameEnd, type EndedAt } from '../results/ended-at.ts'
import { jobOf } from '../results/job-of.ts'
import type { Attempt, CheckRecord, CheckState, GateName, GateRecord, TaskState } from '../model.ts'

type Of<T extends NewEvent['type']> = Extract<NewEvent, { type: T }>

export function withCheck(
  task: TaskState,
  event: NewEvent,
  name: string,
  record: Omit<CheckRecord, 'name'>,
): TaskState {
  return on(task, event, ({ checks }) => ({ checks: { ...checks, [name]: { ...record, name } } }))
}

export function checkStarted(task: TaskState, event: Of<'CheckStarted'>): TaskState {
  const { check_name, run: id } = event.data
  return withCheck(task, event, check_name, { id, state: 'running', result: null, ...jobOf(event.data) })
}

export function checkCompleted(task: TaskState, event: Of<'CheckCompleted'>): TaskState {
  const { check_name, run: id, result } = event.data
  const more = { ...jobOf(event.data), ...sameEnd(event.data) }
  return withCheck(task, event, check_name, { id, state: stateOf(event.data), result, ...more })
}

/** What it has of results once it comes back from another base, which it had left for then: later ones were about that. */
export function endedBefore(attempt: Attempt, left: string | undefined): Partial<Attempt> {
  if (left === undefined) return {}
  const isOfIt = ({ ended_at }: EndedAt): boolean => isFromBefore(ended_at ?? '', left)
  const checks = Object.entries(attempt.checks).filter(([, check]) => check.result === null || isOfIt(check))
  // What has no end we found out ourselves, about its own base.
  const tier1 = attempt.tier1?.ended_at === undefined || isOfIt(attempt.tier1) ? attempt.tier1 : null
  const isSeen = attempt.tier1 === tier1
  return { checks: Object.fromEntries(checks), tier1, screenshots: isSeen ? attempt.screenshots : null }
}

function stateOf({ passed, error_code }: EventData['CheckCompleted']): CheckState {
  if (passed) return 'passed'
  if (error_code === 'VERIFICATION_TIMEOUT') return 'timed_out'
  return error_code === 'VERIFICATION_CHECK_MISSING' ? 'missing' : 'failed'
}

export function tierCompleted(task: TaskState, event: Of<'TierCompleted'>): TaskState {
  const { tier, run: id, passed, checks, findings, feedback, unseen = [] } = event.data
  if (tier !== 1) return task
  return on(task, event, () => ({ tier1: { id, passed, checks, findings, feedback, unseen, ...sameEnd(event.data) } }))
}

type GateAnswered = Of<'RedTeamGateCompleted'> | Of<'VisionGateCompleted'>

/** Before there were judges, nobody had looked and the record said so: such a gate has yet to answer. */
const noJudge = 'this gate has no judge yet'

export function gateCompleted(task: TaskState, event: GateAnswered, ended_at: string): TaskState {
  const { run: id, verdict, summary, report } = event.data
  if (verdict === 'REFER' && summary === noJudge) return task
  const record: GateRecord = { id, verdict, summary, ended_at, ...(report === undefined ? {} : { report }) }
  const gate: GateName = event.type === 'RedTeamGateCompleted' ? 'red_team' : 'vision'
  return on(task, event, ({ gates }) => ({ gates: { ...gates, [gate]: record } }))
}

/** What was said of other pictures says nothing of these. */
export function screenshotsReported(task: TaskState, event: Of<'ScreenshotsReported'>): TaskState {
  const { run, shots } = event.data
  return on(task, event, ({ screenshots, gates: { vision: _before, ...gates } }) => ({
    screenshots: { run, shots },
    ...(screenshots === null ? {} : { gates }),
  }))
}

/** As long as results move, the wait for those that are missing begins anew. */
export function waitingAgain(task: TaskState, event: NewEvent, at: string): TaskState {
  return on(task, event, () => ({ waited: false, waiting_since: at }))
}

/** Each stage of a review is waited for from when its turn came. */
export const isSameWait = (before: Decision | null, now: Decision): boolean =>
  before?.status === now.status && before.row === now.row && stageIn(before) === stageIn(now)

const stageIn = ({ reasons }: Decision): string | null =>
  reasons.find(({ code }) => code === 'stage_missing')?.subject ?? null
