// The event store in a Postgres database that any number of processes share.
import { Pool } from 'pg'
import type { Store } from '../../ports.ts'
import { migrate } from './migrations.ts'
import type { Row, Sql } from './sql.ts'
import { sqlStore } from './sql-store.ts'

const connectionsMax = 10
const connectMsMax = 10_000

export async function openPostgres(url: string): Promise<Store> {
  const sql = openPool(url)
  try {
    await migrate(sql)
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

export function openPool(url: string): Sql {
  const pool = new Pool({ connectionString: url, max: connectionsMax, connectionTimeoutMillis: connectMsMax })
  // An idle connection that the server drops is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  return {
    query: async (statement, values = []) => (await pool.query<Row>(statement, [...values])).rows,
    transaction: async (work) => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work(
          async (statement, values = []) => (await client.query<Row>(statement, [...values])).rows,
        )
        await client.query('commit')
        client.release()
        return result
      } catch (error) {
        // Closing the connection rolls back, also when it is the connection that failed.
        client.release(true)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

/** A refused connection is an AggregateError without words of its own: one error per address that was tried. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
