// A task that was closed long ago lies in a file. When its pull request is opened again, what people said then counts as
// it did, also where the file is not there any more or is not what it was; and whoever verifies the record reads both.
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPool } from '../../../src/adapters/store/postgres/postgres.ts'
import type { Sql } from '../../../src/adapters/store/sql.ts'
import { withStore } from '../../cli/a-store.ts'
import { countersign } from '../../cli/cli.ts'
import { aDatabase, server } from '../lab/a-database.ts'
import { runningApp, until, type Running } from '../lab/running.ts'
import { changesIn } from '../lab/unheard.ts'

type Env = { readonly DATABASE_URL: string; readonly DATA_DIR: string; readonly ARCHIVE_DIR: string }
type InStore = <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>

/** Answers whether any of the changes, all rejected before, was ever green. */
async function archived(app: Running, env: Env, inStore: InStore): Promise<boolean> {
  const { github } = app
  const { aChange, wasGreen } = changesIn(app)
  const archive = env.ARCHIVE_DIR
  const audit = async () => {
    const { code, out, err } = await countersign(['audit', 'verify'], { env })
    return { code, out, err }
  }
  const changes = [await aChange(), await aChange(), await aChange()]
  for (const { shop, number, sha } of changes) {
    await shop.say(number, 'bob', '/reject not like this')
    expect(await shop.check(sha)).toMatch(/^failure/)
    github.closePull(shop.name, number, 'agent')
  }
  await app.idle()
  const whole = await audit()
  expect(whole).toMatchObject({ code: 0, err: '' })
  await app.kill()
  await inStore((sql) => sql.query(`update open_stream set at = '2020-01-01T00:00:00.000Z'`))
  await app.start()
  await until(async () => existsSync(archive) && readdirSync(archive).some((name) => name.endsWith('.gz')))
  await app.idle()
  expect(await audit()).toEqual(whole)

  const reopened = async ({ shop, number, sha }: (typeof changes)[number]) => {
    github.reopenPull(shop.name, number, 'agent')
    await app.idle()
    await shop.build(sha, 'success')
  }
  const [first, second, third] = changes
  if (!first || !second || !third) throw new Error('three changes were made')
  await reopened(first)
  await until(async () => /rejected by bob/.test(await first.shop.check(first.sha)))

  const [file = ''] = readdirSync(archive)
  await app.idle()
  await app.kill()
  renameSync(join(archive, file), join(archive, 'away'))
  await app.start()
  github.reopenPull(second.shop.name, second.number, 'agent')
  await until(async () => app.output().includes('what lies in the archive cannot be read'))
  expect((await audit()).code).toBe(1)
  renameSync(join(archive, 'away'), join(archive, file))
  await app.idle()
  await second.shop.build(second.sha, 'success')
  await until(async () => /rejected by bob/.test(await second.shop.check(second.sha)))
  expect(await audit()).toMatchObject({ code: 0 })

  const bytes = readFileSync(join(archive, file))
  writeFileSync(join(archive, file), Buffer.concat([bytes.subarray(0, 40), bytes.subarray(60), bytes.subarray(0, 20)]))
  await app.kill()
  await app.start()
  github.reopenPull(third.shop.name, third.number, 'agent')
  expect(await audit()).toMatchObject({ code: 1, out: expect.stringContaining('is not what was written there') })
  await until(async () => app.output().includes('is not what was written there'))
  expect(await third.shop.check(third.sha)).toMatch(/^failure/)
  return changes.some(({ shop, sha }) => wasGreen(sha, shop.name))
}

test('embedded', async () => {
  const app = await runningApp({}, { ARCHIVE_AFTER_DAYS: '1' })
  const data = join(app.directory, 'data')
  try {
    const env = { DATABASE_URL: '', DATA_DIR: data, ARCHIVE_DIR: join(data, 'archive') }
    expect(await archived(app, env, (work) => withStore(data, work))).toBe(false)
  } finally {
    await app.stop()
  }
}, 120_000)

test.skipIf(server === '')(
  'on a server',
  async () => {
    const database = await aDatabase()
    const ARCHIVE_DIR = mkdtempSync(join(tmpdir(), 'countersign-archive-'))
    const app = await runningApp({}, { ARCHIVE_AFTER_DAYS: '1', ARCHIVE_DIR, DATABASE_URL: database.url })
    const sql = openPool(database.url)
    try {
      const env = { DATABASE_URL: database.url, DATA_DIR: '', ARCHIVE_DIR }
      expect(await archived(app, env, (work) => work(sql))).toBe(false)
    } finally {
      await app.stop()
      await sql.close()
      rmSync(ARCHIVE_DIR, { recursive: true })
      await database.remove()
    }
  },
  120_000,
)
