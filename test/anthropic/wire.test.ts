// What goes over the wire, to the letter: who asks whom with which key, what is cached, and that neither the environment
// nor the author of a change has a say in it.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { anthropicModel } from '../../src/adapters/anthropic/model.ts'
import {
  aChange,
  aContract,
  aFile,
  attemptFor,
  guardLines,
  nonceIn,
  outcomeOf,
  probesIn,
  saysPass,
  verdictOf,
} from '../verifier/lab.ts'
import type { ModelRequest } from '../../src/verifier/calls/model.ts'
import { answers, aWire, fails, type Wire } from './server.ts'

let wire: Wire | null = null
afterEach(async () => {
  vi.unstubAllEnvs()
  await wire?.stop()
  wire = null
})

const block = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  cache_control: z.object({ type: z.string(), ttl: z.string() }).optional(),
})
const bodyShape = z.strictObject({
  model: z.string(),
  max_tokens: z.number(),
  stream: z.literal(true),
  thinking: z.strictObject({ type: z.literal('adaptive'), display: z.literal('summarized') }),
  system: z.array(block),
  messages: z.tuple([z.strictObject({ role: z.literal('user'), content: z.array(block) })]),
  output_config: z.strictObject({
    effort: z.string(),
    format: z.strictObject({ type: z.literal('json_schema'), schema: z.looseObject({}) }),
  }),
})
type Body = z.output<typeof bodyShape>

/** A server that answers as a model would that finds everything in order. */
async function anHonestWire(): Promise<Wire> {
  return aWire((response, { path, body }) => {
    if (path.startsWith('/v1/models')) return fails(response, 500, { type: 'api_error', message: 'later' })
    return answers(response, JSON.stringify(saysPass(requestOf(bodyShape.parse(body)))))
  })
}

function requestOf({ model, max_tokens, system, messages }: Body): ModelRequest {
  const plain = ({ text }: { text: string }) => ({ text, cache: null })
  return {
    model,
    max_tokens,
    system: system.map(plain),
    content: messages[0].content.map(plain),
    format: null,
    effort: 'high',
  }
}

const bodies = (): Body[] =>
  (wire?.arrived ?? []).filter(({ path }) => path === '/v1/messages').map(({ body }) => bodyShape.parse(body))
const modelAt = (url: string) => anthropicModel({ apiKey: 'the-key', baseUrl: url })

test('a review passes end to end, and its request holds nothing but what it should', async () => {
  wire = await anHonestWire()
  const answer = await verdictOf({ model: modelAt(wire.url) })
  expect(answer).toMatchObject({
    verdict: { outcome: 'PASS' },
    examined: {
      cost: {
        calls: [
          { purpose: 'tier2 0', request_id: 'req_42', input: 40, cache_write: 1_000, cache_read: 9_000, output: 500 },
        ],
      },
    },
  })
  const [body] = bodies()
  expect(body?.system.map(({ cache_control }) => cache_control?.ttl ?? null)).toEqual([null, '5m'])
  expect(body?.messages[0].content.map(({ cache_control }) => cache_control?.ttl ?? null)).toEqual([null, '5m', null])
  expect(body).toMatchObject({ model: 'claude-sonnet-5-5', max_tokens: 16_000, output_config: { effort: 'high' } })
  expect(wire.arrived.at(-1)?.headers).toMatchObject({
    authorization: 'Bearer the-key',
    'anthropic-version': '2026-10-21',
  })
})

test('the schema asks for every key, and knows no other', async () => {
  wire = await anHonestWire()
  await verdictOf({ model: modelAt(wire.url) })
  const schema = bodies()[0]?.output_config.format.schema
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
  expect(schema?.['required']).toEqual(Object.keys(z.looseObject({}).parse(schema?.['properties'])))
  expect(JSON.stringify(schema)).not.toMatch(/minLength|maxLength|pattern|minimum|anyOf|\$ref/)
})

describe('the prefix', () => {
  const prefixOf = ({ system, messages, output_config }: Body, parts: number): string =>
    JSON.stringify([system, messages[0].content.slice(0, parts), output_config])

  test('is one for all votes, and nothing in it depends on the vote', async () => {
    wire = await anHonestWire()
    await verdictOf({ model: modelAt(wire.url), attempt: attemptFor(aContract({ verifier: { tier: 3, votes: 5 } })) })
    expect(bodies()).toHaveLength(6)
    expect(new Set(bodies().map((body) => prefixOf(body, 2))).size).toBe(1)
    expect(new Set(bodies().map(({ messages }) => messages[0].content[2]?.text)).size).toBe(6)
    for (const body of bodies()) expect(prefixOf(body, 2)).not.toContain(nonceIn(requestOf(body)))
  })

  test('up to the task is one for all attempts of a contract', async () => {
    wire = await anHonestWire()
    const contract = aContract()
    await verdictOf({ model: modelAt(wire.url), attempt: attemptFor(contract) })
    await verdictOf({
      model: modelAt(wire.url),
      attempt: attemptFor(contract, { ordinal: 2, head_sha: 'b'.repeat(40), id: 't#2' }),
      change: aChange([aFile('src/other.ts', guardLines)]),
    })
    const [one, two] = bodies()
    expect(one && prefixOf(one, 1)).toBe(two && prefixOf(two, 1))
    expect(one && prefixOf(one, 2)).not.toBe(two && prefixOf(two, 2))
  })

  test('orders the questions anew for each vote', async () => {
    wire = await anHonestWire()
    await verdictOf({ model: modelAt(wire.url), attempt: attemptFor(aContract({ verifier: { tier: 3 } })) })
    const orders = bodies().map(
      ({ messages }) => /in this order: (.*)/.exec(messages[0].content[2]?.text ?? '')?.[1] ?? '',
    )
    expect(new Set(orders).size).toBeGreaterThan(1)
    expect(new Set(orders.map((order) => order.split(' ').toSorted().join())).size).toBe(1)
  })
})

