// The time by which requests are paced. It is passed in, so that an hour of pacing is tested in a millisecond. What passes is
// counted by a clock that nobody sets, or a pause that was begun by a wrong date would last until that date comes.

export type Time = {
  /** How many milliseconds have passed; since when says nothing. */
  readonly now: () => number
  /** Milliseconds since 1970, as far as they are known by now. */
  readonly date: () => number
  /** Acts later; the function it returns calls that off. */
  readonly after: (ms: number, act: () => void) => () => void
}

export const realTime: Time = {
  now: () => performance.now(),
  date: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}
