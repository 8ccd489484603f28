// How long the loop of this process keeps everybody waiting: webhooks, health and every repository share it.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** Nobody is to wait longer for whatever one text makes us do. */
export const BLOCKED_MS_MAX = 50

const LOOK_MS = 20
const SPAN_MS = 60_000

export type LoopFigures = {
  /** The longest that anything waited in the last minute or two, whatever the machine was busy with. */
  readonly delaySecondsMax: number
  /** The longest that this process computed without a pause in that time. */
  readonly busySecondsMax: number
  /** How often that was longer than it may be. */
  readonly blocked: number
}
export type LoopWatch = { readonly figures: () => LoopFigures; readonly stop: () => void }

export function watchedLoop(): LoopWatch {
  const delay = monitorEventLoopDelay({ resolution: LOOK_MS })
  delay.enable()
  let before = { delay: 0, busy: 0 }
  let busy = 0
  let blocked = 0
  let since = performance.now()
  let computed = cpuMs()
  const look = (): void => {
    const now = cpuMs()
    // What was computed since the last look, as far as it kept a timer from being on time.
    const stretch = now - computed
    computed = now
    if (stretch > BLOCKED_MS_MAX) blocked += 1
    busy = Math.max(busy, stretch)
    if (performance.now() - since < SPAN_MS) return
    since = performance.now()
    before = { delay: delay.max, busy }
    busy = 0
    delay.reset()
  }
  const timer = setInterval(look, LOOK_MS).unref()
  return {
    figures: () => ({
      delaySecondsMax: Math.max(before.delay, delay.max) / 1e9,
      busySecondsMax: Math.max(before.busy, busy) / 1000,
      blocked,
    }),
    stop: () => {
      clearInterval(timer)
      delay.disable()
    },
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
