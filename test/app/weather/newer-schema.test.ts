// A newer version has changed the database under a process that still runs: what is heard waits, and nobody looks for the trouble at
// GitHub.
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { openPool } from '../../../src/adapters/store/postgres/postgres.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github, database } = app

const healthOf = async (): Promise<unknown> => (await fetch(`${app.url}/health`)).json()

test.skipIf(database === null)('what the database refuses is told of the database', { timeout: 60_000 }, async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const sql = new Client(database ?? '')
  await sql.connect()
  await sql.query('alter table event add column newer text not null')
  github.openPull(shop.name, { title: 'A better shop', head: 'feature', by: 'agent' })
  const why = expect.stringContaining('null value in column "newer"')
  const refused = { reason: 'database', why, words: 'the database refuses what is to be kept; what is heard waits' }
  await until(async () => JSON.stringify(await healthOf()).includes('newer'))
  expect(await healthOf()).toMatchObject({ reasons: [refused] })
  expect(await (await fetch(`${app.url}/metrics`)).text()).toContain('countersign_outages 0\n')
  await sql.query('alter table event drop column newer')
  await sql.end()
  await until(async () => (await shop.check(sha)) !== 'none')
  await until(async () => JSON.stringify(await healthOf()).includes('"reasons":[]'))
  expect(await healthOf()).toMatchObject({ status: 'ok' })
})

test.skipIf(database === null)('whoever stood still in a transaction for too long comes back later', async () => {
  const pool = openPool(database ?? '')
  const work = pool.transaction(async (query) => {
    await query('set idle_in_transaction_session_timeout = 100')
    // The server has ended the session before this process looks again.
    const until = performance.now() + 400
    while (performance.now() < until);
    await query('select 1')
  })
  await expect(work).rejects.toMatchObject({ name: 'DatabaseAway' })
  await pool.close()
})
