// The embedded database while its directory is ours. When it dies in the middle of a write, for want of room most likely,
// nothing touches it any more, everybody is told to come back later, and it is opened anew from the disk as soon as there
// is room: what was acknowledged is there. Each time the whole directory is synced before anybody is answered, so that what
// a failed sync has left out cannot stay out.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { z } from 'zod'
import { awayOr, DatabaseAway, isAway } from '../away.ts'
import { closeTree } from './closed.ts'
import { inGroups, logOf, syncAll, type Log } from './durability.ts'
import { mortal } from './mortal.ts'
import { neverCollects } from '../sql.ts'
import { StoreUnusable } from '../unusable.ts'
import { contentOf, goneWords, remedyFor } from './whole.ts'
import { wordsOf } from '../../../core/error-words.ts'

export type Living = {
  readonly query: PGlite['query']
  readonly exec: PGlite['exec']
  readonly transaction: <Result>(work: (open: Transaction) => Promise<Result>) => Promise<Result>
  /** Resolves when everything that was committed before the call is on the disk. Calls share their syncs. */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

type Life = { readonly db: PGlite; readonly log: Log; readonly flush: () => Promise<void> }

const againMs = 2_000

export async function livingPglite(home: string): Promise<Living> {
  const closing = new AbortController()
  let life: Life | null = await begin(home, died)
  const closed = new DatabaseAway(`the store in ${home} is closed`)
  let why = closed
  let reviving = Promise.resolve()

  function died(cause: unknown): void {
    life = null
    why = new DatabaseAway(`the store in ${home} ended while it wrote: ${wordsOf(cause)}. ${again}`, { cause })
    if (!closing.signal.aborted) reviving = revive()
  }
  async function revive(): Promise<void> {
    for (;;) {
      await delay(againMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        // PGlite would make a new one.
        if (contentOf(home) === 'nothing') throw new StoreUnusable(goneWords(home))
        life = await begin(home, died)
        return
      } catch (error) {
        why = new DatabaseAway(wordsOf(error), { cause: error })
      }
    }
  }
  async function use<Result>(work: (life: Life) => Promise<Result>): Promise<Result> {
    const used = life
    if (used === null) throw why
    try {
      return await work(used)
    } catch (error) {
      throw life === used ? awayOr(error) : why
    }
  }

  return {
    query: (text, values, options) => use(({ db }) => db.query(text, values, options)),
    exec: (text, options) => use(({ db }) => db.exec(text, options)),
    transaction: (work) => use(({ db }) => db.transaction(work)),
    flush: () => use(({ flush }) => flush()),
    close: async () => {
      closing.abort()
      await reviving
      const last = life
      life = null
      why = closed
      if (last === null) return
      await last.db.close()
      await last.log.close()
      await syncAll(join(home, 'data'))
    },
  }
}

const again = 'It is opened again by itself.'

/** What it says of its own end: https://www.postgresql.org/docs/current/runtime-config-logging.html */
const lastWords = /\b(?:FATAL|PANIC|DETAIL|HINT): +(.*)$/

async function begin(home: string, onDeath: (cause: unknown) => void): Promise<Life> {
  const data = join(home, 'data')
  await makeSureOfRoom(home, roomBytes)
  const said: string[] = []
  const onStderr = (line: string): boolean => {
    const [, words] = lastWords.exec(line) ?? []
    if (words !== undefined) said.push(words)
    return true
  }
  const told = (error: unknown): string => (said.length > 0 ? said.splice(0).join(' ') : wordsOf(error))
  const db = await PGlite.create(data, { onStderr, postgresqlconf: [...settings] }).catch((error: unknown) => {
    const words = told(error)
    if (/No space left|quota exceeded/i.test(words)) throw new DatabaseAway(noRoom(home, words), { cause: error })
    throw new StoreUnusable(`The store in ${home} could not be opened (${words}). ${remedyFor(home)}`, { cause: error })
  })
  closeTree(data)
  await syncAll(home)
  const log = await logOf(data)
  const end = mortal(db, (cause) => {
    void log.close()
    onDeath(new Error(told(cause), { cause }))
  })
  return { db, log, flush: flusher(db, data, log, end) }
}

/**
 * All that it is told of how to run, at each start. By default it keeps 128 MB for pages, which one process that reads mostly
 * what it wrote last has no use for; with eight it spends a fifth of its time in a storm on fetching pages from the system.
 */
const settings: readonly string[] = ['shared_buffers = 32MB', neverCollects]

/** A segment of its log and one to spare. */
const roomBytes = 32 * 1024 * 1024
/** For a database that is yet to be made. */
export const newRoomBytes = 96 * 1024 * 1024

/** Asks the file system and not its figures, which know nothing of quotas. */
export async function makeSureOfRoom(home: string, bytes: number): Promise<void> {
  const file = join(home, 'data.room')
  try {
    const handle = await open(file, 'w', 0o600)
    try {
      await handle.writeFile(Buffer.alloc(bytes, 1))
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw isAway(awayOr(error)) ? new DatabaseAway(noRoom(home, wordsOf(error), bytes), { cause: error }) : error
  } finally {
    await rm(file, { force: true })
  }
}

export const noRoom = (home: string, words: string, bytes = roomBytes): string =>
  `there is no room for the store in ${home}, which needs ${bytes / 1024 / 1024} MB (${words}). Make room there; it then goes on by itself`

const logBytesMax = 64 * 1024 * 1024
const flushesPerLookMax = 100

function flusher(db: PGlite, data: string, log: Log, end: (cause: unknown) => void): () => Promise<void> {
  let flushes = 0
  return inGroups(async () => {
    try {
      await log.sync()
      flushes += 1
      if (flushes % flushesPerLookMax !== 0 || (await logBytes(db)) < logBytesMax) return
      await db.query('checkpoint')
      await syncAll(data)
    } catch (error) {
      end(error)
      throw error
    }
  })
}

async function logBytes(db: PGlite): Promise<number> {
  const { rows } = await db.query(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
  )
  return z.tuple([z.object({ bytes: z.number() })]).parse(rows)[0].bytes
}
