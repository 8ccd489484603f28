// `countersign audit verify` as a process: a whole record, one that somebody changed behind the back of the App, and one
// task among others.
import { tamper } from '../store/opened.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sql } from '../../src/adapters/store/sql.ts'
import { spawnApp } from '../app/lab/spawned.ts'
import { startGitHub } from '../github/github.ts'
import { aRecord, aStore, newDirectory, withStore } from './a-store.ts'
import { countersign } from './cli.ts'

beforeEach(() => {
  for (const name of ['DATABASE_URL', 'APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET'])
    vi.stubEnv(name, '')
})
afterEach(() => vi.unstubAllEnvs())

const audit = (directory: string, ...args: readonly string[]) => {
  vi.stubEnv('DATA_DIR', directory)
  return countersign(['audit', ...args], { cwd: newDirectory() })
}

const threeTasks = async (sql: Sql): Promise<void> => {
  await aRecord('R7#4', 'acme/shop#4')(sql)
  await aRecord('R8#4', 'acme/app#4')(sql)
  await aRecord('R7#12', 'acme/shop#12')(sql)
}
const forge = (sql: Sql): Promise<unknown> =>
  tamper(sql, 'R7#4', (bodies) => bodies.map((body) => body.replace('"two"', '"2"')))
/** A row that nobody can unpack any more. */
const garble = (sql: Sql): Promise<unknown> =>
  sql.query(`update event set packed = set_byte(packed, 1, 255) where stream = 'R8#4' and version = 2`)
const drop = (sql: Sql): Promise<unknown> => sql.query(`delete from event where stream = 'R8#4' and version = 2`)

test('a whole record holds', async () => {
  const directory = await aStore(threeTasks)
  expect(await audit(directory, 'verify')).toMatchObject({ code: 0, out: '3 streams verified; every link holds.\n' })
  expect(JSON.parse((await audit(directory, 'verify', '--json')).out)).toEqual({ streams: 3, broken: [] })
})

test('an empty record holds', async () => {
  expect((await audit(await aStore(), 'verify')).out).toBe('0 streams verified; every link holds.\n')
})

describe('a record that was changed', () => {
  test('is not whole, and the first broken link of each stream is named', async () => {
    const directory = await aStore(threeTasks)
    await withStore(directory, async (sql) => {
      await forge(sql)
      await drop(sql)
    })
    const { code, out } = await audit(directory, 'verify')
    expect(code).toBe(1)
    expect(out).toMatchInlineSnapshot(`
      "R7#4 (acme/shop#4): event 2: its content does not match its own hash
      R8#4 (acme/app#4): event 3: version 2 is missing before it

      2 of 3 streams do not hold.
      "
    `)
    const { broken } = JSON.parse((await audit(directory, 'verify', '--json')).out)
    expect(broken).toEqual([
      { stream: 'R7#4', task: 'acme/shop#4', version: 2, why: 'its content does not match its own hash' },
      { stream: 'R8#4', task: 'acme/app#4', version: 3, why: 'version 2 is missing before it' },
    ])
  })

  test('in a way in which it can no longer be read is named like any other one', async () => {
    const directory = await aStore(threeTasks)
    await withStore(directory, garble)
    const { code, out } = await audit(directory, 'verify', '--json')
    const why = 'it can no longer be read as an event'
    expect([code, JSON.parse(out)]).toEqual([
      1,
      { streams: 3, broken: [{ stream: 'R8#4', task: 'acme/app#4', version: 2, why }] },
    ])
  })

  test('may be whole in the one task that was asked about, by either of its names', async () => {
    const directory = await aStore(threeTasks)
    await withStore(directory, forge)
    expect(await audit(directory, 'verify', 'acme/app#4')).toMatchObject({
      code: 0,
      out: '1 stream verified; every link holds.\n',
    })
    for (const name of ['acme/shop#4', 'R7#4']) {
      const { code, out } = await audit(directory, 'verify', name)
      expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('R7#4 (acme/shop#4): event 2: ') })
    }
  })

  test('is found while the App runs on it', async () => {
    const directory = await aStore(threeTasks)
    await withStore(directory, forge)
    const github = await startGitHub({ app: { slug: 'countersign', webhookSecret: 'it is a secret' } })
    const { app, url } = github
    const env = { APP_ID: `${app.id}`, PRIVATE_KEY: app.privateKey, WEBHOOK_SECRET: app.webhookSecret }
    const running = await spawnApp({ ...env, GITHUB_API_URL: url, DATA_DIR: directory })
    expect(await audit(directory, 'verify')).toMatchObject({ code: 1, out: expect.stringContaining('1 of 3 streams') })
    expect((await audit(directory, 'verify', 'acme/shop#12')).code).toBe(0)
    await running.end('SIGTERM')
    await github.close()
  }, 60_000)
})

test('what nobody expected is JSON, too, where JSON was asked for', async () => {
  const directory = await aStore((sql) => sql.query('alter table event rename to elsewhere'))
  const { code, out, err } = await audit(directory, 'verify', '--json')
  expect([code, err, JSON.parse(out)]).toEqual([2, '', { error: expect.stringContaining('event'), problems: [] }])
})

describe('it could not run', () => {
  let directory: string
  beforeAll(async () => {
    directory = await aStore(threeTasks)
  })

  test.each([
    [['verify', 'acme/shop#5'], 'nothing is recorded about acme/shop#5'],
    [['verify', 'shop'], 'nothing is recorded about shop'],
    [[], 'say `verify`'],
    [['check'], 'there is no `check`'],
    [['verify', 'R7#4', 'R8#4'], 'name one task, or none for all'],
    [['verify', '--fast'], 'there is no option `--fast`'],
  ])('after `audit %j`', async (args, words) => {
    const { code, out, err } = await audit(directory, ...args)
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(words) })
  })
})
