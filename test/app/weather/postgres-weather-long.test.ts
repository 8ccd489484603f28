// Several processes of the App on one Postgres whose connections are cut, that falls silent, is not there yet, has no
// connection left or takes no writes. None of them ends, each says what it waits for, and goes on by itself; what was
// acknowledged is there.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { GitHub } from '../../github/github.ts'
import { aDatabase, server, type ADatabase } from '../lab/a-database.ts'
import { aPullRequest, aQuietGitHub, environmentOf } from '../lab/quiet.ts'
import { freePort, START_MS_MAX, until } from '../lab/running.ts'
import { beganApp, isReady, newDirectory, post, type Started } from '../lab/spawned.ts'

const BACK_MS_MAX = 60_000
const TEST_MS_MAX = 3 * START_MS_MAX

let github: GitHub
let database: ADatabase
let body: string
beforeAll(async () => {
  if (server === '') return
  github = await aQuietGitHub()
  database = await aDatabase()
  body = aPullRequest(github, 'one').body
}, START_MS_MAX)
afterAll(async () => {
  if (server === '') return
  await database.remove()
  await github.close()
})

type One = Started & { readonly url: string }

async function begun(): Promise<One> {
  const port = await freePort()
  const env = { ...environmentOf(github), DATABASE_URL: database.url, PORT: String(port) }
  const started = beganApp(env, newDirectory())
  onTestFinished(async () => void (await started.end('SIGKILL')))
  return { ...started, url: `http://127.0.0.1:${port}` }
}

async function running(): Promise<One> {
  const one = await begun()
  await until(() => isReady(one), START_MS_MAX)
  return one
}

const health = z.object({
  status: z.string(),
  reasons: z.array(z.looseObject({ reason: z.string(), words: z.string() })),
})
async function reasonsOf({ url }: One): Promise<{ status: number; reasons: readonly unknown[] }> {
  const answer = await fetch(`${url}/health`)
  return { status: answer.status, reasons: health.parse(await answer.json()).reasons }
}

const away = {
  status: 503,
  reasons: [expect.objectContaining({ reason: 'database', words: 'the database does not answer' })],
}

async function bring({ url }: One, guid: string = randomUUID()): Promise<{ guid: string; status: number }> {
  const { status } = await post(url, body, github.app.webhookSecret, { 'x-github-delivery': guid })
  return { guid, status }
}

/** Brings webhooks until it is told to stop, and gives those that were acknowledged. */
function bringing(ones: readonly One[]): () => Promise<{ taken: readonly string[]; statuses: ReadonlySet<number> }> {
  const taken: string[] = []
  const statuses = new Set<number>()
  const stopping = new AbortController()
  const lanes = ones.map(async (one) => {
    while (!stopping.signal.aborted) {
      const { guid, status } = await bring(one)
      statuses.add(status)
      if (status === 202) taken.push(guid)
      await delay(20)
    }
  })
  return async () => {
    stopping.abort()
    await Promise.all(lanes)
    return { taken, statuses }
  }
}

async function expectKept(taken: readonly string[]): Promise<void> {
  expect(taken.length).toBeGreaterThan(0)
  expect(new Set(await database.stored(taken))).toEqual(new Set(taken))
}

