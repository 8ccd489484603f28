// Work that many may ask for and that runs once at a time: who asks while it runs is served by one more run after it.
import { setImmediate as nextTurn } from 'node:timers/promises'

export type OneAtATime = {
  readonly run: () => void
  readonly idle: () => Promise<void>
}

export function oneAtATime(work: () => Promise<void>, onError: (error: Error) => void): OneAtATime {
  let current: Promise<void> | null = null
  let again = false
  const runAll = async (): Promise<void> => {
    do {
      // Everything that asks in this turn is served by one run.
      await nextTurn()
      again = false
      await work().catch((error: unknown) => onError(asError(error)))
    } while (again)
    current = null
  }
  return {
    run: () => {
      if (current === null) current = runAll()
      else again = true
    },
    idle: async () => {
      if (current !== null) await current
    },
  }
}

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
