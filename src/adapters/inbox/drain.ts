// Works off one line, from a wake to the moment that nothing is left of it. That nothing is left and that the wake ends
// are one transaction: a delivery that arrives later finds no wake and brings its own.
import type { PgBoss } from 'pg-boss'
import type { InboxDatabase, RetryOptions } from './database.ts'
import { grouped } from '../together/grouped.ts'
import type { InboxHandlers } from './inbox.ts'
import {
  type Place,
  type Taking,
  type Waiting,
  type Wanted,
  lockLines,
  markDead,
  moveOn,
  readWaiting,
  takeUp,
} from './lines.ts'
import { asError } from './one-at-a-time.ts'
import { RetryLater } from './retry-later.ts'
import { type Wake, endWakes, insertWakes, renewWake } from './wakes.ts'

export type DrainOptions = RetryOptions & {
  readonly onError: (error: Error) => void
  /** A fresh wake was left behind. */
  readonly onRenewed: () => void
}

const togetherMax = 100
/** After so many calls other lines get their turn. */
const callsMax = 100
const linesMax = 100

/** What it returns rejects when the wake shall come back after pg-boss's growing delay. */
export function lineDrain(
  { sql, lanes, alone }: InboxDatabase,
  boss: PgBoss,
  { deliveries: handle, buried }: Pick<InboxHandlers, 'deliveries' | 'buried'>,
  options: DrainOptions,
): (wake: Wake, signal: AbortSignal) => Promise<void> {
  const limits = { lanesMax: lanes, itemsMax: linesMax }
  const needOrder = (held: readonly Wake[]): boolean => !alone && held.length > 1
  const takes = grouped(async (taking: readonly (Wake & Taking)[]) => {
    if (!needOrder(taking)) return takeUp(sql.query, taking)
    return sql.transaction(async (query) => {
      await lockLines(query, taking)
      return takeUp(query, taking)
    })
  }, limits)
  const reads = grouped((wanted: readonly Wanted[]) => readWaiting(sql.query, wanted), limits)
  const moves = grouped(
    (steps: readonly Step[]) =>
      sql.transaction(async (query) => {
        if (needOrder(steps)) await lockLines(query, steps)
        const places = await moveOn(query, steps)
        const ended = steps.filter((_, index) => isAtEnd(places[index]))
        await endWakes(
          boss,
          query,
          ended.map(({ wake }) => wake),
        )
        return places
      }),
    limits,
  )

  const giveUp = async (wake: Wake, first: Waiting, error: string): Promise<void> => {
    await bury(sql, boss, wake, first, error)
    await buried?.(wake.key, first, error).catch((trouble: unknown) => options.onError(asError(trouble)))
  }
  return async (wake, signal) => {
    let { tries } = wake
    const limit = (): number => (tries === 0 ? togetherMax : 1)
    const taken = await takes.add({ ...wake, limit: limit() })
    if (taken === null) return endWakes(boss, sql.query, [wake])
    let place: Place | null = taken.place
    for (let calls = 0; calls < callsMax; calls += 1) {
      const withIt = calls === 0 ? taken.waiting : []
      const waiting = withIt.length > 0 ? withIt : await reads.add({ key: wake.key, place, limit: limit() })
      const [first] = waiting
      if (first !== undefined && tries > options.triesMax) {
        await giveUp(wake, first, diedTrying)
        return options.onRenewed()
      }
      try {
        if (first !== undefined) await handle(wake.key, waiting, signal)
      } catch (error) {
        await afterFailure(
          sql,
          boss,
          wake,
          { error: asError(error), waiting, tries, calls, signal },
          { ...options, giveUp },
        )
        return options.onRenewed()
      }
      place = await moves.add({ ...wake, wake, done: waiting.at(-1)?.seq ?? place.last })
      if (place === null || isAtEnd(place)) return
      // The next delivery has not failed yet; but it is the next suspect, so it stays alone.
      tries = Math.min(tries, 1)
    }
    await sql.transaction((query) => renewWake(boss, query, wake, { tries, seconds: 0 }))
    options.onRenewed()
  }
}

type Step = Wake & { readonly wake: Wake; readonly done: number }

const isAtEnd = (place: Place | null | undefined): boolean =>
  place !== null && place !== undefined && place.done === place.last

type GiveUp = (wake: Wake, first: Waiting, error: string) => Promise<void>
type Failure = {
  readonly error: Error
  readonly waiting: readonly Waiting[]
  readonly tries: number
  readonly calls: number
  readonly signal: AbortSignal
}

async function afterFailure(
  sql: InboxDatabase['sql'],
  boss: PgBoss,
  wake: Wake,
  { error, waiting, tries, calls, signal }: Failure,
  { triesMax, retryDelaySeconds, onError, giveUp }: DrainOptions & { readonly giveUp: GiveUp },
): Promise<void> {
  const renew = (tries: number, seconds: number) =>
    sql.transaction((query) => renewWake(boss, query, wake, { tries, seconds }))
  if (error instanceof RetryLater) return renew(tries, error.seconds)
  if (signal.aborted) return renew(tries, 0)
  const [first] = waiting
  if (first !== undefined && waiting.length === 1 && tries >= triesMax) {
    onError(new Error(`Delivery ${first.guid} of ${wake.key} is given up after ${tries} tries`, { cause: error }))
    return giveUp(wake, first, error.message)
  }
  const failure = new Error(`${wake.key} could not be handled and is tried again: ${error.message}`, { cause: error })
  if (calls === 0) throw failure
  onError(failure)
  // Others were handled since the wake was fetched; its count of tries is not about this delivery.
  await renew(tries + 1, retryDelaySeconds)
}

const diedTrying = 'The process ended each time while this was handled.'

const bury = (sql: InboxDatabase['sql'], boss: PgBoss, wake: Wake, { seq }: Waiting, error: string): Promise<void> =>
  sql.transaction(async (query) => {
    const [place = null] = await moveOn(query, [{ ...wake, done: seq }])
    if (place === null) return
    await markDead(query, wake.key, seq, error)
    await endWakes(boss, query, [wake])
    if (!isAtEnd(place)) await insertWakes(boss, query, [wake.key])
  })
