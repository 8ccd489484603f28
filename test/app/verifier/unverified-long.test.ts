// What somebody who cannot sign may cost the App: bytes, connections and time have a limit, and whoever can sign is
// served meanwhile.
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { watchedGitHub } from '../../openapi/watched.ts'
import { headOf, lineTo, type Line } from '../lab/line.ts'
import { until } from '../lab/running.ts'
import { post, signatureOf, spawnApp, type Spawned } from '../lab/spawned.ts'

const MiB = 1024 * 1024
const secret = 'it is a secret'
const github = await watchedGitHub({ app: { slug: 'countersign', webhookSecret: secret } })
let app: Spawned
/** Who begins a head at the start of all tests and never ends it. */
let endless: Line
const lines: Line[] = []
const aLine = async (): Promise<Line> => {
  const line = await lineTo(app.url)
  lines.push(line)
  return line
}
beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', '')
  const { id, privateKey } = github.app
  app = await spawnApp({
    APP_ID: `${id}`,
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: secret,
    GITHUB_API_URL: github.url,
  })
  endless = await aLine()
  await endless.say('POST /api/github/webhooks HTTP/1.1\r\nhost: ')
}, 90_000)
afterAll(async () => {
  for (const line of lines) line.hangUp()
  await app.end('SIGTERM')
  await github.close()
  vi.unstubAllEnvs()
})

const ping = () => post(app.url, '{}', secret, { 'x-github-event': 'ping' })
const served = { status: 202, text: 'ignored\n' }

