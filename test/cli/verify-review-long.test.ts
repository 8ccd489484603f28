// `countersign verify` with a key: what the AI review says of what is not pushed yet, asked over a wire as it is in truth.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import type { ModelRequest } from '../../src/verifier/calls/model.ts'
import { answers, aWire, fails, type Arrived, type Handler } from '../anthropic/server.ts'
import { blocking, saysPass, type Said } from '../verifier/lab.ts'
import { countersign } from './cli.ts'
import { branchOf, policyPath, type Files } from './clones.ts'

vi.setConfig({ testTimeout: 120_000 })
beforeEach(() => {
  for (const name of ['ANTHROPIC_API_KEY', 'MODEL_BASE_URL', 'PORT']) vi.stubEnv(name, '')
})
afterEach(() => vi.unstubAllEnvs())

const policy = (verifier: string): string =>
  `verification: { checks: [{ name: test, command: 'true' }], verifier: { finders: 0, decomposer: identity, ${verifier} } }\n`
const before: Files = {
  [policyPath]: policy('criteria: "- Only administrators delete users"'),
  'src/users.ts': 'export {}\n',
}
const after: Files = {
  'src/users.ts': 'export const remove = (me) => {\n  if (!me.isAdmin) throw new Forbidden()\n}\n',
}
const verify = ['verify', '--base', 'main']

const blocks = z.array(z.object({ text: z.string() }))
const body = z.object({ model: z.string(), system: blocks, messages: z.tuple([z.object({ content: blocks })]) })

function requestOf({ body: arrived }: Arrived): ModelRequest {
  const plain = ({ text }: { text: string }) => ({ text, cache: null })
  const { model, system, messages } = body.parse(arrived)
  const content = messages[0].content.map(plain)
  return { model, system: system.map(plain), content, format: null, effort: 'high', max_tokens: 1 }
}

const saying =
  (changed: Said = {}): Handler =>
  (response, arrived) =>
    arrived.path.startsWith('/v1/models')
      ? fails(response, 500, { type: 'api_error' })
      : answers(response, JSON.stringify(saysPass(requestOf(arrived), changed)))

async function serve(handler: Handler): Promise<readonly Arrived[]> {
  const wire = await aWire(handler)
  onTestFinished(wire.stop)
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-of-the-test')
  vi.stubEnv('MODEL_BASE_URL', wire.url)
  return wire.arrived
}
const asked = (arrived: readonly Arrived[]): string =>
  arrived
    .filter(({ path }) => path === '/v1/messages')
    .flatMap((one) => requestOf(one).content.map(({ text }) => text))
    .join('\n')

test('one that has no objection is told with what it read and cost, and was shown task, change and results', async () => {
  const arrived = await serve(saying())
  const cwd = await branchOf(before, { ...after, 'task.md': '# Guard the deletion\n\nOf users.\n' })
  const { code, out, err } = await countersign([...verify, '--task', 'task.md'], { cwd })
  expect(out).toMatch(/^ok {4}AI review, confidence [\d.]+ \(\d+ of \d+ changed lines read, \$\d+\.\d\d\)$/m)
  expect(err).toContain('asking claude-sonnet-5-5 for the AI review; --no-review leaves it out')
  expect(code).toBe(0)
  for (const words of ['Guard the deletion', 'Only administrators delete users', 'me.isAdmin', 'export const remove'])
    expect(asked(arrived)).toContain(words)
  expect(asked(arrived)).not.toContain('sk-of-the-test')
})

test('one that objects stands in the way, at its line', async () => {
  await serve(saying({ findings: [blocking], proposed_verdict: 'SOFT_FAIL' }))
  const cwd = await branchOf(before, after)
  const { code, out } = await countersign(verify, { cwd })
  expect(out).toContain('FAIL  src/users.ts:2  A missing user is an administrator. (AI review)\n      when: me is null')
  expect(out).toMatch(/^FAIL {2}AI review objects/m)
  expect(out).toContain('This would not pass')
  const { review, passed } = JSON.parse((await countersign([...verify, '--json'], { cwd })).out)
  expect([code, passed]).toEqual([1, false])
  expect(review).toMatchObject({
    outcome: 'SOFT_FAIL',
    model: 'claude-sonnet-5-5',
    findings: [{ line: 2, level: 'blocking' }],
  })
})

test('one that is not sure enough asks for a person, and stops nothing here', async () => {
  await serve(saying({ confidence: 'medium' }))
  const sure = { ...before, [policyPath]: policy('min_confidence: 0.99') }
  const { code, out } = await countersign(verify, { cwd: await branchOf(sure, after) })
  expect(out).toMatch(/^note {2}AI review: a person has to look, confidence 0\.\d+/m)
  expect(code).toBe(0)
})

test('one that could not be had is no judgement', async () => {
  await serve((response) => fails(response, 401, { type: 'authentication_error', message: 'invalid key' }))
  const { code, out } = await countersign(verify, { cwd: await branchOf(before, after) })
  expect(out).toContain('note  not reviewed by claude-sonnet-5-5: the API refused the request')
  expect(code).toBe(0)
})

test.each<[string, readonly string[], Files, Files]>([
  ['it is not wanted', ['--no-review'], before, after],
  ['the policy has none', [], { ...before, [policyPath]: policy('enabled: false') }, after],
  ['the scope is left', [], { ...before, [policyPath]: `scope: { deny: [src/**] }\n${before[policyPath]}` }, after],
  ['a built-in check failed', [], before, { ...after, 'a.json': '{' }],
])('nobody is asked where %s', async (_title, more, base, change) => {
  const arrived = await serve(saying())
  const { out } = await countersign([...verify, ...more, '--json'], { cwd: await branchOf(base, change) })
  expect(JSON.parse(out)).toMatchObject({ review: null })
  expect(arrived).toEqual([])
})

test('a key that the clone brings is nobody’s', async () => {
  const arrived = await serve(saying())
  vi.stubEnv('ANTHROPIC_API_KEY', undefined)
  const cwd = await branchOf({ ...before, '.env': 'ANTHROPIC_API_KEY=sk-of-a-stranger\n' }, after)
  expect(readFileSync(`${cwd}/.env`, 'utf8')).toContain('stranger')
  expect(JSON.parse((await countersign([...verify, '--json'], { cwd })).out)).toMatchObject({ review: null })
  expect(arrived).toEqual([])
})

test('a task that is not there is told, and an option of another command is none', async () => {
  await serve(saying())
  const cwd = await branchOf(before, after)
  const missing = await countersign([...verify, '--task', 'nowhere.md'], { cwd })
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('It is named by --task.') })
  const other = await countersign(['tier1', '--base', 'main', '--no-review'], { cwd })
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('there is no option `--no-review`') })
})
