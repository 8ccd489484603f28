// How the commands for operators reach the data: on a Postgres server directly, an embedded store through the App that
// holds it, or by opening it where no App runs. They never create a store and never change its tables.
import { once } from 'node:events'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import * as lines from '../../../adapters/inbox/lines.ts'
import { archiveIn, type Archive } from '../../../adapters/store/archive.ts'
import { StoreLocked } from '../../../adapters/store/embedded/lock.ts'
import { migrations } from '../../../adapters/store/migrations.ts'
import { openPool } from '../../../adapters/store/postgres/postgres.ts'
import type { Sql } from '../../../adapters/store/sql.ts'
import { sqlStore } from '../../../adapters/store/sql-store.ts'
import { OPERATIONS_PATH, socketPath } from '../../app/door/socket.ts'
import { asking, operationsOver, type Operation, type Operations } from '../../operations.ts'
import { processEnvironment } from '../../environment.ts'
import { readSettings, SettingsWrong, type Settings } from '../../wire.ts'
import type { ExitCode, Io } from './cli-command.ts'
import { wordsOf } from '../../../core/error-words.ts'

/** Who answers: the App that holds the directory, the directory that nobody holds, or the Postgres server. */
export type Source = 'app' | 'directory' | 'server'
type Reached = { readonly source: Source; readonly operations: Operations; readonly close: () => Promise<void> }

export class CannotReach extends Error {
  override readonly name = 'CannotReach'
}

/** Does the work on the data that the environment names; what keeps it from that is said, with exit code 2. */
export async function operate(
  command: string,
  io: Io,
  work: (operations: Operations, source: Source) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await withOperations(readSettings(processEnvironment()), work)
  } catch (error) {
    const expected = error instanceof CannotReach || error instanceof SettingsWrong || error instanceof StoreLocked
    if (!expected) throw error
    io.err(`${command}: ${error.message}`)
    return 2
  }
}

/** Rejects with words where nobody answers. */
export async function withOperations<T>(
  { databaseUrl, dataDir, keeping }: Pick<Settings, 'databaseUrl' | 'dataDir' | 'keeping'>,
  work: (operations: Operations, source: Source) => Promise<T>,
): Promise<T> {
  const { source, operations, close } = await (databaseUrl === null
    ? reachDirectory(dataDir, archiveIn(keeping.archiveDir))
    : reachServer(databaseUrl, archiveIn(keeping.archiveDir)))
  try {
    return await work(operations, source)
  } finally {
    await close()
  }
}

async function reachServer(url: string, archive: Archive): Promise<Reached> {
  const sql = openPool(url)
  const place = 'the database that DATABASE_URL names'
  try {
    await refuseOtherVersion(sql, place)
  } catch (error) {
    await sql.close()
    if (error instanceof CannotReach) throw error
    throw new CannotReach(`${place} does not answer: ${wordsOf(error)}. Check DATABASE_URL and the server.`, {
      cause: error,
    })
  }
  return { source: 'server', operations: operationsIn(sql, archive, async () => {}), close: () => sql.close() }
}

async function reachDirectory(directory: string, archive: Archive): Promise<Reached> {
  if (!existsSync(join(directory, 'data'))) {
    throw new CannotReach(
      `there is no store in ${directory}, or you may not read it. Set DATA_DIR or DATABASE_URL as for the App, ` +
        'or run this where the .env of the App is.',
    )
  }
  const path = socketPath(directory)
  if (await isAnswered(directory, path)) {
    return { source: 'app', operations: asking((asked) => ask(path, asked)), close: async () => {} }
  }
  // A whole database is not loaded where an App or a server answers.
  const { openPglite } = await import('../../../adapters/store/embedded/embedded.ts')
  const { sql, flush } = await openPglite(directory).catch((error: unknown) => {
    if (!(error instanceof StoreLocked)) throw new CannotReach(wordsOf(error), { cause: error })
    const why = `Nobody answers at ${path}, so it cannot be asked either: if it is an App that just starts, try again.`
    throw new CannotReach(`${error.message} ${why}`, { cause: error })
  })
  try {
    await refuseOtherVersion(sql, `the store in ${directory}`)
  } catch (error) {
    await sql.close()
    throw error
  }
  return { source: 'directory', operations: operationsIn(sql, archive, flush), close: () => sql.close() }
}

