// The event store in a directory of its own, without a server: PGlite, locked for this process before it is opened.
// What is acknowledged is on the disk. The directory holds `lock` and `data`; a directory that was being set up when the
// process died is set up again, and nothing else is ever taken for new.
import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import type { Store } from '../../../ports.ts'
import { awayOr, DatabaseAway, isAway } from '../away.ts'
import { closeHome } from './closed.ts'
import { syncAll } from './durability.ts'
import { livingPglite, makeSureOfRoom, newRoomBytes, noRoom, type Living } from './living.ts'
import { StoreLocked, lockDirectory } from './lock.ts'
import { migrate } from '../migrations.ts'
import type { Row, Sql } from '../sql.ts'
import { sqlStore } from '../sql-store.ts'
import { StoreUnusable } from '../unusable.ts'
import { contentOf } from './whole.ts'
import { wordsOf } from '../../../core/error-words.ts'

export type Embedded = {
  /** For who brings several statements at once. */
  readonly db: Pick<Living, 'query' | 'exec'>
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
  try {
    if (contentOf(home) === 'nothing') await setUp(home)
    const living = await livingPglite(home)
    return { db: living, sql: sqlOf(living, release), flush: living.flush }
  } catch (error) {
    release()
    if (isAway(error) || error instanceof StoreUnusable) throw error
    throw new StoreUnusable(`The store in ${home} could not be opened (${wordsOf(error)}).`, { cause: error })
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
    if (isAway(awayOr(error))) throw new DatabaseAway(noRoom(directory, wordsOf(error)), { cause: error })
    throw new StoreUnusable(
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
async function setUp(home: string): Promise<void> {
  const unfinished = join(home, 'data.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  await makeSureOfRoom(home, newRoomBytes)
  await promisify(execFile)(process.execPath, [import.meta.filename, unfinished])
  await syncAll(unfinished)
  await rename(unfinished, join(home, 'data'))
}

function sqlOf(living: Living, release: () => void): Sql {
  return {
    query: async (statement, values = []) => (await living.query<Row>(statement, [...values])).rows,
    transaction: (work) =>
      living.transaction((open) =>
        work(async (statement, values = []) => (await open.query<Row>(statement, [...values])).rows),
      ),
    close: async () => {
      try {
        await living.close()
      } finally {
        release()
      }
    },
  }
}

if (import.meta.main) {
  const db = await PGlite.create(process.argv[2] ?? '')
  await db.close()
}
