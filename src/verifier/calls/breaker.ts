// A model that has failed so often in a row that asking it again only adds to its trouble: everybody waits, then one call
// finds out whether it is back. Time is in milliseconds and comes in with each question.
import type { Asked } from './model.ts'

export type Breaker = {
  /** When it failed since it last answered, the newest failures only. */
  readonly failures: readonly number[]
  /** Until when nobody asks; null while everybody may. */
  readonly until: number | null
}

export const FAILURES_MAX = 5
export const FAILURES_MS = 60_000
export const PAUSE_MS = 60_000
/** No call lasts longer. Should the one on trial never be heard of again, somebody else makes the next. */
export const TRIAL_MS_MAX = 240_000

export const closed: Breaker = { failures: [], until: null }

export const isOpen = ({ until }: Breaker, now: number): boolean => until !== null && now < until

/** Somebody who may ask does. After a pause that one is on trial, and all others wait for it. */
export const begun = (breaker: Breaker, now: number): Breaker =>
  breaker.until === null ? breaker : { ...breaker, until: now + TRIAL_MS_MAX }

/** An answer that begins is sign enough for the others; what comes of it is still counted. */
export const heard = (breaker: Breaker): Breaker => ({ ...breaker, until: null })

/** Whoever answers is there, be it with a refusal or a bill; a call that was called off tells nothing. */
export function ended(breaker: Breaker, asked: Asked, now: number): Breaker {
  const { failures, until } = breaker
  const cause = asked.kind === 'failed' ? asked.cause : null
  if (cause === 'superseded') return { failures, until: until && Math.min(until, now + PAUSE_MS) }
  if (cause !== 'transient' && cause !== 'deadline') return closed
  const recent = [...failures, now].filter((at) => now - at < FAILURES_MS).slice(-FAILURES_MAX)
  return { failures: recent, until: until !== null || recent.length === FAILURES_MAX ? now + PAUSE_MS : null }
}
