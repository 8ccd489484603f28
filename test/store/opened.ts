// Opens each kind of store for the tests, with a way to change what it stored behind its back.
import { randomUUID } from 'node:crypto'
import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openPglite } from '../../src/adapters/store/embedded/embedded.ts'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { openPool } from '../../src/adapters/store/postgres/postgres.ts'
import type { Sql } from '../../src/adapters/store/sql.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import { madeStoreIn } from '../made-store.ts'
import type { Opened } from './contract.ts'

export async function openedMemory(): Promise<Opened> {
  const streams = new Map<string, readonly string[]>()
  const store = memoryStore(streams)
  return {
    store,
    tamper: async (stream, change) => void streams.set(stream, change(streams.get(stream) ?? [])),
    close: () => store.close(),
  }
}

export function temporaryDirectory(): { directory: string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-store-'))
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

export async function embeddedSql(): Promise<Sql> {
  const { directory, remove } = temporaryDirectory()
  const { sql } = await openPglite(madeStoreIn(directory))
  return { ...sql, close: () => sql.close().finally(remove) }
}

/** What a server, a database or an account may be set to for the sake of other programs. */
export const setOtherwise = {
  default_transaction_isolation: 'serializable',
  array_nulls: 'off',
  transform_null_equals: 'on',
  standard_conforming_strings: 'off',
  lock_timeout: '1ms',
  timezone: 'Asia/Kathmandu',
  datestyle: 'German',
  bytea_output: 'escape',
}

/** A schema of its own in the database that DATABASE_URL names, which is set otherwise, gone when it is closed. */
export async function postgresSql(url: string): Promise<Sql> {
  const schema = `countersign_${randomUUID().replaceAll('-', '')}`
  const server = openPool(url)
  await server.query(`create schema ${schema}`)
  const sql = openPool(urlWithSchema(url, schema))
  const close = async (): Promise<void> => {
    await sql.close()
    await server.query(`drop schema ${schema} cascade`)
    await server.close()
  }
  return { ...sql, close }
}

function urlWithSchema(url: string, schema: string): string {
  const own = new URL(url)
  const settings = Object.entries({ search_path: schema, ...setOtherwise })
  own.searchParams.set('options', settings.map(([setting, value]) => `-c ${setting}=${value}`).join(' '))
  return own.href
}

/** The embedded one, and a server where there is one, both empty and as wide as they are now; closed behind the tests of the file. */
export async function everySql(): Promise<Readonly<Record<string, Sql>>> {
  const url = process.env['DATABASE_URL']
  const databases = { PGlite: await embeddedSql(), ...(url === undefined ? {} : { Postgres: await postgresSql(url) }) }
  for (const sql of Object.values(databases)) await migrate(sql)
  afterAll(async () => {
    for (const sql of Object.values(databases)) await sql.close()
  })
  return databases
}

export async function openedSql(sql: Sql): Promise<Opened> {
  await migrate(sql)
  const store = sqlStore(sql)
  return {
    store,
    tamper: (stream, change) => tamper(sql, stream, change),
    close: () => store.close(),
  }
}

/** Puts other texts in the place of those of a stream, as somebody does who owns the database. */
export async function tamper(
  sql: Sql,
  stream: string,
  change: (bodies: readonly string[]) => readonly string[],
): Promise<void> {
  const before = await sqlStore(sql).readRaw(stream)
  await sql.transaction(async (query) => {
    await query('delete from event where stream = $1', [stream])
    for (const body of change(before.map((one) => JSON.stringify(one))))
      await query(
        `insert into event (stream, version, id, type, at, hash, body)
         select $2, version, id, type, at, hash, $1::json
         from json_to_record($1::json) as r (version integer, id text, type text, at text, hash text)`,
        [body, stream],
      )
  })
}
