// Opens the databases that the inbox's tests run on: PGlite in a directory of its own, and a database of its own on the
// server that DATABASE_URL names.
import { randomUUID } from 'node:crypto'
import { type InboxDatabase, inPglite, inPostgres } from '../../src/adapters/inbox/database.ts'
import { openPglite } from '../../src/adapters/store/embedded.ts'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { openPool } from '../../src/adapters/store/postgres.ts'

export async function openDatabase(place: string): Promise<InboxDatabase & { readonly close: () => Promise<void> }> {
  if (place.startsWith('postgres')) {
    const [sql, queues] = [openPool(place), openPool(place, { connectionsMax: 4 })]
    await migrate(sql)
    const close = async (): Promise<void> => void (await Promise.all([sql.close(), queues.close()]))
    return { ...inPostgres(sql, queues), close }
  }
  const embedded = await openPglite(place)
  await migrate(embedded.sql)
  return { ...inPglite(embedded), close: () => embedded.sql.close() }
}

/** The address of a new database, and how to be rid of it. */
export async function newPostgres(url: string): Promise<{ place: string; remove: () => Promise<void> }> {
  const name = `inbox_${randomUUID().replaceAll('-', '')}`
  const server = openPool(url)
  await server.query(`create database ${name}`)
  const own = new URL(url)
  own.pathname = name
  const remove = async (): Promise<void> => {
    await server.query(`drop database ${name} with (force)`)
    await server.close()
  }
  return { place: own.href, remove }
}
