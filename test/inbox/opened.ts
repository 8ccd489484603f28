// Opens the databases that the inbox's tests run on: PGlite in a directory of its own, and a database of its own on the
// server that DATABASE_URL names.
import { randomUUID } from 'node:crypto'
import { type InboxDatabase, inPglite, inPostgres } from '../../src/adapters/inbox/database.ts'
import { openPglite } from '../../src/adapters/store/embedded.ts'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { openPool } from '../../src/adapters/store/postgres.ts'

export async function openDatabase(place: string): Promise<InboxDatabase & { readonly close: () => Promise<void> }> {
  const embedded = place.startsWith('postgres') ? null : await openPglite(place)
  const sql = embedded?.sql ?? openPool(place)
  await migrate(sql)
  return { ...(embedded === null ? inPostgres(sql, place) : inPglite(embedded)), close: () => sql.close() }
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
