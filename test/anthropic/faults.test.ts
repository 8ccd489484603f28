// The real SDK against servers that fail in every way that the table of faults knows: what is seen, how often it is tried,
// under which deadline, and that none of it is ever a pass or a vote.
import { afterEach, describe, expect, test } from 'vitest'
import { anthropicModel } from '../../src/adapters/anthropic/model.ts'
import type { Asked } from '../../src/verifier/calls/model.ts'
import { outcomeOf, attemptFor, aContract } from '../verifier/lab.ts'
import { answers, aWire, ended, fails, opened, streams, texts, type Handler, type Wire } from './server.ts'

let wire: Wire | null = null
afterEach(async () => {
  await wire?.stop()
  wire = null
})

const quick = { firstMs: 300, betweenBytesMs: 300, callMs: 1_200 }
const request = {
  model: 'claude-sonnet-5-5',
  system: [{ text: 'judge', cache: null }],
  content: [{ text: 'this', cache: null }],
  format: null,
  effort: 'high',
  max_tokens: 100,
} as const

async function asked(handler: Handler, signal = new AbortController().signal): Promise<Asked> {
  wire = await aWire(handler)
  return anthropicModel({ apiKey: 'k', baseUrl: wire.url, deadlines: quick }).ask(request, signal)
}

/** Through the whole verifier: how it ends, and how many requests it took. */
async function whole(
  handler: Handler,
  tier: 2 | 3 = 2,
): Promise<{ outcome: string; requests: number; pauses: number[] }> {
  wire = await aWire((response, arrived, nth) =>
    arrived.path.startsWith('/v1/models')
      ? fails(response, 500, { type: 'api_error', message: 'no' })
      : handler(response, arrived, nth),
  )
  const pauses: number[] = []
  const model = anthropicModel({ apiKey: 'k', baseUrl: wire.url, deadlines: quick })
  const attempt = attemptFor(aContract({ verifier: { tier } }))
  const outcome = await outcomeOf({ model, attempt, pauses, attemptMsMax: 5_000 })
  return { outcome, requests: wire.arrived.filter(({ path }) => path === '/v1/messages').length, pauses }
}

const spend = { type: 'rate_limit_error', message: 'limit', details: { error_code: 'enforced_spend_limit_reached' } }
const ramp = { type: 'rate_limit_error', message: 'ramp', details: { error_code: 'ramp_limit_exceeded' } }
const error = (type: string) => ({ type, message: 'no' })
const wrong = (message: string) => ({ type: 'invalid_request_error', message })
const tooLong = 'prompt is too long: 214315 tokens > 200000 maximum'
const noRoom = 'input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000'
const filtered = 'Output blocked by content filtering policy'

describe('each fault has its class, its tries and its end', () => {
  test.each<[string, Handler, string, number]>([
    ['408', (response) => fails(response, 408, error('timeout_error')), 'UNAVAILABLE transient', 3],
    ['409', (response) => fails(response, 409, error('conflict_error')), 'UNAVAILABLE transient', 3],
    ['429', (response) => fails(response, 429, error('rate_limit_error')), 'UNAVAILABLE transient', 3],
    ['429 for a spend limit', (response) => fails(response, 429, spend), 'UNAVAILABLE money', 1],
    ['429 while the limit ramps', (response) => fails(response, 429, ramp), 'UNAVAILABLE ramp', 1],
    ['500', (response) => fails(response, 500, error('api_error')), 'UNAVAILABLE transient', 3],
    ['529', (response) => fails(response, 529, error('overloaded_error')), 'UNAVAILABLE transient', 3],
    ['502 with a page', (response) => page(response, 502), 'UNAVAILABLE transient', 3],
    ['200 with a page', (response) => page(response, 200), 'UNAVAILABLE transient', 3],
    ['a connection that is reset', (response) => void response.destroy(), 'UNAVAILABLE transient', 3],
    [
      'an error in the stream',
      (response) => streams(response, [opened(), { type: 'error', error: error('overloaded_error') }]),
      'UNAVAILABLE transient',
      3,
    ],
    [
      'a stream that is cut',
      (response) => streams(response, [opened(), ...texts('{"schema"')]),
      'UNAVAILABLE transient',
      3,
    ],
    ['broken JSON in the stream', (response) => broken(response), 'UNAVAILABLE transient', 3],
    ['402', (response) => fails(response, 402, error('billing_error')), 'UNAVAILABLE money', 1],
    ['400', (response) => fails(response, 400, error('invalid_request_error')), 'UNAVAILABLE config', 1],
    ['401', (response) => fails(response, 401, error('authentication_error')), 'UNAVAILABLE config', 1],
    ['403', (response) => fails(response, 403, error('permission_error')), 'UNAVAILABLE config', 1],
    ['404', (response) => fails(response, 404, error('not_found_error')), 'UNAVAILABLE config', 1],
    ['413', (response) => fails(response, 413, error('request_too_large')), 'REFER too_large', 1],
    ['413 of a proxy', (response) => page(response, 413), 'REFER too_large', 1],
    ['a prompt that is too long', (response) => fails(response, 400, wrong(tooLong)), 'REFER too_large', 1],
    ['a prompt without room for an answer', (response) => fails(response, 400, wrong(noRoom)), 'REFER too_large', 1],
    ['an answer that is filtered', (response) => fails(response, 400, wrong(filtered)), 'REFER refused', 1],
    [
      'an answer that is filtered in the middle',
      (response) => streams(response, [opened(), { type: 'error', error: wrong(filtered) }]),
      'REFER refused',
      1,
    ],
    ['422', (response) => fails(response, 422, error('invalid_request_error')), 'UNAVAILABLE config', 1],
    [
      'a refusal',
      (response) => streams(response, [opened(), ...ended('refusal', { stop_details: { category: 'cyber' } })]),
      'REFER refused',
      1,
    ],
    [
      'a refusal after some text',
      (response) => streams(response, [opened(), ...texts('{"schema":"v1"'), ...ended('refusal')]),
      'REFER refused',
      1,
    ],
    [
      'an answer that is cut off',
      (response) => streams(response, [opened(), ...texts('{"schema"'), ...ended('max_tokens')]),
      'REFER truncated',
      2,
    ],
    [
      'a prompt that does not fit',
      (response) => streams(response, [opened(), ...ended('model_context_window_exceeded')]),
      'REFER too_large',
      1,
    ],
    ['prose', (response) => answers(response, 'PASS'), 'REFER malformed', 2],
    ['another shape', (response) => answers(response, '{"schema":"v1","verdict":"PASS"}'), 'REFER malformed', 2],
    ['nothing', (response) => streams(response, [opened(), ...ended('end_turn')]), 'REFER malformed', 2],
    [
      'two texts',
      (response) => streams(response, [opened(), ...texts('{}'), ...texts('{}', 1), ...ended('end_turn')]),
      'REFER malformed',
      2,
    ],
    [
      'a tool',
      (response) =>
        streams(response, [
          opened(),
          { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'x', input: {} } },
          ...ended('tool_use'),
        ]),
      'REFER malformed',
      2,
    ],
    ['silence before the headers', () => undefined, 'UNAVAILABLE deadline', 3],
    [
      'silence after the headers',
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
      'UNAVAILABLE deadline',
      3,
    ],
    [
      'silence in the middle',
      (response) => streams(response, [opened(), ...texts('{')], false),
      'UNAVAILABLE deadline',
      3,
    ],
  ])('%s', async (_title, handler, outcome, requests) => {
    expect(await whole(handler)).toMatchObject({ outcome, requests })
  })
})

