// The durable inbox: what arrives is stored before it is acknowledged, then handled in strict order per key and in
// parallel across keys, however often the process dies in between. A delivery may be handled twice, never skipped.
import type { Clock } from '../../ports.ts'
import { grouped } from '../together/grouped.ts'
import { answerAsk, askQueue, forgetAsk, renewAsk, sendAsk } from './asks.ts'
import { startSteadying } from './clock-jumps.ts'
import { type InboxDatabase, failAbandoned, openQueues } from './database.ts'
import { lineDrain } from './drain.ts'
import { ingestion } from './ingestion.ts'
import { countDeliveries, dueToRevive, readDead, revive, waitingOf } from './lines.ts'
import { type Job, startPump } from './pump.ts'
import { startSweeps, sweepLines } from './sweeps.ts'
import { hurryWakes, insertWakes, renewWake, soonerWakes, wakeOf, wakeQueue } from './wakes.ts'

export type Arrival = {
  /** Who brings the same one again is answered the same way, and it is handled once. */
  readonly guid: string
  /** Deliveries of one key are handled in the order of their acknowledgement. */
  readonly key: string
  /** Any JSON. */
  readonly body: unknown
}
export type Delivery = Pick<Arrival, 'guid' | 'body'> & { readonly received_at: string }
export type DeadLetter = Omit<Arrival, 'body'> & { readonly received_at: string; readonly error: string }
export type InboxStatus = {
  readonly waiting: number
  /** Keys that this process is handling right now. */
  readonly active: number
  readonly dead: number
  readonly oldest_waiting_at: string | null
}

export interface Inbox {
  /** Resolves when the delivery is durable. */
  readonly ingest: (arrival: Arrival) => Promise<void>
  /** Durable as well. While a key has an unfinished ask, another one is not taken: the answer is false. */
  readonly later: (key: string, payload: unknown) => Promise<boolean>
  /** Forgets the ask of a key; where it is being worked on, its signal aborts and its answer is dropped. */
  readonly cancel: (key: string) => Promise<void>
  /** Deliveries that were given up, the longest dead first. */
  readonly dead: (limit: number) => Promise<readonly DeadLetter[]>
  /** Puts a dead delivery at the end of its line, as the inbox itself does from time to time; false when there is no such dead delivery. */
  readonly replay: (guid: string) => Promise<boolean>
  readonly status: () => Promise<InboxStatus>
  /** The deliveries of a key that are not done, or were given up. */
  readonly waiting: (key: string) => Promise<readonly string[]>
  /** Tries these keys now, where they wait for their next try. */
  readonly hurry: (keys: readonly string[]) => Promise<void>
  /** Wakes every key that has unfinished deliveries. The inbox does so itself, once a minute. */
  readonly sweep: () => Promise<void>
  /** Takes nothing more, lets what is active end for a while, then aborts it and closes. */
  readonly stop: () => Promise<void>
}

export type InboxHandlers = {
  /** Everything that waits for the key, at most a hundred; after a failure one at a time, so that the culprit is found. */
  readonly deliveries: (key: string, deliveries: readonly Delivery[], signal: AbortSignal) => Promise<void>
  /** It was given up, for now. */
  readonly buried?: (key: string, delivery: Delivery, error: string) => Promise<void>
  /**
   * A slow question. Its answer comes back as a delivery; null when nobody needs it any more. One that fails as often as
   * a delivery may is dropped, so whoever wants to give up in an orderly way answers instead of throwing.
   */
  readonly ask: (key: string, payload: unknown, signal: AbortSignal) => Promise<Arrival | null>
}

export type InboxOptions = {
  readonly clock: Clock
  /** Trouble that no caller sees: a handler that failed, a database that did not answer. All of it is tried again. */
  readonly onError: (error: Error) => void
  /** How many keys are handled at once. */
  readonly slotsMax?: number
  readonly askSlotsMax?: number
  /** How often a delivery is tried before it is dead. */
  readonly triesMax?: number
  /** The wait after a first failure, which doubles with each further one up to a minute. */
  readonly retryDelaySeconds?: number
  /** How long `stop` waits for what is active, before it aborts it and again afterwards. */
  readonly stopMsMax?: number
  /** A repository that brought so many lately has what it brings set aside, and sorted in when the door has a pause. */
  readonly stormFrom?: number
  /** What waits for longer is tried within so many seconds after the start: how the world was is not known any more. */
  readonly anewSeconds?: number
}

