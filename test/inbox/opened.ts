// Opens the databases that the inbox's tests run on: PGlite in a directory of its own, and a database of its own on the
// server that DATABASE_URL names.
import { randomUUID } from 'node:crypto'
import { type InboxDatabase, inPglite, inPostgres } from '../../src/adapters/inbox/database.ts'
import { isAway } from '../../src/adapters/store/away.ts'
import { openPglite } from '../../src/adapters/store/embedded/embedded.ts'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { openPool } from '../../src/adapters/store/postgres/postgres.ts'

export async function openDatabase(place: string): Promise<InboxDatabase & { readonly close: () => Promise<void> }> {
  if (place.startsWith('postgres')) {
    const [sql, queues] = [openPool(place), openPool(place, { connectionsMax: 4 })]
    await migrate(sql)
    const close = async (): Promise<void> => void (await Promise.all([sql.close(), queues.close()]))
    return { ...inPostgres(sql, { ...queues, isAway }), close }
  }
  const embedded = await openPglite(place)
  await migrate(embedded.sql)
  return { ...inPglite({ ...embedded, isAway }), close: () => embedded.sql.close() }
}

export type NewDatabase = { readonly name: string; readonly place: string; readonly remove: () => Promise<void> }

/**
 * A new database on a server, which may begin as a copy of another: its address, and how to be rid of it and of its copies.
 * A name has room for 63 bytes.
 */
export async function newPostgres(url: string, like: string | null = null): Promise<NewDatabase> {
  const name = `${like ?? 'countersign'}_${randomUUID().slice(0, 18).replaceAll('-', '')}`
  const server = openPool(url, { connectionsMax: 1 })
  await server.query(`create database ${name}${like === null ? '' : ` template ${like}`}`)
  const own = new URL(url)
  own.pathname = name
  const remove = async (): Promise<void> => {
    const all = await server.query('select datname from pg_database where starts_with(datname, $1)', [name])
    for (const { datname } of all) await server.query(`drop database ${String(datname)} with (force)`)
    await server.close()
  }
  return { name, place: own.href, remove }
}
