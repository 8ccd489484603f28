// The database of the App: events and inbox share one, embedded in a directory or on a Postgres server.
import { openPglite } from '../../adapters/store/embedded.ts'
import { inPglite, inPostgres, type InboxDatabase } from '../../adapters/inbox/database.ts'
import { migrate } from '../../adapters/store/migrations.ts'
import { openPool } from '../../adapters/store/postgres.ts'
import { postgresTurns } from '../../adapters/store/turns.ts'
import { sqlStore } from '../../adapters/store/sql-store.ts'
import type { Company } from '../../engine/engine.ts'
import type { Store } from '../../ports.ts'

export type Database = {
  readonly store: Store
  /** Whether no other process can be at work on it, or how to keep apart from those that are. */
  readonly company: Company
  readonly inbox: InboxDatabase
  readonly close: () => Promise<void>
}

export async function openDatabase(url: string | null, directory: string): Promise<Database> {
  return url === null ? embedded(directory) : server(url)
}

async function embedded(directory: string): Promise<Database> {
  const opened = await openPglite(directory)
  const { sql, flush } = opened
  await migrate(sql)
  const store = sqlStore(sql)
  return {
    company: { alone: true },
    store: {
      ...store,
      append: async (stream, expectedVersion, events) => {
        await store.append(stream, expectedVersion, events)
        await flush()
      },
    },
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
  return { company: { apart: turns.take }, store: sqlStore(sql), inbox: inPostgres(sql, url), close }
}
