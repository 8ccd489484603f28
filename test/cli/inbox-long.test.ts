// `countersign inbox` as a process: through the socket of whoever holds the store, on a directory that nobody holds, on
// Postgres, and where it cannot work.
import { statSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { lockDirectory } from '../../src/adapters/store/embedded/lock.ts'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { openPool } from '../../src/adapters/store/postgres/postgres.ts'
import { OPERATIONS_PATH, openSocket, socketPath } from '../../src/entry/app/door/socket.ts'
import type { Operations } from '../../src/entry/operations.ts'
import { spawnApp } from '../app/lab/spawned.ts'
import { startGitHub } from '../github/github.ts'
import { madeStoreIn } from '../made-store.ts'
import { newPostgres } from '../inbox/opened.ts'
import { aStore, deadLetters, newDirectory, withStore } from './a-store.ts'
import { countersign } from './cli.ts'

const server = process.env['DATABASE_URL'] ?? ''
const two = deadLetters(
  { guid: 'guid-1', key: 'R7#4', error: 'The database did not answer.\nTwice.' },
  { guid: 'guid-2', key: 'R7#5', error: 'red \u001B[31m', at: '2026-11-20T11:00:00.000Z' },
)

beforeEach(() => {
  for (const name of ['DATABASE_URL', 'APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET'])
    vi.stubEnv(name, '')
})
afterEach(() => vi.unstubAllEnvs())

const inbox = (directory: string, ...args: readonly string[]) => {
  vi.stubEnv('DATA_DIR', directory)
  return countersign(['inbox', ...args], { cwd: newDirectory() })
}

describe('on a store that nobody holds', () => {
  test('it lists what was given up, replays one, and leaves the rest', async () => {
    const directory = await aStore(two)
    const list = await inbox(directory, 'list')
    expect(list).toMatchObject({ code: 0, err: '' })
    expect(list.out).toMatchInlineSnapshot(`
      "guid-1  R7#4  received 2026-11-20T10:00:00.000Z
          The database did not answer.
          Twice.

      guid-2  R7#5  received 2026-11-20T11:00:00.000Z
          red �[31m

      2 in all. When the cause is repaired, \`countersign inbox replay <guid>\` has one handled again.
      "
    `)
    expect(await inbox(directory, 'replay', 'guid-1')).toMatchObject({
      code: 0,
      out: 'guid-1 is at the end of its line again. The App handles it when it starts.\n',
    })
    expect(JSON.parse((await inbox(directory, 'status', '--json')).out)).toEqual({
      waiting: 1,
      oldest_waiting_at: '2026-11-20T10:00:00.000Z',
      dead: 1,
    })
    expect((await inbox(directory, 'status')).out).toBe(
      '1 waiting, the oldest since 2026-11-20T10:00:00.000Z\n1 given up; see `countersign inbox list`\n',
    )
    const again = await inbox(directory, 'replay', 'guid-1')
    expect(again).toMatchObject({ code: 1, out: '' })
    expect(again.err).toContain('no delivery guid-1 was given up')
  })

  test('it lists as many as it was told, for programs too', async () => {
    const directory = await aStore(two)
    expect((await inbox(directory, 'list', '--limit', '1')).out).toContain('1 of 2 deliveries that were given up')
    expect(JSON.parse((await inbox(directory, 'list', '--limit', '1', '--json')).out)).toEqual({
      dead: [
        {
          guid: 'guid-1',
          key: 'R7#4',
          received_at: '2026-11-20T10:00:00.000Z',
          error: 'The database did not answer.\nTwice.',
        },
      ],
      total: 2,
    })
  })

  test('it says when there is nothing, and finds the directory by .env', async () => {
    const directory = await aStore()
    vi.stubEnv('DATA_DIR', undefined)
    const cwd = newDirectory()
    writeFileSync(join(cwd, '.env'), `DATA_DIR=${directory}\n`)
    expect(await countersign(['inbox', 'list'], { cwd })).toMatchObject({ code: 0, out: 'No delivery was given up.\n' })
  })
})

test('beside an App that runs, a replayed delivery is handled at once', async () => {
  const directory = await aStore(two)
  const github = await startGitHub({ app: { slug: 'countersign', webhookSecret: 'it is a secret' } })
  const { app, url } = github
  const env = { APP_ID: `${app.id}`, PRIVATE_KEY: app.privateKey, WEBHOOK_SECRET: app.webhookSecret }
  const running = await spawnApp({ ...env, GITHUB_API_URL: url, DATA_DIR: directory })
  expect((await inbox(directory, 'list')).out).toContain('guid-2')
  expect(await inbox(directory, 'replay', 'guid-2')).toMatchObject({
    code: 0,
    out: 'guid-2 is at the end of its line again. The App handles it now.\n',
  })
  await vi.waitFor(async () => expect((await inbox(directory, 'status')).out).toMatch(/^0 waiting\n1 given up/), 15_000)
  expect((await inbox(directory, 'replay', 'guid-2')).code).toBe(1)
  expect(await running.end('SIGTERM')).toBe(0)
  expect((await inbox(directory, 'status')).out).toMatch(/^0 waiting\n1 given up/)
  await github.close()
}, 60_000)

describe.skipIf(server === '')('on Postgres', () => {
  test('it lists and replays beside whoever runs there', async () => {
    const { place, remove } = await newPostgres(server)
    onTestFinished(remove)
    vi.stubEnv('DATABASE_URL', place)
    const empty = await inbox('', 'list')
    expect(empty).toMatchObject({ code: 2, out: '' })
    expect(empty.err).toContain('holds no store of Countersign')
    const sql = openPool(place)
    await migrate(sql)
    await two(sql)
    expect((await inbox('', 'list')).out).toContain('guid-2')
    expect((await inbox('', 'replay', 'guid-2')).out).toContain('handles it within a minute')
    expect((await inbox('', 'status')).out).toMatch(/^1 waiting, .*\n1 given up/)
    await sql.close()
  })
})

describe('it says why it cannot work, with exit code 2', () => {
  const because = (words: RegExp) => ({ code: 2, out: '', err: expect.stringMatching(words) })

  test('where there is no store, and makes none', async () => {
    const directory = newDirectory()
    expect(await inbox(directory, 'list')).toMatchObject(
      because(/^countersign inbox: there is no store in \S+, .* Set DATA_DIR or DATABASE_URL/),
    )
    expect(() => statSync(join(directory, 'data'))).toThrow('ENOENT')
  })

  test('where somebody holds the store who does not answer', async () => {
    const directory = await aStore()
    onTestFinished(await lockDirectory(directory))
    expect(await inbox(directory, 'list')).toMatchObject(
      because(new RegExp(`is in use by process ${process.pid} on .* Nobody answers at \\S+socket`)),
    )
  })

  test('where the App is of another version', async () => {
    const directory = await aStore()
    onTestFinished(await lockDirectory(directory))
    const other = createServer((_request, response) => response.writeHead(404).end('{"error":"not here"}'))
    await once(other.listen(socketPath(directory)), 'listening')
    onTestFinished(() => void other.close())
    expect(await inbox(directory, 'list')).toMatchObject(
      because(/the App that runs on this store is of another version \(not here\)/),
    )
  })

  test('where the store is of another version', async () => {
    const directory = await aStore((sql) => sql.query('insert into migration (number) values (99)'))
    expect(await inbox(directory, 'list')).toMatchObject(because(/was set up by a newer Countersign/))
    await withStore(directory, (sql) => sql.query('delete from migration where number in (3, 99)'))
    expect(await inbox(directory, 'list')).toMatchObject(because(/was set up by an older Countersign/))
  })

  test('where the database does not answer', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://nobody:secret@127.0.0.1:9/nothing')
    const { code, err } = await inbox('', 'list')
    expect(code).toBe(2)
    expect(err).toMatch(/does not answer: connect ECONNREFUSED .*Check DATABASE_URL/)
    expect(err).not.toContain('secret')
  })

  test('where the environment is wrong', async () => {
    vi.stubEnv('PORT', 'http')
    expect(await inbox('', 'list')).toMatchObject(because(/^countersign inbox: PORT must be a port number\n$/))
  })

  test.each([
    [[], 'say `list`, `replay` or `status`'],
    [['lst'], 'there is no `lst`'],
    [['list', 'all'], 'nothing is expected after `list`'],
    [['list', '--limit', 'many'], '--limit is a number from 1 to 1000'],
    [['status', '--limit', '1'], '--limit is for `list`'],
    [['replay'], '`replay` takes one guid'],
    [['replay', 'one', 'two'], '`replay` takes one guid'],
    [['list', '--all'], 'there is no option `--all`'],
  ])('after `inbox %j`', async (args, words) => {
    const { code, err } = await inbox(newDirectory(), ...args)
    expect(code).toBe(2)
    expect(err).toContain(words)
  })
})

