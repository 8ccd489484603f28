// Whether what stands in front of a Postgres server leaves each connection its session. A pooler that hands out the sessions of the
// server per transaction breaks every lock of ours without a word: two processes would hold the same one.
import { Client } from 'pg'
import { z } from 'zod'
import { awayOr } from '../away.ts'
import { connectionTo, sessionStatement } from './postgres.ts'
import { StoreUnusable } from '../unusable.ts'

const sessions = z.tuple([z.object({ id: z.int() })])

/** Who hands them out anew each time does so from the front, from the back or by chance: one of these shows it most likely. */
const turns = ['one', 'one', 'other', 'one', 'other', 'other', 'one'] as const

export async function refuseSharedSessions(url: string): Promise<void> {
  const clients = { one: new Client(connectionTo(url)), other: new Client(connectionTo(url)) }
  const all = Object.values(clients)
  // A connection that breaks fails what was asked of it as well.
  for (const client of all) client.on('error', () => {})
  try {
    for (const client of all) {
      await client.connect()
      await client.query(sessionStatement())
    }
    const seen = { one: new Set<number>(), other: new Set<number>() }
    for (const turn of turns) {
      const [{ id }] = sessions.parse((await clients[turn].query('select pg_backend_pid() as id')).rows)
      seen[turn].add(id)
    }
    const { one, other } = seen
    const areTheirOwn = one.size === 1 && other.size === 1 && new Set([...one, ...other]).size === 2
    if (!areTheirOwn) throw new StoreUnusable(words)
  } catch (error) {
    throw awayOr(error)
  } finally {
    // A server that does not answer does not say goodbye either, so nobody waits for that.
    for (const client of all) client.end().catch(() => {})
  }
}

const words = `DATABASE_URL leads to a pooler that gives each transaction another session of the server. The App keeps its processes apart
by locks of a session, so what it shows could be wrong. Name the server itself, or let the pooler keep sessions (pool_mode = session).`
