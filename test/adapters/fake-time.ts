// A clock that stands still until a test moves it.
import type { Time } from '../../src/adapters/github/traffic/time.ts'

export type FakeTime = Time & {
  /** Lets the time pass, timer by timer, with everything that follows from each. */
  readonly advance: (ms: number) => Promise<void>
}

export function fakeTime(start = Date.parse('2026-11-20T10:00:00Z')): FakeTime {
  const timers = new Map<number, { readonly at: number; readonly act: () => void }>()
  let now = start
  let lastId = 0
  const advance = async (ms: number): Promise<void> => {
    const end = now + ms
    for (;;) {
      await settled()
      const [next] = [...timers].sort(([, one], [, other]) => one.at - other.at)
      if (next === undefined || next[1].at > end) break
      timers.delete(next[0])
      now = Math.max(now, next[1].at)
      next[1].act()
    }
    now = end
  }
  const after = (ms: number, act: () => void): (() => void) => {
    lastId += 1
    const id = lastId
    timers.set(id, { at: now + ms, act })
    return () => timers.delete(id)
  }
  return { now: () => now, date: () => now, after, advance }
}

/** Until every promise that can go on has gone on. */
const settled = (): Promise<void> => new Promise((done) => setImmediate(done))
