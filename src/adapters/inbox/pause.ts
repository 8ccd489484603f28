// Who can wait lets others go first, and not for ever.
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves as soon as nobody is busy, or when it has waited for as long as it may. */
export async function pauseOf(busy: () => boolean, msMax: number, stepMs: number): Promise<void> {
  const until = performance.now() + msMax
  while (busy() && performance.now() < until) await sleep(stepMs)
}
