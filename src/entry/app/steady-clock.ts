// The time that the App goes by: it runs with a clock that never jumps, and is set by GitHub's, since what people and machines
// did is told in GitHub's time. That somebody sets this machine's clock changes nothing.
import type { Clock } from '../../ports.ts'
import type { Time } from '../../adapters/github/traffic/time.ts'

export type SteadyClock = Clock & {
  /** The same in milliseconds since 1970. */
  readonly ms: () => number
  /** By which it is measured how long something lasts: what GitHub's time is found to be sets it neither ahead nor back. */
  readonly time: Time
  /** The Date of an answer of GitHub. */
  readonly heed: (date: string | null) => void
  /** By how much this machine's own clock is ahead of the time that counts. */
  readonly skewSeconds: () => number
}

/** An answer takes a while, and its Date has no parts of a second. */
const TOLERANCE_MS = 5_000
/** So far off is a clock that somebody set, or one answer of something that is not GitHub: a second one has to say the same. */
const LEAP_MS = 600_000

export function steadyClock(
  wall: () => number = Date.now,
  steady: () => number = () => performance.now(),
): SteadyClock {
  let offset = wall() - steady()
  let doubted: number | null = null
  const ms = (): number => Math.floor(steady() + offset)
  return {
    ms,
    now: () => new Date(ms()).toISOString(),
    time: {
      now: steady,
      date: ms,
      after: (wait, act) => {
        const timer = setTimeout(act, wait)
        return () => clearTimeout(timer)
      },
    },
    heed: (date) => {
      const theirs = Date.parse(date ?? '')
      if (Number.isNaN(theirs)) return
      const told = theirs - steady()
      const isSure = doubted !== null && Math.abs(told - doubted) <= TOLERANCE_MS
      const isLeap = Math.abs(told - offset) > LEAP_MS
      doubted = isLeap && !isSure ? told : null
      if (Math.abs(theirs - ms()) > TOLERANCE_MS && (!isLeap || isSure)) offset = told
    },
    skewSeconds: () => (wall() - ms()) / 1_000,
  }
}
