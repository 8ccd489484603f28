// What the App does, told to whoever runs it: one line of the log for each decision, act and verdict, and figures of the same.
// Both follow from what came on record, so nothing is told that is not there. What others wrote is told without what it hides.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RecordedEvent } from '../../../core/decision/record/events.ts'
import { isCheckSlot } from '../../../core/decision/shown/slots.ts'
import { upTo, visible } from '../../../core/visible.ts'
import type { OnRecorded, TaskRef } from '../../../engine/engine.ts'
import { repositoryIn } from '../../../core/names.ts'

type Log = { readonly info: (facts: object, words: string) => void }

/** By installation and by what it was, as Prometheus has labels. */
export type Tally = ReadonlyMap<string, number>
export type Told = {
  readonly decisions: Tally
  readonly acts: Tally
  readonly verdicts: Tally
  readonly usd: Tally
  /** From the moment when a webhook arrived until the check run that followed from it was shown. */
  readonly shown: Histogram
}
export type Histogram = {
  /** How many took at most so many seconds. */
  readonly buckets: readonly { readonly seconds: number; readonly count: number }[]
  readonly count: number
  readonly sum: number
}
export type Telling = {
  readonly onRecorded: OnRecorded
  /** Handles what arrived then. */
  readonly since: <Result>(arrivedAt: string, work: () => Promise<Result>) => Promise<Result>
  readonly figures: () => Told
}

/** Whoever has more of them reads the log. */
export const INSTALLATIONS_MAX = 200
const OTHERS = 'others'
const TEXT_MAX = 100
const BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600] as const

export function telling(log: Log, now: () => number, tenantOf: (repository: string) => string): Telling {
  const installations = new Set<string>()
  const [decisions, acts, verdicts, usd] = [tally(), tally(), tally(), tally()]
  const shown = histogram()
  const arrived = new AsyncLocalStorage<{ readonly at: number }>()

  const labelled = ({ stream }: TaskRef): string => {
    const installation = tenantOf(repositoryIn(stream))
    if (installations.size < INSTALLATIONS_MAX) installations.add(installation)
    return installations.has(installation) ? installation : OTHERS
  }
  const tell = (ref: TaskRef, head: string | undefined, event: RecordedEvent): void => {
    const installation = labelled(ref)
    const label = `installation="${installation}"`
    const about = { task: printable(ref.task_id), sha: head ?? null, installation }
    if (event.type === 'DecisionConcluded') {
      const { status, row, by } = event.data
      decisions.add(`${label},row="${row}",status="${status}"`, 1)
      log.info({ ...about, status, row, by, ...sinceArrival() }, 'decided')
    } else if (event.type === 'HumanOverride') {
      const { user, override_type: type, head_sha: sha, source } = event.data
      acts.add(`${label},type="${type}"`, 1)
      log.info({ ...about, sha, type, by: printable(user), source, ...sinceArrival() }, 'acted')
    } else if (event.type === 'OverrideDenied' || event.type === 'CommandRefused') {
      const { user, command, why } = event.data
      acts.add(`${label},type="refused"`, 1)
      log.info({ ...about, by: printable(user), command: printable(command), why }, 'refused')
    } else if (event.type === 'VerificationCompleted' || event.type === 'VerificationUnavailable') {
      const outcome = event.type === 'VerificationCompleted' ? event.data.outcome : 'UNAVAILABLE'
      verdicts.add(`${label},outcome="${outcome}"`, 1)
      const spent = event.data.cost?.usd ?? null
      if (spent !== null) usd.add(label, spent)
      log.info({ ...about, outcome, usd: spent }, 'verified')
    } else if (event.type === 'SlotShown' && isCheckSlot(event.data.slot)) {
      const since = arrived.getStore()
      if (since !== undefined) shown.note((now() - since.at) / 1_000)
    }
  }
  const sinceArrival = (): { readonly ms?: number } => {
    const since = arrived.getStore()
    return since === undefined ? {} : { ms: Math.max(0, now() - since.at) }
  }
  return {
    onRecorded: (ref, task, events) => {
      const heads = new Map(task.attempts.map(({ id, head_sha }) => [id, head_sha]))
      for (const event of events) tell(ref, heads.get(event.attempt_id ?? ''), event)
    },
    since: (arrivedAt, work) => arrived.run({ at: Date.parse(arrivedAt) }, work),
    figures: () => ({
      decisions: decisions.counts,
      acts: acts.counts,
      verdicts: verdicts.counts,
      usd: usd.counts,
      shown: shown.read(),
    }),
  }
}

/** No sign of it does anything to whoever reads the log, and none stands unseen. */
export const printable = (text: string): string => visible(upTo(text, TEXT_MAX)).replaceAll(/\s+/g, ' ')

function tally(): { readonly counts: Tally; readonly add: (label: string, value: number) => void } {
  const counts = new Map<string, number>()
  return { counts, add: (label, value) => void counts.set(label, (counts.get(label) ?? 0) + value) }
}

function histogram(): { readonly note: (seconds: number) => void; readonly read: () => Histogram } {
  const counts = BUCKETS_SECONDS.map(() => 0)
  let [count, sum] = [0, 0]
  return {
    note: (value) => {
      // A clock that was set meanwhile makes nothing take less than no time.
      const seconds = Math.max(0, value)
      count += 1
      sum += seconds
      for (const [index, most] of BUCKETS_SECONDS.entries())
        if (seconds <= most) counts[index] = (counts[index] ?? 0) + 1
    },
    read: () => ({
      buckets: BUCKETS_SECONDS.map((seconds, index) => ({ seconds, count: counts[index] ?? 0 })),
      count,
      sum,
    }),
  }
}
