// Stores for the commands of operators: with deliveries that were given up and a record of decisions, as an App would
// have left them behind.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPglite } from '../../src/adapters/store/embedded/embedded.ts'
import type { Sql } from '../../src/adapters/store/sql.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import { madeStoreIn } from '../made-store.ts'
import { emptyTail, seal } from '../../src/core/decision/record/chain.ts'

export const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'countersign-cli-'))

export async function aStore(fill: ((sql: Sql) => Promise<unknown>) | null = null): Promise<string> {
  const directory = madeStoreIn(newDirectory())
  if (fill !== null) await withStore(directory, fill)
  return directory
}

export async function withStore<Result>(directory: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const { sql } = await openPglite(directory)
  try {
    return await work(sql)
  } finally {
    await sql.close()
  }
}

export type Letter = { readonly guid: string; readonly key: string; readonly error: string; readonly at?: string }

/** Deliveries of a kind that the App has nothing to do for, each given up for its reason. */
export const deadLetters =
  (...letters: readonly Letter[]) =>
  async (sql: Sql): Promise<void> => {
    for (const { guid, key, error, at = '2026-11-20T10:00:00.000Z' } of letters) {
      await sql.query('insert into inbox_line (key, last_seq, done_seq) values ($1, 1, 1)', [key])
      await sql.query(
        'insert into delivery (key, seq, guid, body, received_at, dead_error) values ($1, 1, $2, $3::json, $4, $5)',
        [key, guid, JSON.stringify({ event: 'star', payload: {} }), at, error],
      )
    }
  }

/** A stream of three events about a task. */
export const aRecord =
  (stream: string, task_id: string) =>
  async (sql: Sql): Promise<void> => {
    const said = ['one', 'two', 'three'].map((summary) => ({
      type: 'TaskSubmitted' as const,
      attempt_id: 'one',
      head_sha: 'a1',
      data: { by: 'ada', summary, files_changed: [], implicit: false },
    }))
    const actor = { kind: 'human', login: 'ada', id: 7 } as const
    const sealing = { stream, task_id, at: '2026-11-20T10:00:00Z', actor, correlation_id: 'c1' }
    await sqlStore(sql).append(stream, 0, seal(said, emptyTail, sealing))
  }
