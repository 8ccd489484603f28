// Work on a schedule, one at a time, and before its time where somebody asks or where it failed; neither costs more often than it
// may.

export type Regularly = {
  /** Something may have been missed just now. */
  readonly soon: () => void
  readonly stop: () => void
}

/** After so many failures in a row: at first it is weather, and then it is what it is. */
export const dueMs = (failures: number, everyMs: number, apartMs: number): number =>
  failures === 0 ? everyMs : Math.min(apartMs * 2 ** (failures - 1), everyMs)

/** Begins at once. `apartMs` lies between a beginning and one that is asked for. The work says whether it went well. */
export function regularly(work: () => Promise<boolean>, everyMs: number, apartMs: number): Regularly {
  let running = false
  let began = 0
  let failures = 0
  let early: NodeJS.Timeout | undefined
  const begin = async (): Promise<void> => {
    if (running) return
    running = true
    began = performance.now()
    failures = (await work()) ? 0 : failures + 1
    running = false
    if (failures > 0) early ??= setTimeout(earlier, dueMs(failures, everyMs, apartMs))
  }
  const earlier = (): void => {
    // The one that is running may be past what was missed.
    early = running ? setTimeout(earlier, apartMs) : undefined
    if (early === undefined) void begin()
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
      early = undefined
    },
  }
}
