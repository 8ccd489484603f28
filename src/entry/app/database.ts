// The database of the App: events and inbox share one, embedded in a directory or on a Postgres server.
import { inPglite, inPostgres, type InboxDatabase } from '../../adapters/inbox/database.ts'
import { readMade, rewriteMade, type Made } from '../../adapters/store/notes/made.ts'
import { isAway, isState, NO_DATABASE } from '../../adapters/store/away.ts'
import { archiveIn, type Archive } from '../../adapters/store/archive.ts'
import { nobodyElse, sqlLetIns, type LetIns } from '../../adapters/store/notes/let-ins.ts'
import { migrate } from '../../adapters/store/migrations.ts'
import { sqlPresence, type Presence } from '../../adapters/store/notes/presence.ts'
import { refuseSharedSessions } from '../../adapters/store/postgres/pooler.ts'
import { migrateServer, openPool } from '../../adapters/store/postgres/postgres.ts'
import { retention, type Retention } from '../../adapters/store/retention.ts'
import { sqlPurses, sqlTaskPurses, type Purses } from '../../adapters/store/notes/spending.ts'
import { sqlSights, type Sights } from '../../adapters/store/notes/sights.ts'
import { StoreUnusable } from '../../adapters/store/unusable.ts'
import { wordsOf } from '../../core/error-words.ts'
import { postgresTurns } from '../../adapters/store/postgres/turns.ts'
import { sqlStore } from '../../adapters/store/sql-store.ts'
import type { Sql } from '../../adapters/store/sql.ts'
import type { Company } from '../../engine/engine.ts'
import type { Clock, Store } from '../../ports.ts'
import type { TaskPurses } from '../../verifier/calls/money.ts'

export type Database = {
  readonly store: Store
  readonly retention: Retention
  /** Since when there is this store, and whether it was made just now. */
  readonly made: Made & { readonly now: boolean }
  /** Whether no other process can be at work on it, or how to keep apart from those that are. */
  readonly company: Company
  /** Whether this process alone does from now on what one is enough for. */
  readonly leads: () => Promise<boolean>
  readonly sights: Sights
  readonly letIns: LetIns
  readonly purses: (usdPerDay: number, clock: Clock) => Purses
  readonly taskPurses: TaskPurses
  readonly presence: Presence
  readonly inbox: InboxDatabase
  /** Resolves where it takes writes. */
  readonly probe: () => Promise<void>
  readonly close: () => Promise<void>
}

/** `archive`: where the files of the archive lie. */
export async function openDatabase(
  url: string | null,
  directory: string,
  archive: string | null = null,
  onLost: () => void = () => undefined,
): Promise<Database> {
  return url === null ? embedded(directory, archiveIn(archive)) : server(url, archiveIn(archive), onLost)
}

async function embedded(directory: string, archive: Archive): Promise<Database> {
  // A whole database is not loaded by whoever has a server.
  const { openPglite } = await import('../../adapters/store/embedded/embedded.ts')
  const opened = await openPglite(directory)
  const { sql, flush } = opened
  /** Done is what the disk has. */
  const kept = async <Result>(work: Promise<Result>): Promise<Result> => {
    const result = await work
    await flush()
    return result
  }
  const made = await madeIn(sql, () => kept(migrate(sql)))
  const store = sqlStore(sql, archive)
  const sights = sqlSights(sql)
  const presence = sqlPresence(sql)
  return {
    made,
    company: { alone: true },
    leads: async () => true,
    retention: { ...retention(sql, store, archive), tidy: async () => void (await sql.query('vacuum event')) },
    store: { ...store, append: (...append) => kept(store.append(...append)) },
    sights: { ...sights, added: (...seen) => kept(sights.added(...seen)) },
    letIns: nobodyElse,
    purses: (...limit) => sqlPurses(sql, ...limit),
    taskPurses: sqlTaskPurses(sql),
    // A store that was taken away is noticed so while nothing else happens.
    presence: { ...presence, note: (at) => kept(presence.note(at)) },
    inbox: inPglite({ ...opened, isAway }),
    probe: () => kept(rewriteMade(sql.query)),
    close: () => sql.close(),
  }
}

async function server(url: string, archive: Archive, onLost: () => void): Promise<Database> {
  const sql = openPool(url, { onLost })
  const made = await madeIn(sql, async () => {
    await refuseSharedSessions(url)
    return migrateServer(url)
  })
  const queues = openPool(url, { connectionsMax: queueConnectionsMax, onLost })
  const turns = postgresTurns(url)
  const close = async (): Promise<void> => {
    await Promise.all([turns.close(), queues.close(), sql.close()])
  }
  const store = sqlStore(sql, archive, lanes)
  return {
    made,
    company: { apart: turns.take, holds: turns.holds },
    leads: () => turns.lead('rounds'),
    retention: { ...retention(sql, store, archive), tidy: async () => {} },
    store,
    sights: sqlSights(sql),
    letIns: sqlLetIns(sql),
    purses: (...limit) => sqlPurses(sql, ...limit),
    taskPurses: sqlTaskPurses(sql),
    presence: sqlPresence(sql),
    inbox: inPostgres(sql, { ...queues, isAway }),
    probe: () => rewriteMade(sql.query),
    close,
  }
}

async function madeIn(sql: Sql, make: () => Promise<'made' | 'found'>): Promise<Database['made']> {
  try {
    const outcome = await make()
    return { ...(await readMade(sql.query)), now: outcome === 'made' }
  } catch (error) {
    await sql.close()
    // Whoever names one that nobody knows is wrong about its name most likely.
    throw isState(error, NO_DATABASE) ? new StoreUnusable(wordsOf(error)) : error
  }
}

const queueConnectionsMax = 4
const lanes = 2
