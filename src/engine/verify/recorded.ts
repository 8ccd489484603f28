// What the record of a task tells a verification: answers that need not be paid for again, objections that are still open,
// earlier attempts, what was spent, and how often nobody could look.
import { emptyTask, replay } from '../../core/decision/record/evolve.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { ANSWER_DAYS, type CallRecord, type RawAnswer } from '../../core/decision/examined.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import { isRescheduled, rescheduleMinutes } from '../../verifier/calls/faults.ts'
import { leftByAttacks, type LeftByAttacks } from '../../verifier/attack/earlier.ts'
import { leftBy, type Left } from '../../verifier/weighing/ledger.ts'
import type { CacheTime } from '../../verifier/calls/model.ts'

export type Past = Left & {
  readonly known: ReadonlyMap<string, RawAnswer>
  /** The attempt, by its ordinal, at which something that was objected to stood first. */
  readonly raisedAt: ReadonlyMap<string, number>
  readonly earlier: readonly string[]
  readonly spent: number
  /** What was asked about this very attempt and billed: an outage that costs nothing uses nothing up. */
  readonly before: readonly CallRecord[]
  readonly attacks: LeftByAttacks
  readonly ttl: CacheTime
}

const EARLIER_MAX = 3
const BUSY_FROM = 3
const HOUR_MS = 3_600_000
const RAW_MS_MAX = ANSWER_DAYS * 24 * HOUR_MS

export function pastOf(events: readonly RecordedEvent[], attempt: Attempt, now: string): Past {
  const task = replay(emptyTask(attempt.contract.task_id), events)
  const since = (at: string): number => Date.parse(now) - Date.parse(at)
  let spent = 0
  let recent = 0
  const before: CallRecord[] = []
  for (const event of events) {
    if (!isAnswer(event)) continue
    const cost = 'report' in event.data ? event.data.report?.cost : 'cost' in event.data ? event.data.cost : undefined
    spent += cost?.usd ?? 0
    if (event.attempt_id === attempt.id) before.push(...(cost?.calls ?? []).filter(wasBilled))
    if (since(event.at) < HOUR_MS) recent += 1
  }
  return {
    known: new Map(),
    ...leftBy(task, attempt),
    raisedAt: raisedAt(task, attempt),
    attacks: leftByAttacks(task, attempt),
    before,
    earlier: earlierLines(task, attempt),
    spent,
    ttl: recent >= BUSY_FROM ? '1h' : '5m',
  }
}

const wasBilled = ({ input, cache_write, cache_read, output }: CallRecord): boolean =>
  input + cache_write + cache_read + output > 0

/** Answers that need not be paid for again. */
export function answersOn(events: readonly RecordedEvent[], now: string): ReadonlyMap<string, RawAnswer> {
  const known = new Map<string, RawAnswer>()
  // An answer that is used again is recorded again, and no younger for it. Its nonce is its alone.
  const given = new Map<string, string>()
  for (const event of events) {
    for (const raw of isAnswer(event) ? (event.data.raw ?? []) : []) {
      const at = given.get(raw.nonce) ?? event.at
      given.set(raw.nonce, at)
      if (Date.parse(now) - Date.parse(at) < RAW_MS_MAX) known.set(raw.key, raw)
    }
  }
  return known
}

function raisedAt({ attempts }: TaskState, { pull }: Attempt): Map<string, number> {
  const raised = new Map<string, number>()
  for (const one of attempts.filter((earlier) => earlier.pull === pull)) {
    const items = one.verifier.phase === 'answered' ? (one.verifier.examined?.ledger ?? []) : []
    for (const { id, status } of items) if (status === 'open' && !raised.has(id)) raised.set(id, one.ordinal)
  }
  return raised
}

const answers = [
  'VerificationCompleted',
  'VerificationUnavailable',
  'RedTeamGateCompleted',
  'VisionGateCompleted',
] as const
type Answer = Extract<RecordedEvent, { readonly type: (typeof answers)[number] }>

const isAnswer = (event: RecordedEvent): event is Answer => answers.some((type) => type === event.type)

/** Numbers, names of checks and ids, and nothing that anybody wrote about them. */
function earlierLines(task: TaskState, attempt: Attempt): string[] {
  const before = task.attempts.filter(({ pull, ordinal }) => pull === attempt.pull && ordinal < attempt.ordinal)
  return before.slice(-EARLIER_MAX).map(({ ordinal, checks, verifier }) => {
    const failed = Object.values(checks).filter(({ state }) => state === 'failed' || state === 'timed_out')
    const open = verifier.phase === 'answered' ? verifier.verdict.objections : []
    const parts = [
      `attempt ${ordinal}`,
      `failed checks: ${failed.map(({ name }) => name).join(', ') || 'none'}`,
      `objections: ${open.join(', ') || 'none'}`,
    ]
    return parts.join('; ')
  })
}

/** When the next try is, while the wait for results lasts; null when only somebody's act can help. */
export function nextTry(
  events: readonly RecordedEvent[],
  attempt: Attempt,
  reason: string,
  now: string,
): string | null {
  if (!isRescheduled(reason)) return null
  const own = events.filter((event) => event.attempt_id === attempt.id)
  const reopened = own.findLastIndex(({ type }) => type === 'VerificationReopened')
  const failed = own.slice(reopened + 1).filter(({ type }) => type === 'VerificationUnavailable')
  const minutes = rescheduleMinutes[failed.length] ?? rescheduleMinutes[rescheduleMinutes.length - 1] ?? 0
  const since = Date.parse(failed[0]?.at ?? now)
  const at = Date.parse(now) + minutes * 60_000
  const waitEnds = since + attempt.contract.policy.verification.wait * 1000
  return at <= waitEnds ? isoOf(at) : null
}

const isoOf = (ms: number): string => new Date(ms).toISOString()
