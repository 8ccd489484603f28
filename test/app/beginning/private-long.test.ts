// What belongs to the user of the App alone: its files, its socket, its memory.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPglite } from '../../../src/adapters/store/embedded/embedded.ts'
import { openSocket } from '../../../src/entry/app/door/socket.ts'
import { watchedGitHub } from '../../openapi/watched.ts'
import { newDirectory, post, spawnApp, type Spawned } from '../lab/spawned.ts'

const secret = 'it is a secret'
const github = await watchedGitHub({ app: { slug: 'countersign', webhookSecret: secret } })
const cwd = newDirectory()
const { id, privateKey } = github.app
const env = { APP_ID: `${id}`, PRIVATE_KEY: privateKey, WEBHOOK_SECRET: secret, GITHUB_API_URL: github.url }
let app: Spawned
beforeAll(async () => {
  app = await spawnApp(env, cwd)
}, 90_000)
afterAll(() => github.close())

const modeOf = (path: string): number => lstatSync(path).mode & 0o777

/** Whatever somebody else could read, write or enter. */
function openToOthers(home: string): readonly string[] {
  const paths = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name))
  return [home, ...paths].filter((path) => (modeOf(path) & 0o077) !== 0)
}

const home = join(cwd, '.countersign')

test('the directory of the store, everything in it and the socket are closed to others', () => {
  const lockSocket = expect.stringMatching(/^lock\.[0-9a-f-]{36}\.socket$/)
  expect(readdirSync(home).sort()).toEqual(['data', 'lock', lockSocket, 'socket'])
  expect(modeOf(home)).toBe(0o700)
  expect(modeOf(join(home, 'data', 'PG_VERSION'))).toBe(0o600)
  expect(openToOthers(home)).toEqual([])
})

test('no debugger is opened by a signal', async () => {
  process.kill(app.pid, 'SIGUSR1')
  expect(await post(app.url, '{}', secret, { 'x-github-event': 'ping' })).toMatchObject({ status: 202 })
  expect(app.output()).not.toContain('Debugger')
})

test.runIf(process.platform === 'linux')(
  'what it frees goes back to the system, under the number it began with',
  async () => {
    const begunWith = readFileSync(`/proc/${app.pid}/environ`, 'utf8').split('\0')
    expect(begunWith).toContain('MALLOC_TRIM_THRESHOLD_=131072')
    expect((await fetch(`${app.url}/health`)).status).toBe(200)
  },
)

test('no secret is told to whoever asks', async () => {
  for (const path of ['/', '/health', '/metrics', '/nothing', '/api/github/webhooks']) {
    const text = await (await fetch(`${app.url}${path}`)).text()
    expect(text).not.toContain(secret)
    expect(text).not.toContain('PRIVATE KEY')
  }
})

test('what cannot make room for the socket is said, and keeps nothing else from starting', async () => {
  const directory = newDirectory()
  mkdirSync(join(directory, 'socket', 'of somebody else'), { recursive: true })
  const troubles: unknown[] = []
  const unasked = (): never => {
    throw new Error('nobody asks')
  }
  const operations = {
    status: unasked,
    dead: unasked,
    replay: unasked,
    verify: unasked,
    document: unasked,
    records: unasked,
  }
  const socket = await openSocket(directory, operations, (error) => troubles.push(error))
  await socket.stop()
  expect(troubles).toEqual([expect.objectContaining({ message: expect.stringContaining('cannot be a socket') })])
})

describe('a directory that was there before', () => {
  test('is closed with what an older version left open in it', async () => {
    expect(await app.end('SIGTERM')).toBe(0)
    for (const path of ['.', 'data', 'data/base']) chmodSync(join(home, path), 0o755)
    chmodSync(join(home, 'data', 'PG_VERSION'), 0o644)
    const { sql } = await openPglite(home)
    expect(openToOthers(home)).toEqual([])
    await sql.close()
  })

  test('stays as it was where it holds something else as well, but for what is ours', async () => {
    const shared = join(newDirectory(), 'shared')
    mkdirSync(shared)
    writeFileSync(join(shared, 'a letter'), '')
    chmodSync(shared, 0o755)
    const { sql } = await openPglite(shared)
    expect(modeOf(shared)).toBe(0o755)
    expect(openToOthers(join(shared, 'data'))).toEqual([])
    expect(modeOf(join(shared, 'lock'))).toBe(0o600)
    await sql.close()
  }, 90_000)
})
