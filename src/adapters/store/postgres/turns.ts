// Work that goes one at a time although several processes share the database: whoever works holds an advisory lock of
// that name. One connection of ours holds all of them, so a process that dies or is cut off lets go of everything at
// once; the events that it still writes are then refused where somebody else was faster. A process that stands still keeps
// its connection, so whoever works says so every few seconds, and whoever waits ends the connection of one that does not.
// https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { BusyElsewhere } from '../../../ports.ts'
import { awayOr } from '../away.ts'
import { grouped } from '../../together/grouped.ts'
import { connectionTo, sessionStatement } from './postgres.ts'

export type Turns = {
  /** Does the work once nobody else is at work under this name. */
  readonly take: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Whether what was taken under this name was not lost meanwhile, asked of the server. */
  readonly holds: (name: string) => Promise<boolean>
  /** Whether this process has a name to itself, from now on until it ends or loses its connection. Nobody is waited for. */
  readonly lead: (name: string) => Promise<boolean>
  readonly close: () => Promise<void>
}
type Patience = { readonly beatMs?: number; readonly silentMsMax?: number }

const waitMsMax = 60_000
const pauseMsMin = 20
const pauseMsMax = 500
const closeMsMax = 2_000

const usualBeatMs = 3_000
const usualSilentMsMax = 12_000
/** How often a waiter looks whether the holder is there. */
const looksApart = 4

const rows = z.array(z.object({ name: z.string(), done: z.boolean() }))
const togetherMax = 100
/** Any number will do that keeps these locks apart from others in the same database. */
const seed = 20_261_121

/** Ends the session that holds the lock, where nothing was heard of it for so long. It is of our own account. */
const endSilent = `
  select pg_terminate_backend(pid) as done from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32) | objid::bigint = hashtextextended($1, ${seed})
    and state = 'idle' and state_change < clock_timestamp() - $2 * interval '1 millisecond'`

type Asked = { readonly client: Client; readonly name: string }

const isAlive = (client: Client): Promise<boolean> =>
  client.query('select 1').then(
    () => true,
    () => false,
  )

export function postgresTurns(
  url: string,
  { beatMs = usualBeatMs, silentMsMax = usualSilentMsMax }: Patience = {},
): Turns {
  let connected: Promise<Client> | null = null
  const held = new Map<string, Client>()
  const beat = setInterval(() => {
    for (const client of new Set(held.values())) client.query('select 1').catch(() => {})
  }, beatMs)
  beat.unref()

  function connection(): Promise<Client> {
    if (connected !== null) return connected
    const client = new Client(connectionTo(url))
    const opened = client
      .connect()
      .then(() => client.query(sessionStatement()))
      .then(() => client)
    connected = opened
    const lost = (): void => {
      if (connected === opened) connected = null
    }
    client.on('error', lost)
    client.on('end', lost)
    opened.catch(() => {
      lost()
      void client.end().catch(lost)
    })
    return opened
  }

  /** Many turns begin and end at once, and there is one connection for them. */
  const askedTogether = (what: 'pg_try_advisory_lock' | 'pg_advisory_unlock') =>
    grouped(
      async (asked: readonly Asked[]) => {
        const done = new Map<Client, ReadonlySet<string>>()
        for (const [client, some] of Map.groupBy(asked, (one) => one.client))
          done.set(
            client,
            await askFor(
              client,
              what,
              some.map(({ name }) => name),
            ),
          )
        return asked.map(({ client, name }) => done.get(client)?.has(name) === true)
      },
      { lanesMax: 1, itemsMax: togetherMax },
    )
  const locking = askedTogether('pg_try_advisory_lock')
  const unlocking = askedTogether('pg_advisory_unlock')

  async function askFor(client: Client, what: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      const asked = await client.query(
        `select name, ${what}(hashtextextended(name, ${seed})) as done from unnest($1::text[]) as asked (name)`,
        [names],
      )
      return new Set(rows.parse(asked.rows).flatMap(({ name, done }) => (done ? [name] : [])))
    } catch (error) {
      // Whether it was locked is not known, and a silent server may do it later: with the connection it is undone.
      connected = null
      void client.end().catch(() => {})
      throw error
    }
  }

  const living = grouped(
    async (clients: readonly Client[]) => {
      const lives = new Map<Client, Promise<boolean>>()
      for (const client of new Set(clients)) lives.set(client, isAlive(client))
      return Promise.all(clients.map(async (client) => (await lives.get(client)) === true))
    },
    { lanesMax: 1, itemsMax: togetherMax },
  )

  async function taken(name: string): Promise<Client> {
    const began = performance.now()
    let looked = began
    for (let wait = pauseMsMin; ; wait = Math.min(wait * 2, pauseMsMax)) {
      const client = await connection()
      if (await locking.add({ client, name })) return client
      const now = performance.now()
      if (now > began + waitMsMax) {
        const seconds = waitMsMax / 1_000
        throw new BusyElsewhere(`Another process has been at work on ${name} for ${seconds} seconds`)
      }
      if (now > looked + silentMsMax / looksApart) {
        looked = now
        await client.query(endSilent, [name, silentMsMax])
      }
      await pause(wait)
    }
  }

  return {
    take: async (name, work) => {
      const client = await taken(name).catch((error: unknown) => {
        throw awayOr(error)
      })
      held.set(name, client)
      try {
        return await work()
      } finally {
        held.delete(name)
        // With its connection the lock is gone as well.
        await unlocking.add({ client, name }).catch(() => false)
      }
    },
    holds: async (name) => {
      const client = held.get(name)
      if (client === undefined || client !== (await connected?.catch(() => null))) return false
      return living.add(client)
    },
    lead: async (name) => {
      const client = await connection()
      const own = `held ${name}`
      // Asked each time, so that a connection that is gone is noticed; having it twice is having it.
      const isOurs = await locking.add({ client, name: own })
      if (isOurs) held.set(own, client)
      else {
        held.delete(own)
        await client.query(endSilent, [own, silentMsMax])
      }
      return isOurs
    },
    close: async () => {
      clearInterval(beat)
      const client = await connected?.catch(() => null)
      // A server that does not answer does not say goodbye either.
      await Promise.race([client?.end(), pause(closeMsMax, undefined, { ref: false })])
    },
  }
}
