// Work on a schedule, one at a time, and before its time where somebody asks; who asks again and again is not heard more
// often than it may cost.

export type Regularly = {
  /** Something may have been missed just now. */
  readonly soon: () => void
  readonly stop: () => void
}

/** Begins at once. `apartMs` lies between a beginning and one that is asked for. */
export function regularly(work: () => Promise<void>, everyMs: number, apartMs: number): Regularly {
  let running = false
  let began = 0
  let early: NodeJS.Timeout | undefined
  const begin = async (): Promise<void> => {
    if (running) return
    running = true
    began = performance.now()
    await work()
    running = false
  }
  const earlier = (): void => {
    // The one that is running may be past what was missed.
    if (running) early = setTimeout(earlier, apartMs)
    else void begin()
  }
  void begin()
  const timer = setInterval(() => void begin(), everyMs)
  return {
    soon: () => {
      clearTimeout(early)
      early = setTimeout(earlier, Math.max(0, began + apartMs - performance.now()))
    },
    stop: () => {
      clearInterval(timer)
      clearTimeout(early)
    },
  }
}
