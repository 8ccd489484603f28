// The event store in a Postgres database that any number of processes share. A server may fall silent without closing a
// connection, when an address moves to another machine for example, so nothing here waits for it without an end; and a
// connection that broke is replaced by the next one who asks.
import { setTimeout as delay } from 'node:timers/promises'
import { type ClientConfig, Pool } from 'pg'
import type { Store } from '../../../ports.ts'
import { awayOr, isAway } from '../away.ts'
import { migrate } from '../migrations.ts'
import { neverCollects, type Row, type Sql } from '../sql.ts'
import { sqlStore } from '../sql-store.ts'
import { wordsOf } from '../../../core/error-words.ts'

export type PoolLimits = {
  readonly connectionsMax?: number
  readonly statementMsMax?: number
  /** A connection broke, or the server could not do its work: perhaps another one takes over, which knows less. */
  readonly onLost?: () => void
}

export type ServerSql = Sql & {
  /** For who brings several statements at once; these give several results. */
  readonly executeSql: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
}

const connectionsMax = 10
const connectMsMax = 5_000
const statementMsMax = 20_000
/** The server is asked to give up first, since it says why. */
const answerMsMax = 5_000
const idleInTransactionMsMax = 60_000
const closeMsMax = 2_000
/** A migration may have to rewrite what years have left behind. */
const migrationMsMax = 6 * 60 * 60_000

export async function openPostgres(url: string): Promise<Store> {
  const sql = openPool(url)
  try {
    await migrateServer(url)
  } catch (error) {
    await sql.close()
    throw new Error(
      `The event store in Postgres could not be opened: ${wordsOf(error)}. Check DATABASE_URL and the server.`,
      {
        cause: error,
      },
    )
  }
  return sqlStore(sql)
}

export async function migrateServer(url: string): Promise<'made' | 'found'> {
  const sql = openPool(url, { connectionsMax: 1, statementMsMax: migrationMsMax })
  try {
    return await migrate(sql)
  } finally {
    await sql.close()
  }
}

/** How to connect, for a connection of its own too. */
export const connectionTo = (url: string, limit = statementMsMax): ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: connectMsMax,
  query_timeout: limit + answerMsMax,
  keepAlive: true,
  keepAliveInitialDelayMillis: connectMsMax,
})

/** On what a statement's outcome depends, and what a server, a database or an account may be set to otherwise. */
const meant = [
  "default_transaction_isolation = 'read committed'",
  'array_nulls = on',
  'transform_null_equals = off',
  'standard_conforming_strings = on',
  'lock_timeout = 0',
  "timezone = 'UTC'",
  "datestyle = 'ISO'",
]

/**
 * Said once per connection. The server, too, has to notice when the other side is gone, or it would keep its locks for hours.
 * https://www.postgresql.org/docs/current/runtime-config-connection.html#RUNTIME-CONFIG-TCP-SETTINGS
 */
export const sessionStatement = (limit = statementMsMax): string =>
  `set statement_timeout = ${limit}; set idle_in_transaction_session_timeout = ${idleInTransactionMsMax};
   set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
   ${[...meant, neverCollects].map((setting) => `set ${setting}`).join('; ')}`

export function openPool(url: string, limits: PoolLimits = {}): ServerSql {
  const limit = limits.statementMsMax ?? statementMsMax
  const pool = new Pool({
    ...connectionTo(url, limit),
    max: limits.connectionsMax ?? connectionsMax,
    verify: (client, done) => client.query(sessionStatement(limit), (error) => done(error)),
  })
  const onLost = limits.onLost ?? ignored
  // An idle connection that the server drops is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => onLost())
  // The same while one is being looked over, which the pool does not listen to either; whoever asks hears of it.
  pool.on('connect', (client) => client.on('error', ignored))
  async function passing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const told = awayOr(error)
      if (isAway(told)) onLost()
      throw told
    }
  }
  return {
    query: (statement, values = []) => passing(async () => (await pool.query<Row>(statement, [...values])).rows),
    executeSql: (text, values) => passing(() => pool.query<Row>(text, values)),
    transaction: (work) =>
      passing(async () => {
        const client = await pool.connect()
        // The pool does not listen to a connection that is lent out.
        client.on('error', ignored)
        try {
          await client.query('begin')
          const result = await work((statement, values = []) =>
            passing(async () => (await client.query<Row>(statement, [...values])).rows),
          )
          await client.query('commit')
          client.off('error', ignored)
          client.release()
          return result
        } catch (error) {
          // Closing the connection rolls back, also when it is the connection that failed.
          client.release(true)
          throw error
        }
      }),
    // A server that does not answer does not say goodbye either.
    close: () => Promise.race([pool.end(), delay(closeMsMax, undefined, { ref: false })]),
  }
}

const ignored = (): void => {}
