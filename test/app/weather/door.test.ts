// The door of the App: what it lets in, and what it answers to everybody else.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { runningApp, type Running } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'
import { post, signatureOf } from '../lab/spawned.ts'
import { figureIn } from '../../figure.ts'

let app: Running
let secret: string
let shop: Shop
beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', '')
  app = await runningApp()
  secret = app.github.app.webhookSecret
  shop = await aShop(app)
}, 90_000)
afterAll(async () => {
  await app.stop()
  vi.unstubAllEnvs()
})

describe('a webhook is refused', () => {
  test('with a signature of another secret', async () => {
    expect((await post(app.url, '{}', 'a guess')).status).toBe(401)
  })

  test.each(['', 'nonsense', 'sha256=', `sha256=${'0'.repeat(64)}`])('with the signature %j', async (signature) => {
    expect((await post(app.url, '{}', secret, { 'x-hub-signature-256': signature })).status).toBe(401)
  })

  test('when its body was changed on the way', async () => {
    const signed = { 'x-hub-signature-256': signatureOf('{"a":1}', secret) }
    expect((await post(app.url, '{"a":2}', secret, signed)).status).toBe(401)
  })

  test('without a body', async () => {
    expect((await post(app.url, '', secret)).status).toBe(401)
  })

  test.each([
    ['x-github-event', 400],
    ['x-github-delivery', 400],
    ['x-hub-signature-256', 401],
  ])('without %s', async (header, expected) => {
    const { status, text } = await post(app.url, '{}', secret, { [header]: null })
    expect(status).toBe(expected)
    expect(text).toContain(header)
  })

  test('when it is larger than GitHub sends', async () => {
    expect((await post(app.url, ' '.repeat(25 * 1024 * 1024 + 1), secret)).status).toBe(413)
  })

  test('when it is no JSON although GitHub signed it, and says which setting is wrong', async () => {
    const { status, text } = await post(app.url, 'payload=%7B%7D', secret)
    expect(status).toBe(400)
    expect(text).toContain('application/json')
  })

  test('and none of it reaches the inbox or harms the App', async () => {
    const { inbox } = health.parse(await (await fetch(`${app.url}/health`)).json())
    expect(inbox).toMatchObject({ waiting: 0, dead: 0 })
    expect(app.output()).toBe('')
  })
})

test.each([
  ['an event that we do not know', 'star', '{"action":"created"}'],
  ['a known event without what it should hold', 'pull_request', '{"action":"opened"}'],
  ['JSON that is no object', 'pull_request', '[1, null]'],
  ['a ping', 'ping', '{"zen":"Keep it logically awesome."}'],
])('%s is acknowledged and ignored', async (_title, event, body) => {
  expect(await post(app.url, body, secret, { 'x-github-event': event })).toEqual({ status: 202, text: 'ignored\n' })
})

test('the same delivery twice has one effect', async () => {
  await shop.push('twice')
  const number = await shop.open('agent', { head: 'twice' })
  await shop.say(number, 'dan', '/status')
  const before = await shop.comments(number)
  const delivery = app.github.deliveries().findLast(({ event }) => event === 'issue_comment')
  app.github.redeliver(delivery?.id ?? 0)
  await shop.idle()
  const again = app.github.deliveries().at(-1)
  expect(again).toMatchObject({ guid: delivery?.guid, redelivery: true, statusCode: 202 })
  expect(before).toHaveLength(1)
  expect(await shop.comments(number)).toEqual(before)
})

const health = z.object({
  status: z.string(),
  reasons: z.array(z.unknown()),
  store: z.object({ id: z.uuid(), since: z.iso.datetime() }),
  inbox: z.object({ waiting: z.int(), active: z.int(), dead: z.int(), oldest_waiting_at: z.string().nullable() }),
})

test('health tells what waits, figures are for Prometheus', async () => {
  await shop.push('figures')
  const answer = await fetch(`${app.url}/health`)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(health.parse(await answer.json())).toEqual({
    status: 'ok',
    reasons: [],
    store: expect.anything(),
    inbox: { waiting: 0, active: 0, dead: 0, oldest_waiting_at: null },
  })
  const metrics = await fetch(`${app.url}/metrics`)
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4')
  const text = await metrics.text()
  for (const name of ['waiting', 'active', 'dead', 'oldest_seconds']) {
    expect(figureIn(text, `countersign_inbox_${name}`)).toBe(0)
    expect(text).toContain(`# TYPE countersign_inbox_${name} gauge`)
  }
  for (const name of ['process_resident_memory', 'nodejs_heap_size_used', 'nodejs_external_memory'])
    expect(figureIn(text, `${name}_bytes`)).toBeGreaterThan(1_000_000)
  expect(figureIn(text, String.raw`countersign_github_requests\{installation="\d+"\}`)).toBeGreaterThan(0)
})

test.each([
  ['GET', '/', 200],
  ['GET', '/health?probe=1', 200],
  ['GET', '/health/live', 200],
  ['GET', '/nothing', 404],
  ['GET', '/api/github/webhooks', 405],
  ['PUT', '/api/github/webhooks', 405],
  ['POST', '/health', 405],
  ['DELETE', '/', 405],
])('%s %s is answered with %i', async (method, path, status) => {
  expect((await fetch(`${app.url}${path}`, { method })).status).toBe(status)
})

test('a proxy may keep a connection for later for more than the minute that most do', async () => {
  const { headers } = await fetch(`${app.url}/health/live`)
  expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(60)
})