const queues = [wakeQueue, askQueue] as const
/** Whoever is first does not take all that several processes could do. */
const sharedBatchMax = 8
const askedTogetherMax = 100
/** At once, of those that were given up. */
const revivedMax = 100

/** The tables are there already; whoever opened the database closes it, after `stop`. */
export async function openInbox(
  database: InboxDatabase,
  handlers: InboxHandlers,
  {
    clock,
    onError,
    slotsMax = 128,
    askSlotsMax = 8,
    triesMax = 3,
    retryDelaySeconds = 1,
    stopMsMax = 10_000,
    anewSeconds = 60,
    stormFrom = 500,
  }: InboxOptions,
): Promise<Inbox> {
  const { sql, flush, isAway } = database
  const retry = { triesMax, retryDelaySeconds }
  const onStored = (): void => wakes.kick()
  const { boss, door } = await openQueues(database, queues, retry, onError, async (begun) => {
    if (database.alone) for (const queue of queues) await failAbandoned(begun, queue)
    await soonerWakes(sql.query, anewSeconds)
    return { boss: begun, door: await ingestion(database, begun, { clock, stormFrom, onStored, onError }) }
  })
  const drain = lineDrain(database, boss, handlers, { ...retry, onError, onRenewed: () => wakes.kick() })
  const wakeAgain = (job: Job): Promise<void> => {
    const wake = wakeOf(job)
    return sql.transaction((query) => renewWake(boss, query, wake, { tries: wake.tries, seconds: retryDelaySeconds }))
  }
  const wakes = startPump(boss, wakeQueue, (job, signal) => drain(wakeOf(job), signal), {
    slotsMax,
    ...(database.alone ? {} : { batchMax: sharedBatchMax }),
    stopMsMax,
    onError,
    isAway,
    putBack: wakeAgain,
    busy: door.busy,
  })
  const undone = grouped((keys: readonly string[]) => waitingOf(sql.query, keys), {
    lanesMax: database.lanes,
    itemsMax: askedTogetherMax,
  })
  const answer = { ask: handlers.ask, ingest: door.ingest }
  const asks = startPump(boss, askQueue, (job, signal) => answerAsk(boss, job, signal, answer), {
    slotsMax: askSlotsMax,
    stopMsMax,
    onError,
    isAway,
    putBack: (job) => sql.transaction((query) => renewAsk(boss, query, job, retryDelaySeconds)),
  })
  const replay: Inbox['replay'] = async (guid) => {
    const key = await sql.transaction(async (query) => {
      const revived = await revive(query, guid)
      if (revived !== null) await insertWakes(boss, query, [revived])
      return revived
    })
    await flush()
    wakes.kick()
    return key !== null
  }
  const sweep = async (): Promise<void> => {
    for (const guid of await dueToRevive(sql.query, revivedMax)) await replay(guid)
    await sweepLines(sql, boss)
    wakes.kick()
  }
  const sweeps = startSweeps(sweep, database, clock, onError)
  const jumps = startSteadying(sql.query, queues, () => wakes.kick(), onError)

  return {
    ingest: door.ingest,
    later: async (key, payload) => {
      const taken = await sendAsk(boss, key, payload)
      await flush()
      asks.kick()
      return taken
    },
    cancel: async (key) => {
      asks.abort(await forgetAsk(boss, key))
      await flush()
    },
    dead: (limit) => readDead(sql.query, limit),
    replay,
    status: async () => ({ ...(await countDeliveries(sql.query)), active: wakes.active() }),
    waiting: undone.add,
    hurry: async (keys) => {
      await hurryWakes(sql.query, keys)
      wakes.kick()
    },
    sweep,
    stop: async () => {
      await Promise.all([sweeps.stop(), jumps.stop()])
      await Promise.all([wakes.stop(), asks.stop()])
      // Last of the three, since what ends may have an answer to bring.
      await door.close()
      await boss.stop({ graceful: false })
    },
  }
}
