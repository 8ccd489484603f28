// The database of the App: events and inbox share one, embedded in a directory or on a Postgres server.
import { openPglite } from '../../adapters/store/embedded.ts'
import { inPglite, inPostgres, type InboxDatabase } from '../../adapters/inbox/database.ts'
import { migrate } from '../../adapters/store/migrations.ts'
import { openPool } from '../../adapters/store/postgres.ts'
import { sqlStore } from '../../adapters/store/sql-store.ts'
import type { Store } from '../../ports.ts'

export type Database = {
  readonly store: Store
  readonly alone: boolean
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
    alone: true,
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
  return { alone: false, store: sqlStore(sql), inbox: inPostgres(sql, url), close: () => sql.close() }
}
