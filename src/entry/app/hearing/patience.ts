// What is done while the database has its weather: at the start it is waited for, later it is told, once in a while and in
// words, until it answers again. Nothing that fails for it counts as a failure of what was being done.
import { setTimeout as delay } from 'node:timers/promises'
import { RetryLater } from '../../../adapters/inbox/retry-later.ts'
import { DatabaseAway, isAway } from '../../../adapters/store/away.ts'
import { wordsOf } from '../../../core/error-words.ts'

type Log = Readonly<Record<'info' | 'warn' | 'error', (facts: object, words: string) => void>>

const AGAIN_MS = 3_000
const FIRST_LOOK_MS = 500
const LOOK_MS = 3_000
const LOOK_MS_MAX = 2_000

/** Does it again until the database lets it; whoever is told hears of each time that it does not. */
export async function patiently<Result>(
  log: Log,
  work: () => Promise<Result>,
  told: (error: unknown) => void,
): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error)) throw error
      told(error)
      log.warn({ why: wordsOf(error) }, 'the database does not answer yet; it is waited for')
      await delay(AGAIN_MS)
    }
  }
}

export type Weather = {
  readonly onError: (error: unknown) => void
  /** Null while nothing is known against it. */
  readonly trouble: () => unknown
  readonly stop: () => void
}

/**
 * Tells of trouble. That of the database comes from everywhere at once and stays for a while, so it is told as one, until
 * `probe`, which writes, passes again. Then what was turned away meanwhile is to be asked for.
 */
export function weather(log: Log, probe: () => Promise<unknown>, onClear: () => void = () => undefined): Weather {
  const stopping = new AbortController()
  let trouble: unknown = null
  const watch = async (): Promise<void> => {
    try {
      await look()
    } finally {
      trouble = null
    }
  }
  const look = async (): Promise<void> => {
    const since = performance.now()
    for (let wait = FIRST_LOOK_MS; ; wait = LOOK_MS) {
      await delay(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      if (stopping.signal.aborted) return
      const seconds = Math.round((performance.now() - since) / 1_000)
      try {
        await within(LOOK_MS_MAX, probe())
        log.info({ seconds }, 'the database answers again')
        return onClear()
      } catch (error) {
        trouble = error
        log.warn({ seconds, why: wordsOf(error) }, 'the database does not answer still')
      }
    }
  }
  return {
    onError: (error) => {
      if (!isAway(error)) return log.error({ err: error }, error instanceof Error ? error.message : 'trouble')
      if (trouble !== null || stopping.signal.aborted) return
      trouble = error
      log.warn({ why: wordsOf(error) }, 'the database does not answer; what arrives is turned away until it does')
      void watch()
    },
    trouble: () => trouble,
    stop: () => stopping.abort(),
  }
}

/** Who waits in vain is told, and may come again; what was begun goes on for itself. */
export async function within<Result>(msMax: number, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DatabaseAway(`no answer within ${msMax / 1_000} seconds`)), msMax)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const LATER_SECONDS = 5

/** A delivery that could not be handled for the weather waits, and no try is counted. */
export function laterInBadWeather(error: unknown): never {
  if (error instanceof RetryLater || !isAway(error)) throw error
  throw new RetryLater(LATER_SECONDS, wordsOf(error), { cause: error })
}