test('the environment cannot add a header, choose a server or lend a key', async () => {
  wire = await anHonestWire()
  vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'x-spy: yes\nauthorization: Bearer other\nx-api-key: other')
  vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1')
  vi.stubEnv('ANTHROPIC_API_KEY', 'other')
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'other')
  expect(await outcomeOf({ model: modelAt(wire.url) })).toBe('PASS')
  const headers = wire.arrived.at(-1)?.headers
  expect(headers).toMatchObject({ authorization: 'Bearer the-key' })
  expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('x-') && !name.startsWith('x-stainless'))).toEqual(
    [],
  )
})

test('what a model can do is looked up once a day', async () => {
  let now = 0
  wire = await aWire((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        id: 'm',
        type: 'model',
        lifecycle: 'active',
        max_input_tokens: 9,
        max_tokens: 5,
        capabilities: {
          structured_outputs: { supported: false },
          image_input: { supported: true },
          thinking: { supported: true, types: { adaptive: { supported: false }, enabled: { supported: true } } },
        },
      }),
    )
  })
  const model = anthropicModel({ apiKey: 'k', baseUrl: wire.url, now: () => now })
  expect(await model.describe('m')).toEqual({
    structured_outputs: false,
    image_input: true,
    adaptive_thinking: false,
    max_input_tokens: 9,
    max_tokens: 5,
    retired: false,
  })
  await model.describe('m')
  expect(wire.arrived).toHaveLength(1)
  now = 86_400_001
  await model.describe('m')
  expect(wire.arrived).toHaveLength(2)
})

test('a model that is not there is looked for again whenever somebody wants to ask it', async () => {
  wire = await aWire((response, _arrived, nth) => {
    if (nth === 1) return fails(response, 404, { type: 'not_found_error', message: 'no such model' })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'm', type: 'model' }))
    return undefined
  })
  const model = anthropicModel({ apiKey: 'k', baseUrl: wire.url })
  expect(await model.describe('m')).toBeNull()
  expect(await model.describe('m')).toMatchObject({ retired: false })
})

test('a model that does not take adaptive thinking is not asked for it', async () => {
  wire = await aWire((response, { path, body }) => {
    if (!path.startsWith('/v1/models'))
      return 'thinking' in z.looseObject({}).parse(body)
        ? fails(response, 400, { type: 'invalid_request_error', message: 'thinking.type: adaptive is not supported' })
        : answers(response, 'yes')
    const types = { adaptive: { supported: false }, enabled: { supported: true } }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'm', type: 'model', capabilities: { thinking: { supported: true, types } } }))
    return undefined
  })
  const model = modelAt(wire.url)
  await model.describe('m')
  const request = { model: 'm', system: [], content: [], format: null, effort: 'low', max_tokens: 9 } as const
  expect(await model.ask(request, new AbortController().signal)).toMatchObject({ kind: 'answered', text: 'yes' })
})

test('a model that does not exist is told from one that nobody can ask about', async () => {
  wire = await aWire((response, { path }) =>
    fails(response, path.endsWith('gone') ? 404 : 503, { type: 'not_found_error', message: 'no' }),
  )
  const model = modelAt(wire.url)
  expect(await model.describe('gone')).toBeNull()
  expect(await model.describe('busy')).toBe('unknown')
})

test('no vote sees another: what one said is in no later request', async () => {
  wire = await anHonestWire()
  await verdictOf({ model: modelAt(wire.url), attempt: attemptFor(aContract({ verifier: { tier: 3 } })) })
  for (const body of bodies()) expect(JSON.stringify(body)).not.toContain('The guard was read')
  expect(probesIn(requestOf(bodies()[0] ?? bodySample)).length).toBeGreaterThan(0)
})

const bodySample: Body = {
  model: '',
  max_tokens: 0,
  stream: true,
  thinking: { type: 'adaptive', display: 'summarized' },
  system: [],
  messages: [{ role: 'user', content: [] }],
  output_config: { effort: '', format: { type: 'json_schema', schema: {} } },
}
