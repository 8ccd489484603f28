// A model that thinks for minutes and shows nothing of it: it is alive as long as its line is, within what one call may take,
// and what it thought is on the bill once.
import { afterEach, describe, expect, test } from 'vitest'
import { anthropicModel, type Deadlines } from '../../src/adapters/anthropic/model.ts'
import type { Asked } from '../../src/verifier/calls/model.ts'
import { dollarsOf } from '../../src/verifier/calls/money.ts'
import { aWire, ended, opened, sse, streams, texts, type Event, type Handler, type Wire } from './server.ts'

let wire: Wire | null = null
afterEach(async () => {
  await wire?.stop()
  wire = null
})

const patient = { firstMs: 400, betweenBytesMs: 400, callMs: 10_000 }

async function asked(handler: Handler, deadlines: Deadlines = patient): Promise<Asked> {
  wire = await aWire(handler)
  const model = anthropicModel({ apiKey: 'k', baseUrl: wire.url, deadlines })
  const content = [{ text: 'this', cache: null }]
  return model.ask(
    { model: 'claude-sonnet-5-5', system: [], content, format: null, effort: 'high', max_tokens: 100 },
    new AbortController().signal,
  )
}

describe('a model that thinks', () => {
  const thought = {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'thinking_delta', thinking: 'h'.repeat(500) },
  }
  const begins = [
    opened(),
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    thought,
  ]
  /** Silent but for what keeps its line open, which the SDK hands to nobody. */
  const pinging =
    (pings: number, everyMs: number, end: readonly Event[]): Handler =>
    (response) => {
      streams(response, begins, false)
      let sent = 0
      const timer = setInterval(() => {
        sent += 1
        if (sent <= pings) response.write(sse([{ type: 'ping' }]))
        else {
          clearInterval(timer)
          response.end(sse([{ type: 'content_block_stop', index: 0 }, ...texts('yes', 1), ...end]))
        }
      }, everyMs)
      response.on('close', () => clearInterval(timer))
    }
  test('silently for longer than a pause may be, is alive as long as its line is', async () => {
    const answer = await asked(pinging(12, 100, ended('end_turn')))
    expect(answer).toMatchObject({ kind: 'answered', text: 'yes' })
    expect(answer.ms).toBeGreaterThan(1_000)
  })

  test('for ever, ends when one call has taken as long as it may', async () => {
    const answer = await asked(pinging(1_000, 50, []), { ...patient, callMs: 700 })
    expect(answer).toMatchObject({ kind: 'failed', cause: 'deadline' })
    // What was thought until then is billed: 500 bytes are 200 tokens.
    expect(answer.usage).toMatchObject({ input: 40, output: 200 })
  })

  test('is billed for what it thought, once', async () => {
    const [delta, stop] = ended('end_turn')
    const usage = { output_tokens: 500, output_tokens_details: { thinking_tokens: 400 } }
    const answer = await asked((response) =>
      streams(response, [...begins, ...texts('yes', 1), { ...delta, type: 'message_delta', usage }, stop ?? opened()]),
    )
    expect(answer.usage).toMatchObject({ output: 500, thinking: 400 })
    expect(dollarsOf('claude-sonnet-5-5', { ...answer.usage, input: 0, cache_read: 0, cache_write_5m: 0 }, {})).toBe(
      0.005,
    )
  })
})