function page(response: Parameters<Handler>[0], status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' })
  response.end('<html><h1>Bad gateway</h1></html>')
}

function broken(response: Parameters<Handler>[0]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end('event: message_start\ndata: {"type": "message_sta\n\n')
}

describe('what is tried again, and when', () => {
  test('a pause that the server asks for is kept when it is short, and ends the tries when it is long', async () => {
    const busy =
      (seconds: string): Handler =>
      (response) =>
        fails(response, 429, error('rate_limit_error'), { 'retry-after': seconds })
    expect(await whole(busy('7'))).toMatchObject({ requests: 3, pauses: [7_000, 7_000] })
    await wire?.stop()
    expect(await whole(busy('3000'))).toMatchObject({ requests: 1, pauses: [] })
  })

  test('without one the pauses grow', async () => {
    expect(await whole((response) => fails(response, 500, error('api_error')))).toMatchObject({ pauses: [500, 2_000] })
  })

  test('a grammar that is too large is asked about once more without a schema', async () => {
    const large = { type: 'invalid_request_error', message: 'The compiled grammar is too large' }
    expect(await whole((response) => fails(response, 400, large))).toMatchObject({
      outcome: 'UNAVAILABLE config',
      requests: 2,
    })
    expect(JSON.stringify(wire?.arrived.at(-1)?.body)).not.toContain('json_schema')
  })

  test('an answer that is cut off is asked for with twice the room and less effort', async () => {
    await whole((response) => streams(response, [opened(), ...texts('{'), ...ended('max_tokens')]))
    expect(wire?.arrived.at(-1)?.body).toMatchObject({ max_tokens: 32_000, output_config: { effort: 'medium' } })
  })

  test('an outage among the voters leaves no quorum, and that is no opinion', async () => {
    const { outcome } = await whole((response) => fails(response, 529, error('overloaded_error')), 3)
    expect(outcome).toBe('UNAVAILABLE transient')
  })
})

describe('one call', () => {
  test('is answered with its usage, request id and time', async () => {
    expect(await asked((response) => answers(response, '{"a":1}'))).toMatchObject({
      kind: 'answered',
      text: '{"a":1}',
      request_id: 'req_42',
      model: 'claude-sonnet-5-5',
      usage: { input: 40, cache_write_5m: 1_000, cache_read: 9_000, output: 500 },
    })
  })

  test('keeps what was written for an hour apart', async () => {
    const cache_creation = { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 800 }
    const first = opened({ input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 1_000, cache_creation })
    const answer = await asked((response) => streams(response, [first, ...texts('x'), ...ended('end_turn')]))
    expect(answer.usage).toMatchObject({ cache_write_1h: 800, cache_write_5m: 200 })
  })

  test('skips thinking before the text', async () => {
    const thinking = [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_stop', index: 0 },
    ]
    const answer = await asked((response) =>
      streams(response, [opened(), ...thinking, ...texts('yes', 1), ...ended('end_turn')]),
    )
    expect(answer).toMatchObject({ kind: 'answered', text: 'yes' })
  })

  test('ends at once when its caller gives it up', async () => {
    const caller = new AbortController()
    const answer = asked((response) => {
      streams(response, [opened()], false)
      caller.abort()
    }, caller.signal)
    expect(await answer).toMatchObject({ kind: 'failed', cause: 'superseded' })
  })

  test('names the request that failed', async () => {
    expect(await asked((response) => fails(response, 400, error('invalid_request_error')))).toMatchObject({
      request_id: 'req_bad',
      status: 400,
    })
  })
})