/** A dead delivery goes back into its line; whoever runs the inbox finds the line unfinished and wakes it. */
const operationsIn = (sql: Sql, archive: Archive, flush: () => Promise<void>): Operations =>
  operationsOver(sqlStore(sql, archive), {
    status: () => lines.countDeliveries(sql.query),
    dead: (limit) => lines.readDead(sql.query, limit),
    replay: async (guid) => {
      const key = await sql.transaction((query) => lines.revive(query, guid))
      await flush()
      return key !== null
    },
  })

async function refuseOtherVersion(sql: Sql, place: string): Promise<void> {
  const [table] = await sql.query(`select to_regclass('migration') is not null as exists`)
  if (table?.['exists'] !== true) {
    throw new CannotReach(`${place} holds no store of Countersign. Name the one that the App uses.`)
  }
  const rows = z.array(z.object({ number: z.int() })).parse(await sql.query('select number from migration'))
  const applied = rows.map(({ number }) => number)
  const known = migrations.map(({ number }) => number)
  if (applied.some((number) => !known.includes(number))) {
    throw new CannotReach(`${place} was set up by a newer Countersign. Run the command of that version.`)
  }
  if (known.some((number) => !applied.includes(number))) {
    throw new CannotReach(
      `${place} was set up by an older Countersign. Run the command of that version, or start the App of this one, which brings the store up to date.`,
    )
  }
}

/** The App's socket belongs to whoever holds the lock; in a shared directory somebody else could wait under its name. */
async function isAnswered(directory: string, path: string): Promise<boolean> {
  const [socket, lock] = [path, join(realpathSync(directory), 'lock')].map((file) =>
    lstatSync(file, { throwIfNoEntry: false }),
  )
  if (socket === undefined || lock === undefined) return false
  if (socket.uid !== lock.uid) {
    throw new CannotReach(`${path} belongs to another user than the App's lock. Find out who made it, and delete it.`)
  }
  const connection = connect(path)
  try {
    await once(connection, 'connect')
    return true
  } catch (error) {
    if (codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ENOENT') return false
    throw new CannotReach(`the App cannot be reached at ${path}: ${wordsOf(error)}. Run this as the user of the App.`, {
      cause: error,
    })
  } finally {
    connection.destroy()
  }
}

/** The audit of a long history takes its time. */
const ANSWER_MS_MAX = 10 * 60_000
const answered = z.object({ answer: z.unknown() })
const refused = z.object({ error: z.string() })

async function ask(path: string, asked: Operation): Promise<unknown> {
  const { status, value } = await exchange(path, JSON.stringify(asked)).catch((error: unknown) => {
    throw new CannotReach(`the App at ${path} did not answer: ${wordsOf(error)}. Try again.`, { cause: error })
  })
  if (status === 200) return answered.parse(value).answer
  const said = refused.safeParse(value).data?.error ?? `status ${status}`
  throw new CannotReach(
    status === 500
      ? `the App could not do it: ${said}. Its log says more.`
      : `the App that runs on this store is of another version (${said}). Run the command of its version.`,
  )
}

async function exchange(socketPath: string, body: string): Promise<{ status: number; value: unknown }> {
  const answer = Promise.withResolvers<{ status: number; value: unknown }>()
  const signal = AbortSignal.timeout(ANSWER_MS_MAX)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  request({ socketPath, path: OPERATIONS_PATH, method: 'POST', headers, signal }, (response) => {
    text(response)
      .then((said) => ({ status: response.statusCode ?? 0, value: said === '' ? null : jsonOf(said) }))
      .then(answer.resolve, answer.reject)
  })
    .on('error', answer.reject)
    .end(body)
  return answer.promise
}

const jsonOf = (said: string): unknown => JSON.parse(said)

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