describe.skipIf(server === '')('a Postgres', () => {
  test(
    'that ends every connection, again and again, ends nobody, and nothing acknowledged is lost',
    async () => {
      const three = [await running(), await running(), await running()]
      const stop = bringing(three)
      for (let round = 0; round < 8; round += 1) {
        await delay(300)
        expect(await database.cut()).toBeGreaterThan(0)
      }
      for (const one of three) await until(() => isReady(one), BACK_MS_MAX)
      for (const one of three) await until(async () => (await bring(one)).status === 202, BACK_MS_MAX)
      const { taken, statuses } = await stop()
      await expectKept(taken)
      expect([202, 503]).toEqual(expect.arrayContaining([...statuses]))
      for (const { code, end, output } of three) {
        expect(output()).not.toMatch(/GitHub does not answer|was set back/)
        expect(code()).toBeNull()
        expect(await end('SIGTERM')).toBe(0)
      }
    },
    TEST_MS_MAX,
  )

  test(
    'that falls silent is told, turns webhooks away, and is found again under its address',
    async () => {
      const [one, other] = [await running(), await running()]
      const before = await bring(one)
      expect(before.status).toBe(202)
      database.network.swallow()
      onTestFinished(() => database.network.open())
      await until(async () => (await reasonsOf(one)).status === 503)
      expect(await reasonsOf(one)).toEqual(away)
      expect((await fetch(`${one.url}/health/live`)).status).toBe(200)
      expect((await bring(one)).status).toBe(503)
      await until(async () => one.output().includes('the database does not answer; what arrives is turned away'))
      const asked = performance.now()
      expect(await other.end('SIGTERM')).toBe(0)
      expect(performance.now() - asked).toBeLessThan(10_000)
      await database.network.open()
      await until(() => isReady(one), BACK_MS_MAX)
      await until(async () => (await bring(one)).status === 202, BACK_MS_MAX)
      await expectKept([before.guid])
      await until(async () => one.output().includes('the database answers again'))
      expect(await one.end('SIGTERM')).toBe(0)
    },
    TEST_MS_MAX,
  )

  test(
    'that is not up yet is waited for in words, and a stop is a stop all the same',
    async () => {
      database.network.shut()
      onTestFinished(() => database.network.open())
      const [one, other] = [await begun(), await begun()]
      for (const each of [one, other]) {
        await until(
          async () => each.output().includes('the database does not answer yet; it is waited for'),
          START_MS_MAX,
        )
      }
      expect(await reasonsOf(one)).toEqual(away)
      expect((await fetch(`${one.url}/health/live`)).status).toBe(200)
      expect((await bring(one)).status).toBe(503)
      const asked = performance.now()
      expect(await other.end('SIGTERM')).toBe(0)
      expect(performance.now() - asked).toBeLessThan(2_000)
      await database.network.open()
      await until(() => isReady(one), BACK_MS_MAX)
      expect((await bring(one)).status).toBe(202)
      expect(await one.end('SIGTERM')).toBe(0)
    },
    TEST_MS_MAX,
  )

  test.each([
    ['has no connection left', 'alter role {role} connection limit 0', 'alter role {role} connection limit -1'],
    [
      'takes no writes',
      'alter database {name} set default_transaction_read_only = on',
      'alter database {name} reset default_transaction_read_only',
    ],
    ['does not let the account in', 'alter role {role} nologin', 'alter role {role} login'],
  ])(
    'that %s is waited for, at the start and later',
    async (_, worse, better) => {
      await database.ask(worse)
      onTestFinished(async () => void (await database.ask(better)))
      const one = await begun()
      await until(async () => one.output().includes('the database does not answer yet; it is waited for'), START_MS_MAX)
      await database.ask(better)
      await until(() => isReady(one), BACK_MS_MAX)
      const before = await bring(one)
      expect(before.status).toBe(202)
      await database.ask(worse)
      await database.cut()
      await until(async () => (await bring(one)).status === 503)
      await until(async () => one.output().includes('the database does not answer; what arrives is turned away'))
      expect(await reasonsOf(one)).toEqual(away)
      await database.ask(better)
      await until(async () => (await bring(one)).status === 202, BACK_MS_MAX)
      await until(() => isReady(one), BACK_MS_MAX)
      await expectKept([before.guid])
      expect(one.code()).toBeNull()
      expect(await one.end('SIGTERM')).toBe(0)
    },
    TEST_MS_MAX,
  )

  test(
    'that knows no such database is no weather: the App says so and ends',
    async () => {
      const url = new URL(database.url)
      url.pathname = '/nowhere'
      const started = beganApp({ ...environmentOf(github), DATABASE_URL: url.href }, newDirectory())
      await until(async () => started.code() !== null, START_MS_MAX)
      expect(started.code()).toBe(1)
      expect(started.output()).toMatch(/countersign: .*database "nowhere" does not exist/)
    },
    TEST_MS_MAX,
  )
})
