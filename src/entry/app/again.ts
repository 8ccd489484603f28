// Tasks that could not be shown whole, each with the moment when it is tried again: soon at first, later and later then, the
// later the more of them there are, or when GitHub said. Later it gets by what fails, or asks for itself again: what something else
// asks for once in a while has its turn at once. All of it follows from what is on record, so a process that dies forgets nothing
// by forgetting this.
import { forgetOldest } from '../../core/forget.ts'
import type { TaskRef } from '../../engine/engine.ts'
import type { Settled } from '../../engine/settle.ts'
import { limitMsIn } from './hearing/handle.ts'

const SOON_MS = 100
const LATE_MS = 60_000
/** What many ask for in vain is taken from what may be asked of GitHub. */
const APART_MS = 1_000
const CROWD_MS = 600_000
const MOMENT_MS = 1_000
/** Who was tried, and was not asked for since, begins anew. */
const OVER_MS = 10_000
/** What does not fit is found by the next round. */
const TASKS_MAX = 100_000

export type Again = {
  readonly again: (ref: TaskRef, error?: unknown, triesMax?: number) => void
  /** How many tasks are settled again within a moment. */
  readonly soon: () => number
  readonly stop: () => void
}
type Appointment = { readonly at: number; readonly timer: NodeJS.Timeout }
/** In one go, which may be over by some time. */
type Tries = { readonly count: number; readonly over: number }

export function tryingAgain(
  settle: (ref: TaskRef) => Promise<Settled>,
  now: () => number,
  onError: (error: unknown) => void,
): Again {
  const appointments = new Map<string, Appointment>()
  const tries = new Map<string, Tries>()
  /** Asked for again while it was tried, in vain or not. */
  const asking = new Map<string, boolean>()

  let keeping = 0
  const keep = async (ref: TaskRef): Promise<void> => {
    const { stream } = ref
    appointments.delete(stream)
    asking.set(stream, false)
    keeping += 1
    try {
      if ((await settle(ref)) === 'settled') tries.delete(stream)
      else if (asking.get(stream) === false) endsBy(stream, performance.now() + OVER_MS)
    } catch (error) {
      onError(error)
      again(ref, error)
    } finally {
      asking.delete(stream)
      keeping -= 1
    }
  }
  const countOf = (stream: string): number => {
    const known = tries.get(stream)
    return known === undefined || performance.now() >= known.over ? 0 : known.count
  }
  const endsBy = (stream: string, over: number): void => void tries.set(stream, { count: countOf(stream), over })
  const again: Again['again'] = (ref, error, triesMax = Infinity) => {
    const { stream } = ref
    if (asking.has(stream)) asking.set(stream, true)
    const count = countOf(stream)
    if (count >= triesMax) return
    const known = appointments.get(stream)
    const at = performance.now() + waitMs(count, appointments.size, error, now())
    if (known === undefined ? appointments.size >= TASKS_MAX : known.at <= at) return
    clearTimeout(known?.timer)
    tries.set(stream, { count: count + 1, over: Infinity })
    forgetOldest(tries, TASKS_MAX)
    const timer = setTimeout(() => void keep(ref), at - performance.now())
    timer.unref()
    appointments.set(stream, { at, timer })
  }
  return {
    again,
    soon: () => {
      const limit = performance.now() + MOMENT_MS
      return keeping + [...appointments.values()].filter(({ at }) => at < limit).length
    },
    stop: () => {
      for (const { timer } of appointments.values()) clearTimeout(timer)
      appointments.clear()
    },
  }
}

function waitMs(tries: number, others: number, error: unknown, now: number): number {
  const limitMs = limitMsIn(error, now) ?? 0
  const lateMs = Math.max(LATE_MS, Math.min(others * APART_MS, CROWD_MS))
  return Math.max(limitMs, Math.min(SOON_MS * 2 ** Math.min(tries, 20), lateMs))
}
