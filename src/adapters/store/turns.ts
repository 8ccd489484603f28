// Work that goes one at a time although several processes share the database: whoever works holds an advisory lock of
// that name. One connection of ours holds all of them, so a process that dies or is cut off lets go of everything at
// once; the events that it still writes are then refused where somebody else was faster.
// https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { awayOr } from './away.ts'
import { connectionTo, sessionStatement } from './postgres.ts'

export type Turns = {
  /** Does the work once nobody else is at work under this name. */
  readonly take: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Whether this process has a name to itself, from now on until it ends or loses its connection. Nobody is waited for. */
  readonly hold: (name: string) => Promise<boolean>
  readonly close: () => Promise<void>
}

const waitMsMax = 60_000
const pauseMsMin = 20
const pauseMsMax = 500
const closeMsMax = 2_000

const row = z.array(z.object({ done: z.boolean() }))
/** Any number will do that keeps these locks apart from others in the same database. */
const seed = 20_261_121

export function postgresTurns(url: string): Turns {
  let connected: Promise<Client> | null = null

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

  async function ask(client: Client, what: 'pg_try_advisory_lock' | 'pg_advisory_unlock', name: string) {
    try {
      const { rows } = await client.query(`select ${what}(hashtextextended($1, ${seed})) as done`, [name])
      return row.parse(rows)[0]?.done === true
    } catch (error) {
      // Whether it was locked is not known, and a silent server may do it later: with the connection it is undone.
      connected = null
      void client.end().catch(() => {})
      throw error
    }
  }

  async function taken(name: string): Promise<Client> {
    const deadline = performance.now() + waitMsMax
    for (let wait = pauseMsMin; ; wait = Math.min(wait * 2, pauseMsMax)) {
      const client = await connection()
      if (await ask(client, 'pg_try_advisory_lock', name)) return client
      if (performance.now() > deadline) {
        throw new Error(`Another process has been at work on ${name} for ${waitMsMax / 1_000} seconds; try again later`)
      }
      await pause(wait)
    }
  }

  return {
    take: async (name, work) => {
      const client = await taken(name).catch((error: unknown) => {
        throw awayOr(error)
      })
      try {
        return await work()
      } finally {
        // With its connection the lock is gone as well.
        await ask(client, 'pg_advisory_unlock', name).catch(() => false)
      }
    },
    hold: async (name) => {
      const client = await connection()
      // Asked each time, so that a connection that is gone is noticed; having it twice is having it.
      return ask(client, 'pg_try_advisory_lock', `held ${name}`)
    },
    close: async () => {
      const client = await connected?.catch(() => null)
      // A server that does not answer does not say goodbye either.
      await Promise.race([client?.end(), pause(closeMsMax, undefined, { ref: false })])
    },
  }
}
