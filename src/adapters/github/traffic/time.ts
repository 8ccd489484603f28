// The time by which requests are paced. It is passed in, so that an hour of pacing is tested in a millisecond.

export type Time = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Acts later; the function it returns calls that off. */
  readonly after: (ms: number, act: () => void) => () => void
}

export const realTime: Time = {
  now: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}