describe('the socket', () => {
  const nothing: Operations = {
    status: async () => ({ waiting: 7, dead: 0, oldest_waiting_at: null }),
    dead: async () => [],
    replay: async () => {
      throw new Error('the disk is full')
    },
    verify: async () => null,
    document: async () => null,
    records: async () => [],
  }
  const open = async (directory: string) => {
    const release = await lockDirectory(directory)
    const troubles: unknown[] = []
    const socket = await openSocket(directory, nothing, (error) => troubles.push(error))
    onTestFinished(async () => {
      await socket.stop()
      release()
    })
    return troubles
  }
  const ask = async (directory: string, body: string, path = OPERATIONS_PATH): Promise<string> => {
    const asking = request({ socketPath: socketPath(directory), path, method: 'POST' }).end(body)
    const [response] = await once(asking, 'response')
    return `${response.statusCode} ${await text(response)}`
  }

  test('is open to its own user only', async () => {
    const directory = await aStore()
    await open(directory)
    expect(statSync(socketPath(directory)).mode & 0o777).toBe(0o600)
  })

  test('takes the place of one that a crash left behind', async () => {
    const directory = await aStore()
    writeFileSync(socketPath(directory), '')
    await open(directory)
    expect((await inbox(directory, 'status')).out).toBe('7 waiting\n0 given up\n')
  })

  test('is elsewhere where the path of the directory is too long for one', async () => {
    const deep = madeStoreIn(join(newDirectory(), 'a'.repeat(60), 'b'.repeat(60)))
    expect(dirname(socketPath(deep))).toBe(tmpdir())
    expect(socketPath(deep)).not.toBe(socketPath(dirname(deep)))
    expect(socketPath(join(deep, '..', 'b'.repeat(60)))).toBe(socketPath(deep))
    await open(deep)
    expect((await inbox(deep, 'status')).out).toBe('7 waiting\n0 given up\n')
  }, 60_000)

  test('takes small requests of known kinds only', async () => {
    const directory = await aStore()
    await open(directory)
    expect(await ask(directory, '{"operation":"inbox.status"}')).toMatch(/^200 /)
    expect(await ask(directory, `{"operation":"inbox.replay","guid":"${'x'.repeat(20_000)}"}`)).toMatch(/^413 /)
    expect(await ask(directory, '{"operation":"inbox.empty"}')).toMatch(/^400 /)
    expect(await ask(directory, '{"operation":"inbox.dead","limit":1e9}')).toMatch(/^400 /)
    expect(await ask(directory, 'status, please')).toMatch(/^400 /)
    expect(await ask(directory, '{"operation":"inbox.status"}', '/operations/v2')).toMatch(/^404 /)
  })

  test('passes trouble on to both sides', async () => {
    const directory = await aStore()
    const troubles = await open(directory)
    const { code, err } = await inbox(directory, 'replay', 'guid-1')
    expect(code).toBe(2)
    expect(err).toContain('the App could not do it: the disk is full. Its log says more.')
    expect(troubles).toEqual([new Error('the disk is full')])
  })
})
