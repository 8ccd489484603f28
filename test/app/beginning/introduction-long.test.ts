// At the start: credentials that GitHub does not take end it with words that say what to do; a GitHub that cannot be asked
// does not.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ownAppIn, type OwnApp } from '../../../src/entry/app/clients.ts'
import { introduce } from '../../../src/entry/app/introduction.ts'
import { watchedGitHub } from '../../openapi/watched.ts'
import { freePort } from '../lab/running.ts'
import { aHome, post, refusedApp, spawnApp } from '../lab/spawned.ts'
import { onLoopback } from '../../loopback.ts'

const secret = 'it is a secret'
let github: Awaited<ReturnType<typeof watchedGitHub>>
beforeAll(async () => {
  github = await watchedGitHub({
    app: {
      webhookSecret: secret,
      permissions: { checks: 'read', contents: 'read', issues: 'write', metadata: 'read', administration: 'write' },
      events: ['push', 'status', 'star'],
    },
  })
})
afterAll(() => github.close())

const { privateKey: strange } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const environment = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  APP_ID: `${github.app.id}`,
  PRIVATE_KEY: github.app.privateKey,
  WEBHOOK_SECRET: secret,
  GITHUB_API_URL: github.url,
  ...more,
})

/** One after the other on the same store, since making one takes its time. */
const cwd = aHome()

describe('a start is refused, in one line', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    [
      'with the key of another App',
      { PRIVATE_KEY: strange },
      /does not take PRIVATE_KEY for a key of App 1 \(it says: A JSON web token could not be decoded\S*.*\)\. Make a new key/,
    ],
    [
      'with the number of no App',
      { APP_ID: '777' },
      /knows no App 777 \(it says: Integration not found.*Set APP_ID to/,
    ],
    ['with the name of the App', { APP_ID: 'countersign' }, /APP_ID must be the number that the settings page/],
    ['with a file that is no key', { PRIVATE_KEY: 'ssh-rsa AAAA' }, /PRIVATE_KEY is not a private key in PEM form/],
  ])('%s', async (_title, env, words) => {
    const { code, output } = await refusedApp(environment(env))
    expect(code).toBe(1)
    const said = output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    expect(said).toEqual([expect.stringMatching(words)])
    expect(said[0]).toMatch(/^countersign: /)
    expect(output).not.toMatch(/it is a secret|BEGIN \S*PRIVATE KEY|eyJ\w/)
  })
})

describe('a start goes on, and says so', () => {
  const starts = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const app = await spawnApp(environment(env), cwd)
    expect((await post(app.url, '{}', secret, { 'x-github-event': 'ping' })).status).toBe(202)
    await app.end('SIGTERM')
    return app.output()
  }

  test('where the App lacks what app.yml asks for', async () => {
    const output = await starts({})
    const line = output.split('\n').find((one) => one.includes('app.yml')) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      permissions: [
        'checks: write',
        'pull_requests: write',
        'statuses: write',
        'actions: read',
        'members: read',
        'merge_queues: read',
      ],
      events: expect.arrayContaining(['pull_request', 'check_run', 'merge_group']),
    })
    expect(line).not.toContain('"push"')
  }, 90_000)

  test('where GitHub cannot be reached', async () => {
    const output = await starts({ GITHUB_API_URL: `http://127.0.0.1:${await freePort()}` })
    expect(output).toContain('GitHub could not be asked whether it knows this App')
  }, 90_000)

  test('where GitHub never answers', async () => {
    const output = await starts({ GITHUB_API_URL: await aSilentServer() })
    expect(output).toContain('no answer within 5 seconds')
  }, 90_000)
})

test.each([
  ['is down', 503],
  ['limits us', 403],
  ['limits us otherwise', 429],
  ['cannot be found', null],
])('a GitHub that %s says nothing about the App', async (_title, status) => {
  const error = Object.assign(new Error('no'), status === null ? {} : { status })
  expect(await warnings(() => Promise.reject(error))).toEqual([{ why: 'no', github: 'https://api.github.com' }])
})

test('neither does something else at its address', async () => {
  expect(await warnings(async () => ownAppIn('<h1>Welcome</h1>'))).toEqual([
    { why: 'it does not answer as GitHub does', github: 'https://api.github.com' },
  ])
})

async function warnings(request: () => Promise<OwnApp>): Promise<readonly object[]> {
  const warned: object[] = []
  const log = { warn: (facts: object) => void warned.push(facts) }
  await introduce(request, { appId: 7, apiUrl: 'https://api.github.com' }, log)
  return warned
}

async function aSilentServer(): Promise<string> {
  const server = createServer(() => {})
  const port = await onLoopback(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${port}`
}
