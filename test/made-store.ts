// One embedded store, made once for a whole run: making one takes seconds of computing, and every App of the tests would
// make its own. What belongs to the making itself is tested where stores are tested.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPglite } from '../src/adapters/store/embedded.ts'
import { migrate } from '../src/adapters/store/migrations.ts'

export const MADE_STORE = 'COUNTERSIGN_TEST_STORE'

export async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-made-'))
  const { sql } = await openPglite(join(directory, 'data'))
  await migrate(sql)
  await sql.close()
  process.env[MADE_STORE] = join(directory, 'data')
  return () => rm(directory, { recursive: true, force: true })
}
