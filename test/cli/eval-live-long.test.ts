// `countersign eval` as a process that asks a model behind a wire: where it asks, with which key, what it shows on the way,
// and what it says when nobody answers.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import type { ModelRequest } from '../../src/verifier/calls/model.ts'
import { answers, aWire, fails, type Handler } from '../anthropic/server.ts'
import { nonceIn, probesIn, saysPass } from '../verifier/lab.ts'
import { newDirectory } from './a-store.ts'
import { countersign } from './cli.ts'

beforeEach(() => {
  for (const name of ['ANTHROPIC_API_KEY', 'MODEL_BASE_URL', 'PORT']) vi.stubEnv(name, '')
})
afterEach(() => vi.unstubAllEnvs())

async function evaluate(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const cwd = newDirectory()
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text)
  return countersign(['eval', ...args], { cwd })
}

const blocks = z.array(z.object({ text: z.string() }))
const body = z.object({ model: z.string(), system: blocks, messages: z.tuple([z.object({ content: blocks })]) })
const plain = ({ text }: { text: string }) => ({ text, cache: null })
const proof = { path: 'src/pages.ts', side: 'new', line: 2, quote: 'Math.ceil(items / size)' }

function requestOf(arrived: unknown): ModelRequest {
  const { model, system, messages } = body.parse(arrived)
  const content = messages[0].content.map(plain)
  return { model, system: system.map(plain), content, format: null, effort: 'high', max_tokens: 1 }
}

/** Turns the criterion into one question, and finds every question answered by the new line. */
const honest: Handler = (response, arrived) => {
  if (arrived.path.startsWith('/v1/models')) return fails(response, 500, { type: 'api_error' })
  const request = requestOf(arrived.body)
  const probes = probesIn(request).map(({ id, polarity }) => {
    return { id, evidence: polarity === 'presence' ? [proof] : [], why: 'It rounds up.', answer: 'met' }
  })
  const question = { criterion: 0, text: 'Does the last page hold what is left?', polarity: 'presence' }
  const decomposes = probes.length === 0
  const said = decomposes ? { probes: [{ ...question, conditional: false }] } : saysPass(request, { probes })
  expect(decomposes || nonceIn(request) !== 'recorded').toBe(true)
  return answers(response, JSON.stringify(said))
}

async function serve(handler: Handler) {
  const wire = await aWire(handler)
  onTestFinished(wire.stop)
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-of-the-test')
  vi.stubEnv('MODEL_BASE_URL', `${wire.url}/`)
  return wire.arrived
}

async function exampleOfTheHelp(): Promise<string> {
  const { out } = await evaluate(['--help'])
  return /^ {2}cases:\n[\s\S]*?(?=\n\n)/m.exec(out)?.[0].replaceAll(/^ {2}/gm, '') ?? ''
}

test('the example of the help is judged, at the address and with the key that were set', async () => {
  const arrived = await serve(honest)
  // Meant for other programs that use the same SDK.
  vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9')
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'of somebody else')
  vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'x-other: yes')
  vi.stubEnv('ANTHROPIC_LOG', 'debug')
  const args = ['set.yml', '--json', '--repeats', '2', '--model', 'claude-haiku-5-5']
  const { code, out, err } = await evaluate(args, { 'set.yml': await exampleOfTheHelp() })
  expect(err).toBe('1 of 2: pages keep their last item\n2 of 2: pages keep their last item\n')
  expect(JSON.parse(out)).toMatchObject({
    recorded: false,
    model: 'claude-haiku-5-5',
    rows: [{ outcome: 'PASS', calls: 7, evidence: { given: 6, verified: 6 } }, { outcome: 'PASS' }],
    scores: [{ cases: 2, false_accepts: 0, false_rejects: 0, flip_rate: 0, calls: 14, coverage: 1 }],
  })
  expect(JSON.parse(out).scores[0].usd).toBeGreaterThan(0)
  expect(code).toBe(0)
  const asked = arrived.filter(({ path }) => path === '/v1/messages')
  expect(asked.map(({ body }) => requestOf(body).model)).toEqual(Array(14).fill('claude-haiku-5-5'))
  for (const { headers } of arrived) {
    expect(headers.authorization).toBe('Bearer sk-of-the-test')
    expect(headers['x-other']).toBeUndefined()
  }
})

test('a case that the model was not there for is told apart from one that it judged', async () => {
  await serve((response) => fails(response, 401, { type: 'authentication_error', message: 'invalid key' }))
  const { code, out, err } = await evaluate(['set.yml'], { 'set.yml': await exampleOfTheHelp() })
  expect(code).toBe(1)
  expect(out).toContain('--  pages keep their last item  accept  tier 2  verifier  UNAVAILABLE config\n')
  expect(out).toContain('Judged by claude-sonnet-5-5, at the list prices of ')
  expect(err).toBe(
    '1 of 1: pages keep their last item\ncountersign eval: 1 of 1 were not judged: the API refused the request; ' +
      'check ANTHROPIC_API_KEY, MODEL_BASE_URL and the model.\n',
  )
  expect(out + err).not.toContain('sk-of-the-test')
})

test('a key that is missing is asked for, in the environment or in .env', async () => {
  const { code, out, err } = await evaluate([])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^countersign eval: ANTHROPIC_API_KEY is missing\. Set it.* or say --recorded /)
  expect(JSON.parse((await evaluate(['--json'])).out)).toMatchObject({ error: expect.stringMatching(/is missing/) })
  vi.stubEnv('ANTHROPIC_API_KEY', undefined)
  const found = await evaluate([], { '.env': 'ANTHROPIC_API_KEY="two words"\n' })
  expect(found).toMatchObject({ code: 2, err: expect.stringMatching(/ANTHROPIC_API_KEY must be the bare key/) })
})

test('a model that nobody can price is asked only with a price', async () => {
  const refused = await evaluate(['--model', 'claude-opus-4-8'])
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /nobody knows what claude-opus-4-8 costs\. Say it with --price, or ask claude-sonnet-5-5/,
    ),
  })
  expect(await evaluate(['--price', 'dear'])).toMatchObject({ code: 2, err: expect.stringMatching(/such as 3\/15/) })
  await serve(honest)
  const files = { 'set.yml': await exampleOfTheHelp() }
  const priced = await evaluate(['set.yml', '--model', 'claude-opus-4-8', '--price', '100/1000', '--json'], files)
  expect(priced.code).toBe(0)
  const dear = z.object({ rows: z.tuple([z.object({ reason: z.literal('budget') })]) })
  expect(dear.safeParse(JSON.parse(priced.out)).error).toBeUndefined()
})
