// The environment and what the App makes of it: wrong values are named, secrets stay secret, and without credentials
// the App registers itself.
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Environment } from '../../../src/checks/runner/environment.ts'
import { readSettings } from '../../../src/entry/wire.ts'
import { watchedGitHub } from '../../openapi/watched.ts'
import { until } from '../lab/running.ts'
import { newDirectory, post, refusedApp, spawnApp } from '../lab/spawned.ts'

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs1', format: 'pem' })
  .toString()
const other = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const whole = { APP_ID: '7', PRIVATE_KEY: pem, WEBHOOK_SECRET: 'it is a secret' }

describe('a wrong environment is named with what to write instead', () => {
  test.each<[Environment, RegExp]>([
    [
      { ...whole, APP_ID: 'countersign' },
      /^APP_ID must be the number that the settings page of the GitHub App calls App ID, not/,
    ],
    [
      { ...whole, APP_ID: '' },
      /^APP_ID is missing. The App needs all three of APP_ID, PRIVATE_KEY or PRIVATE_KEY_PATH, W/,
    ],
    [{ ...whole, WEBHOOK_SECRET: undefined }, /^WEBHOOK_SECRET is missing\. /],
    [{ APP_ID: '7' }, /^PRIVATE_KEY or PRIVATE_KEY_PATH and WEBHOOK_SECRET are missing\. /],
    [{ ...whole, APP_ID: 'Iv23liAbCdEf' }, /^APP_ID must be the number /],
    [{ ...whole, APP_ID: '1e3' }, /^APP_ID must be the number /],
    [{ ...whole, PRIVATE_KEY: 'hunter2' }, /^PRIVATE_KEY is not a private key in PEM form\. It is the whole file/],
    [{ ...whole, PRIVATE_KEY: pem.replace('MII', '') }, /^PRIVATE_KEY is not a private key in PEM form/],
    [{ ...whole, PRIVATE_KEY: pem.slice(0, 500) }, /^PRIVATE_KEY is not a private key in PEM form/],
    [{ ...whole, PRIVATE_KEY: other.publicKey }, /^PRIVATE_KEY is not a private key in PEM form/],
    [{ ...whole, PRIVATE_KEY: other.privateKey }, /^PRIVATE_KEY is a key of another kind \(ec\)\. GitHub gives/],
    [
      { ...whole, PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: import.meta.filename },
      /^PRIVATE_KEY_PATH names \S+, which is not a private key in PEM form\. /,
    ],
    [
      { ...whole, PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: '/no/such.pem' },
      /^PRIVATE_KEY_PATH names \/no\/such\.pem, which cannot be read: /,
    ],
    [{ GITHUB_API_URL: 'github.acme.example' }, /^GITHUB_API_URL must be a URL, such as https:\/\/api\.github\.com$/],
    [{ PORT: 'http' }, /^PORT must be a port number$/],
    [{ PORT: '70000' }, /^PORT /],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL .*"debug"/],
    [{ MODEL_BASE_URL: 'localhost:4000' }, /^MODEL_BASE_URL must be a URL, such as https:\/\/api\.anthropic\.com$/],
    [{ ANTHROPIC_API_KEY: 'sk one' }, /^ANTHROPIC_API_KEY must be the bare key, without spaces and line breaks$/],
    [{ ARCHIVE_AFTER_DAYS: '0' }, /^ARCHIVE_AFTER_DAYS must be at least 1 days?, or left out to keep everything$/],
    [{ VERIFIER_USD_PER_DAY: '0' }, /^VERIFIER_USD_PER_DAY must be above zero, or left out for no limit$/],
    [{ FORGET_ANSWERS_AFTER_DAYS: '29' }, /^FORGET_ANSWERS_AFTER_DAYS must be at least 30 days, /],
    [
      { FORGET_ANSWERS_AFTER_DAYS: '60', ARCHIVE_AFTER_DAYS: '31' },
      /^FORGET_ANSWERS_AFTER_DAYS must not be more than ARCHIVE_AFTER_DAYS: /,
    ],
    ...['postgres://u@one:5432,two:5432/db', 'mysql://db/one', '127.0.0.1:5432/db', 'postgres://u:a/b@host/db'].map(
      (DATABASE_URL): [Environment, RegExp] => [
        { DATABASE_URL },
        /^DATABASE_URL must be the address of one Postgres server, /,
      ],
    ),
    [{ DATABASE_URL: 'postgres://db/one', ARCHIVE_AFTER_DAYS: '90' }, /^ARCHIVE_DIR is missing\. /],
    [{ PORT: 'http', LOG_LEVEL: 'loud' }, /^PORT .*\nLOG_LEVEL /],
  ])('%j', (env, words) => {
    expect(() => readSettings(env)).toThrow(words)
  })

  test('and never shown, as it may be a secret that was put in the wrong place', () => {
    expect(() => readSettings({ ...whole, APP_ID: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
    expect(() => readSettings({ ...whole, PRIVATE_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
  })

  test('at the start of the process, in one line and without a stack', async () => {
    expect(await refusedApp({ ...whole, PORT: 'http' })).toEqual({
      code: 1,
      output: 'countersign: PORT must be a port number\n',
    })
  })
})

describe('an environment', () => {
  test.each([
    'postgres://u:p@host:5432/db?sslmode=require',
    'postgresql://[::1]/db',
    'postgres://u:p@/db?host=/var/run/postgresql',
    'postgres:///db?host=/var/run/postgresql',
    '/var/run/postgresql db',
  ])('names a server by %s', (DATABASE_URL) => {
    expect(readSettings({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
  })

  test('may be empty', () => {
    expect(readSettings({ APP_ID: '', DATABASE_URL: '', PORT: '' })).toEqual({
      credentials: null,
      apiUrl: 'https://api.github.com',
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: null,
      dataDir: '.countersign',
      keeping: { archiveDays: null, answerDays: null, archiveDir: '.countersign/archive' },
      model: null,
      usdPerDay: null,
      logLevel: 'info',
    })
  })

  test.each([
    ['as it is', pem],
    ['in one line', pem.replaceAll('\n', String.raw`\n`)],
    ['in base64', Buffer.from(pem).toString('base64')],
  ])('holds the private key %s', (_title, PRIVATE_KEY) => {
    expect(readSettings({ ...whole, PRIVATE_KEY }).credentials).toEqual({
      appId: 7,
      privateKey: pem,
      webhookSecret: 'it is a secret',
    })
  })

  test('names a file with the private key', async () => {
    const file = join(newDirectory(), 'key.pem')
    await writeFile(file, pem)
    expect(readSettings({ ...whole, PRIVATE_KEY: '', PRIVATE_KEY_PATH: file }).credentials?.privateKey).toBe(pem)
  })

  test('may address GitHub Enterprise with a slash at the end', () => {
    expect(readSettings({ GITHUB_API_URL: 'https://github.example/api/v3/' }).apiUrl).toBe(
      'https://github.example/api/v3',
    )
  })
})

describe('a model', () => {
  test.each<[string, Environment, string]>([
    ['is asked where it is at home', { MODEL_BASE_URL: '' }, 'https://api.anthropic.com'],
    ['may be served elsewhere', { MODEL_BASE_URL: 'http://127.0.0.1:4000/api/' }, 'http://127.0.0.1:4000/api'],
    // The words of the SDK are not ours: whoever set them meant another program.
    ['is not moved by others', { ANTHROPIC_BASE_URL: 'https://elsewhere.example' }, 'https://api.anthropic.com'],
  ])('%s', (_title, env, baseUrl) => {
    expect(readSettings({ ...env, ANTHROPIC_API_KEY: 'sk-1' }).model).toEqual({ apiKey: 'sk-1', baseUrl })
  })

  test('needs a key', () => {
    expect(readSettings({ MODEL_BASE_URL: 'http://127.0.0.1:4000' }).model).toBeNull()
  })
})

test('no secret is in the log, however much is logged and whatever goes wrong', async () => {
  const webhookSecret = 'a-secret-of-the-webhooks'
  const github = await watchedGitHub({ app: { slug: 'countersign', webhookSecret, webhookUrl: 'http://127.0.0.1:9/' } })
  github.setDeliveries({ hold: true })
  github.createRepo('acme/shop', { files: { '.github/countersign.yml': 'verification: { checks: [] }\n' } })
  github.install('acme')
  const { id, privateKey } = github.app
  const { url, output, end } = await spawnApp({
    APP_ID: String(id),
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: webhookSecret,
    GITHUB_API_URL: github.url,
    LOG_LEVEL: 'trace',
  })
  github.addFault({ path: '/repos/*', trouble: { kind: 'answer', status: 422 } })
  github.push('acme/shop', 'feature', { files: { 'a.ts': 'one\n' }, author: 'agent' })
  github.openPull('acme/shop', { title: 'One', head: 'feature', by: 'agent' })
  const opened = github.deliveries().find(({ event }) => event === 'pull_request')
  const body = JSON.stringify(github.payloadOf(opened?.id ?? 0))
  expect((await post(url, body, webhookSecret)).status).toBe(202)
  expect((await post(url, body, 'a guess')).status).toBe(401)
  expect((await post(url, 'payload=', webhookSecret)).status).toBe(400)
  await until(async () => output().includes('"level":50'))
  await end('SIGTERM')
  await github.close()
  expect(output()).toContain('"msg":"handling"')
  expect(output()).not.toContain(webhookSecret)
  expect(output()).not.toContain('PRIVATE KEY')
  for (const line of privateKey.split('\n').slice(1, -2)) expect(output()).not.toContain(line)
  // Tokens of installations, and the web tokens that the App signs to get them.
  expect(output()).not.toMatch(/gh[a-z]_\w|eyJ\w/)
}, 90_000)

test('a start that follows another one strips no types', async () => {
  const loaded = `process.moduleLoadList.some((name) => name.includes('amaro'))`
  const tell = encodeURIComponent(`process.on('exit', () => console.log('strips types:', ${loaded}))`)
  const env = { NODE_OPTIONS: `--import data:text/javascript,${tell}` }
  await (await spawnApp(env)).end('SIGTERM')
  const later = await spawnApp(env)
  await later.end('SIGTERM')
  expect(later.output()).toContain('strips types: false')
})
