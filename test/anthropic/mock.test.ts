// The same adapter against an independent double of the API, so that our own server does not prove only itself.
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anthropicModel } from '../../src/adapters/anthropic/model.ts'
import type { Asked } from '../../src/verifier/calls/model.ts'

const mock = new LLMock({ port: 0, logLevel: 'silent' })
beforeAll(async () => mock.start())
afterAll(async () => mock.stop())
beforeEach(() => mock.clearFixtures())

const ask = async (): Promise<Asked> => {
  const model = anthropicModel({
    apiKey: 'k',
    baseUrl: mock.url,
    deadlines: { firstMs: 500, betweenBytesMs: 500, callMs: 1_000 },
  })
  const content = [{ text: 'the change', cache: null }]
  return model.ask(
    { model: 'claude-sonnet-5-5', system: [], content, format: null, effort: 'low', max_tokens: 50 },
    new AbortController().signal,
  )
}

test('an answer', async () => {
  mock.onMessage('the change', { content: '{"passed":true}' })
  expect(await ask()).toMatchObject({ kind: 'answered', text: '{"passed":true}' })
})

test.each([
  ['refusal', 'refused'],
  ['length', 'truncated'],
  ['model_context_window_exceeded', 'context_exceeded'],
])('an end by %s', async (finishReason, kind) => {
  mock.onMessage('the change', { content: 'I', finishReason })
  expect(await ask()).toMatchObject({ kind })
})

test.each([
  [400, 'invalid_request_error', 'config'],
  [500, 'api_error', 'transient'],
  [529, 'overloaded_error', 'transient'],
])('an error %i', async (status, type, cause) => {
  mock.onMessage('the change', { error: { message: 'no', type }, status })
  expect(await ask()).toMatchObject({ kind: 'failed', cause, status })
})
