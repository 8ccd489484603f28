// One store of each kind, made once for a whole run: making one takes seconds of computing, and every App of the tests would
// make its own. What belongs to the making itself is tested where stores are tested.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPglite } from '../src/adapters/store/embedded/embedded.ts'
import { migrate } from '../src/adapters/store/migrations.ts'
import { openPool } from '../src/adapters/store/postgres/postgres.ts'
import { newPostgres } from './inbox/opened.ts'

/** Where the embedded one lies. */
const MADE_STORE = 'COUNTERSIGN_TEST_STORE'
/** What the one on the server is called that DATABASE_URL names; absent where there is no server. */
export const MADE_DATABASE = 'COUNTERSIGN_TEST_DATABASE'

/** Puts a copy of the embedded one there, where there is one. */
export function madeStoreIn(home: string): string {
  const made = process.env[MADE_STORE]
  mkdirSync(home, { recursive: true })
  if (made !== undefined) execFileSync('cp', ['-r', `${made}/.`, home])
  return home
}

export async function setup(): Promise<() => Promise<void>> {
  const [embedded, onServer] = await Promise.all([madeEmbedded(), madeOnServer(process.env['DATABASE_URL'] ?? '')])
  return async () => void (await Promise.all([embedded(), onServer()]))
}

type Remove = () => Promise<void>

async function madeEmbedded(): Promise<Remove> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-made-'))
  const { sql } = await openPglite(join(directory, 'data'))
  await migrate(sql)
  await sql.close()
  process.env[MADE_STORE] = join(directory, 'data')
  return () => rm(directory, { recursive: true, force: true })
}

async function madeOnServer(url: string): Promise<Remove> {
  if (url === '') return async () => {}
  const { name, place, remove } = await newPostgres(url)
  const sql = openPool(place)
  await migrate(sql)
  await sql.close()
  process.env[MADE_DATABASE] = name
  return remove
}
