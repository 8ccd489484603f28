// The database of the App: events and inbox share one, embedded in a directory or on a Postgres server.
import { grouped } from '../../adapters/inbox/grouped.ts'
import { inPglite, inPostgres, type InboxDatabase } from '../../adapters/inbox/database.ts'
import { migrate } from '../../adapters/store/migrations.ts'
import { openPool } from '../../adapters/store/postgres.ts'
import { sqlPresence, type Presence } from '../../adapters/store/presence.ts'
import { sqlSights, type Sights } from '../../adapters/store/sights.ts'
import { postgresTurns } from '../../adapters/store/turns.ts'
import { sqlStore, type SqlStore } from '../../adapters/store/sql-store.ts'
import type { Company } from '../../engine/engine.ts'
import type { Store } from '../../ports.ts'

export type Database = {
  readonly store: Store
  /** Whether no other process can be at work on it, or how to keep apart from those that are. */
  readonly company: Company
  readonly sights: Sights
  readonly presence: Presence
  readonly inbox: InboxDatabase
  readonly close: () => Promise<void>
}

export async function openDatabase(url: string | null, directory: string): Promise<Database> {
  return url === null ? embedded(directory) : server(url)
}

async function embedded(directory: string): Promise<Database> {
  // A whole database is not loaded by whoever has a server.
  const { openPglite } = await import('../../adapters/store/embedded.ts')
  const opened = await openPglite(directory)
  const { sql, flush } = opened
  await migrate(sql)
  const store = findingTogether(sqlStore(sql), 1)
  const sights = sqlSights(sql)
  return {
    company: { alone: true },
    store: {
      ...store,
      append: async (stream, expectedVersion, events) => {
        await store.append(stream, expectedVersion, events)
        await flush()
      },
    },
    sights: {
      ...sights,
      added: async (seen, now) => {
        await sights.added(seen, now)
        await flush()
      },
    },
    presence: sqlPresence(sql),
    inbox: inPglite(opened),
    close: () => sql.close(),
  }
}

async function server(url: string): Promise<Database> {
  const sql = openPool(url)
  await migrate(sql)
  const turns = postgresTurns(url)
  const close = async (): Promise<void> => {
    await turns.close()
    await sql.close()
  }
  const store = findingTogether(sqlStore(sql), findLanes)
  const [sights, presence] = [sqlSights(sql), sqlPresence(sql)]
  return { company: { apart: turns.take }, store, sights, presence, inbox: inPostgres(sql, url), close }
}

const findLanes = 2
const findsMax = 100

/** Many deliveries ask at once what their commit belongs to, and for most it is nothing of ours: they ask as one. */
function findingTogether({ findEach, ...store }: SqlStore, lanesMax: number): Store {
  const finds = grouped(findEach, { lanesMax, itemsMax: findsMax })
  return { ...store, find: finds.add }
}