/** How many bytes it held at most while that went on, above what it held before. */
async function growth(work: () => Promise<void>): Promise<number> {
  const of = async (field: 'VmRSS' | 'VmHWM'): Promise<number> => {
    const status = await readFile(`/proc/${app.pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
  }
  // Forgets the peak of before. See proc_pid_clear_refs(5).
  await writeFile(`/proc/${app.pid}/clear_refs`, '5')
  const before = await of('VmRSS')
  await work()
  return (await of('VmHWM')) - before
}

describe('the head is enough to refuse', () => {
  test.each([
    ['what is not signed', { 'x-hub-signature-256': null, 'content-length': 20 * MiB }, '401'],
    [
      'what has no signature in its signature',
      { 'x-hub-signature-256': 'sha256=0', 'content-length': 20 * MiB },
      '401',
    ],
    ['what has no event', { 'x-github-event': null, 'content-length': 20 * MiB }, '400'],
    ['what says that it is too large', { 'content-length': 25 * MiB + 1 }, '413'],
    ['what asks first and is too large', { 'content-length': 9e15, expect: '100-continue' }, '413'],
  ])('%s', async (_title, headers, status) => {
    const line = await aLine()
    await line.say(headOf(headers))
    expect(await line.answer()).toBe(status)
    expect(line.heard()).not.toContain('100 Continue')
  })

  test('and who goes on sending is heard no longer than it takes to hear the answer', async () => {
    const line = await aLine()
    await line.say(headOf({ 'transfer-encoding': 'chunked', 'x-hub-signature-256': null }))
    expect(await line.answer()).toBe('401')
    await until(async () => {
      await line.say('1\r\na\r\n')
      return !line.isOpen()
    })
  })
})

test('who asks before sending is asked to go on', async () => {
  const line = await aLine()
  const signed = { 'x-github-event': 'ping', 'x-hub-signature-256': signatureOf('{}', secret) }
  await line.say(headOf({ ...signed, 'content-length': 2, expect: '100-continue' }))
  await until(async () => line.heard().includes('100 Continue'))
  await line.say('{}')
  expect(await line.answer()).toBe('202')
})

test('64 senders of 25 MB take less than 400 MB, and who can sign is served meanwhile', async () => {
  const part = Buffer.alloc(MiB, 'a')
  const grown = await growth(async () => {
    const flood = Array.from({ length: 64 }, async () => {
      const line = await aLine()
      await line.say(headOf({ 'content-length': 25 * MiB }))
      for (let sent = 0; sent < 25 && line.isOpen(); sent += 1) await line.say(part)
      return line.answer()
    })
    expect(await ping()).toEqual(served)
    const answers = await Promise.all(flood)
    expect(answers.filter((status) => !['401', '503'].includes(status))).toEqual([])
    expect(answers).toContain('401')
  })
  expect(grown).toBeLessThan(400 * MiB)
}, 90_000)

test('a body in parts of one byte takes no more', async () => {
  const parts = Buffer.from('1\r\na\r\n'.repeat(100_000))
  const grown = await growth(async () => {
    const flood = Array.from({ length: 4 }, async () => {
      const line = await aLine()
      await line.say(headOf({ 'transfer-encoding': 'chunked' }))
      for (let sent = 0; sent < 12 && line.isOpen(); sent += 1) await line.say(parts)
      line.hangUp()
    })
    expect(await ping()).toEqual(served)
    await Promise.all(flood)
  })
  expect(grown).toBeLessThan(400 * MiB)
}, 90_000)

test('where there is no more room the largest has to leave, and is told when to come again', async () => {
  const small = await aLine()
  const body = JSON.stringify({ zen: 'a'.repeat(MiB) })
  const signed = { 'x-github-event': 'ping', 'x-hub-signature-256': signatureOf(body, secret) }
  await small.say(headOf({ ...signed, 'content-length': body.length }))
  await small.say(body.slice(0, -1))
  const large = await Promise.all([1, 2, 3].map(aLine))
  for (const line of large) await line.say(headOf({ 'content-length': 25 * MiB }))
  for (const line of large) await line.say(Buffer.alloc(24 * MiB, 'a'))
  await until(async () => large.some((line) => line.heard() !== ''))
  const told = large.map((line) => line.heard()).filter((heard) => heard !== '')
  expect(told).toEqual([expect.stringMatching(/^HTTP\/1\.1 503 .*\r\nretry-after: \d+\r\n/s)])
  await small.say(body.slice(-1))
  expect(await small.answer()).toBe('202')
}, 90_000)

test('who asks again before the answer is not heard any more', async () => {
  const line = await aLine()
  await line.say('GET /health HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50_000))
  await until(async () => !line.isOpen())
  expect(line.heard().match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThan(2)
  expect(await ping()).toEqual(served)
})

test('who asks again after it is', async () => {
  const line = await aLine()
  for (let count = 1; count <= 3; count += 1) {
    await line.say('GET /health HTTP/1.1\r\nhost: a\r\n\r\n')
    await until(async () => line.heard().match(/"status":"ok"/g)?.length === count)
  }
  expect(line.isOpen()).toBe(true)
})

test('a head that never ends is not waited for', async () => {
  expect(await endless.answer()).toBe('408')
})

test('silent connections keep nobody out', async () => {
  const proved = await aLine()
  const signed = { 'x-github-event': 'ping', 'x-hub-signature-256': signatureOf('{}', secret) }
  await proved.say(`${headOf({ ...signed, 'content-length': 2 })}{}`)
  expect(await proved.answer()).toBe('202')
  const silent: Line[] = []
  for (let count = 0; count < 1_200; count += 1) silent.push(await aLine())
  expect(await ping()).toEqual(served)
  await until(async () => silent.filter((line) => line.isOpen()).length <= 1_000)
  // The oldest went, not who had brought what GitHub signed.
  expect(silent.slice(0, 100).some((line) => line.isOpen())).toBe(false)
  expect(silent.at(-1)?.isOpen()).toBe(true)
  expect(proved.isOpen()).toBe(true)
  for (const line of silent) line.hangUp()
}, 90_000)

test('nobody who leaves in the middle writes a line of the log', async () => {
  const before = app.output()
  const line = await aLine()
  await line.say(headOf({ 'content-length': 100 }))
  await line.say('half of it')
  line.hangUp()
  expect(await ping()).toEqual(served)
  expect(app.output()).toBe(before)
})
