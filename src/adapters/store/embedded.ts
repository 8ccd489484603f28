// The event store in a directory of its own, without a server: PGlite, locked for this process before it is opened.
// What is acknowledged is on the disk. The directory holds `lock` and `data`; a directory that was being set up when the
// process died is set up again.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { z } from 'zod'
import type { Store } from '../../ports.ts'
import { closeHome, closeTree } from './closed.ts'
import { inGroups, syncAll, syncLog } from './durability.ts'
import { StoreLocked, lockDirectory } from './lock.ts'
import { migrate } from './migrations.ts'
import type { Row, Sql } from './sql.ts'
import { sqlStore } from './sql-store.ts'

export type Embedded = {
  readonly db: PGlite
  readonly sql: Sql
  /** Resolves when everything that was committed before the call is on the disk. Calls share their syncs. */
  readonly flush: () => Promise<void>
}

export async function openEmbedded(directory: string): Promise<Store> {
  const { sql, flush } = await openPglite(directory)
  try {
    await migrate(sql)
    await flush()
  } catch (error) {
    await sql.close()
    throw error
  }
  const store = sqlStore(sql)
  return {
    ...store,
    append: async (stream, expectedVersion, events) => {
      await store.append(stream, expectedVersion, events)
      await flush()
    },
  }
}

/** The database alone, for everything that shares the directory with the events. Its owner closes it. */
export async function openPglite(directory: string): Promise<Embedded> {
  const { home, release } = await claim(directory)
  const data = join(home, 'data')
  try {
    if (!existsSync(data)) await setUp(data)
    const db = await PGlite.create(data)
    closeTree(data)
    await syncAll(home)
    return { db, sql: pgliteSql(db, data, release), flush: flusher(db, data) }
  } catch (error) {
    release()
    throw new Error(
      `The store in ${home} could not be opened (${wordsOf(error)}). If its files are damaged, restore them from a backup.`,
      { cause: error },
    )
  }
}

async function claim(directory: string): Promise<{ home: string; release: () => void }> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const home = realpathSync(directory)
    closeHome(home)
    return { home, release: await lockDirectory(home) }
  } catch (error) {
    if (error instanceof StoreLocked) throw error
    throw new Error(
      `The store cannot use ${directory} as its directory (${wordsOf(error)}). ` +
        'Choose a directory that this process may create and write in.',
      { cause: error },
    )
  }
}

/**
 * Elsewhere first: half a database cannot be opened, and looks like a whole one. By a process of its own, since making
 * one takes a hundred megabytes that whoever runs for months would keep.
 */
async function setUp(data: string): Promise<void> {
  const unfinished = `${data}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await promisify(execFile)(process.execPath, [import.meta.filename, unfinished])
  await syncAll(unfinished)
  await rename(unfinished, data)
}

function pgliteSql(db: PGlite, data: string, release: () => void): Sql {
  return {
    query: async (statement, values = []) => (await db.query<Row>(statement, [...values])).rows,
    transaction: (work) =>
      db.transaction((open) =>
        work(async (statement, values = []) => (await open.query<Row>(statement, [...values])).rows),
      ),
    close: async () => {
      try {
        await db.close()
        await syncAll(data)
      } finally {
        release()
      }
    },
  }
}

const logBytesMax = 64 * 1024 * 1024
const flushesPerLookMax = 100

function flusher(db: PGlite, data: string): () => Promise<void> {
  let flushes = 0
  return inGroups(async () => {
    await syncLog(data)
    flushes += 1
    if (flushes % flushesPerLookMax !== 0 || (await logBytes(db)) < logBytesMax) return
    await db.query('checkpoint')
    await syncAll(data)
  })
}

async function logBytes(db: PGlite): Promise<number> {
  const { rows } = await db.query(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
  )
  return z.tuple([z.object({ bytes: z.number() })]).parse(rows)[0].bytes
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

if (import.meta.main) {
  const db = await PGlite.create(process.argv[2] ?? '')
  await db.close()
}
