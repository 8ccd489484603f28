// An inbox on a real database whose handlers do as the test says, and that remembers what they were called with.
import {
  type Arrival,
  type Delivery,
  type Inbox,
  type InboxOptions,
  openInbox,
} from '../../src/adapters/inbox/inbox.ts'
import type { Query, Sql } from '../../src/adapters/inbox/database.ts'
import { DatabaseAway } from '../../src/adapters/store/away.ts'
import { openDatabase } from './opened.ts'

export type Call = { readonly key: string; readonly bodies: readonly unknown[] }

/** Gets the deliveries, the number of calls before, and the signal. */
type Act = (deliveries: readonly Delivery[], calls: number, signal: AbortSignal) => unknown

export type Rig = {
  readonly inbox: Inbox
  readonly sql: Sql
  /** What happens to the deliveries of a key from now on; they are received without further ado where nothing was said. */
  readonly whenHandling: (key: string, act: Act) => void
  readonly whenAsked: (key: string, act: (payload: unknown, signal: AbortSignal) => Promise<Arrival | null>) => void
  readonly calls: (key: string) => readonly Call[]
  /** The bodies of a key that were handled to the end, in the order in which that happened. */
  readonly handled: (key: string) => readonly unknown[]
  readonly ingest: (key: string, body: unknown, guid?: string) => Promise<void>
  /** So many of the inbox's next transactions fail as they do in the weather of a database. */
  readonly blow: (transactions: number) => void
  /** Whether the database fails whoever sorts what is set aside. */
  readonly keepAside: (keeps: boolean) => void
  readonly close: () => Promise<void>
}

export const triesMax = 3

const HOUR_SECONDS = 3_600

export async function openRig(
  place: string,
  now: () => Date = () => new Date(),
  { anewSeconds = HOUR_SECONDS, stormFrom = Infinity }: Pick<InboxOptions, 'anewSeconds' | 'stormFrom'> = {},
): Promise<Rig> {
  const database = await openDatabase(place)
  const acts = new Map<string, Act>()
  const answers = new Map<string, (payload: unknown, signal: AbortSignal) => Promise<Arrival | null>>()
  const calls = new Map<string, Call[]>()
  const handled = new Map<string, unknown[]>()
  let guids = 0
  let gusts = 0
  let keepsAside = false
  const { sql } = database
  const weathered: Sql = {
    query: sql.query,
    transaction: async (work) => {
      if (gusts === 0) return sql.transaction((query) => work(keepsAside ? notSorting(query) : query))
      gusts -= 1
      throw new DatabaseAway('the connection was cut')
    },
  }
  const inbox = await openInbox(
    { ...database, sql: weathered },
    {
      deliveries: async (key, deliveries, signal) => {
        const bodies = deliveries.map(({ body }) => body)
        const before = calls.get(key) ?? []
        calls.set(key, [...before, { key, bodies }])
        await acts.get(key)?.(deliveries, before.length, signal)
        handled.set(key, [...(handled.get(key) ?? []), ...bodies])
      },
      ask: async (key, payload, signal) => (await answers.get(key)?.(payload, signal)) ?? null,
    },
    {
      clock: { now: () => now().toISOString() },
      onError: () => {},
      triesMax,
      retryDelaySeconds: 0,
      anewSeconds,
      stormFrom,
    },
  )
  return {
    inbox,
    sql,
    blow: (transactions) => void (gusts = transactions),
    keepAside: (keeps) => void (keepsAside = keeps),
    whenHandling: (key, act) => void acts.set(key, act),
    whenAsked: (key, act) => void answers.set(key, act),
    calls: (key) => calls.get(key) ?? [],
    handled: (key) => handled.get(key) ?? [],
    ingest: (key, body, guid = `guid ${(guids += 1)}`) => inbox.ingest({ guid, key, body }),
    close: async () => {
      await inbox.stop()
      await database.close()
    },
  }
}

const notSorting =
  (query: Query): Query =>
  (statement, values) => {
    if (statement.includes('delete from set_aside')) throw new DatabaseAway('the connection was cut')
    return query(statement, values)
  }
