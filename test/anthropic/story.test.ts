// The whole way as people see it: engine, built-in verifier, the real SDK, and a model behind a wire. An objection, a
// repair and a pass; and an outage, which is said to be one.
import { aside, inLine } from '../../src/adapters/aside/aside.ts'
import { createHmac } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { anthropicModel } from '../../src/adapters/anthropic/model.ts'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { engineOver, load } from '../../src/engine/engine.ts'
import { app, record } from '../../src/engine/record.ts'
import { settle } from '../../src/engine/settle.ts'
import { builtInVerifier } from '../../src/engine/verify/verifier.ts'
import type { Change } from '../../src/verifier/change/change.ts'
import type { ModelRequest } from '../../src/verifier/calls/model.ts'
import { opening } from '../verifier/course.ts'
import { aChange, aContract, aFile, blocking, guardLines, saysPass, type Said } from '../verifier/lab.ts'
import { aForge } from '../world/forge.ts'
import { answers, aWire, fails, type Handler, type Wire } from './server.ts'

let wire: Wire | null = null
afterEach(async () => {
  await wire?.stop()
  wire = null
})

const blocks = z.array(z.object({ text: z.string() }))
const bodyShape = z.object({ model: z.string(), system: blocks, messages: z.tuple([z.object({ content: blocks })]) })
const plain = ({ text }: { text: string }) => ({ text, cache: null })

function requestOf(body: unknown): ModelRequest {
  const { model, system, messages } = bodyShape.parse(body)
  return {
    model,
    system: system.map(plain),
    content: messages[0].content.map(plain),
    format: null,
    effort: 'high',
    max_tokens: 1,
  }
}

const saying =
  (change: (request: ModelRequest) => Said): Handler =>
  (response, { body }) =>
    answers(response, JSON.stringify(saysPass(requestOf(body), change(requestOf(body)))))

async function aStage(handler: Handler, changes: Readonly<Record<string, Change>>) {
  wire = await aWire((response, arrived, nth) =>
    arrived.path.startsWith('/v1/models')
      ? fails(response, 500, { type: 'api_error' })
      : handler(response, arrived, nth),
  )
  const log: string[] = []
  const forge = aForge(log)
  const store = memoryStore()
  const ref = { stream: 'R1#4', task_id: 'acme/shop#4' }
  const verifier = builtInVerifier(
    {
      model: anthropicModel({ apiKey: 'k', baseUrl: wire.url }),
      evidence: {
        change: async ({ head_sha }) => changes[head_sha] ?? aChange(),
        past: async () => store.read(ref.stream),
        declaredModels: async () => ['gpt-9'],
      },
      clock: { now: () => '2026-01-05T09:00:00.000Z' },
      keyed: (text) => createHmac('sha256', 'secret').update(text).digest('hex'),
      nonce: () => 'nonce',
      pause: async () => undefined,
      chance: () => 0,
    },
    {
      login: async () => 'countersign[bot]',
      secrets: [],
    },
  )
  let ids = 0
  const engine = engineOver({
    store,
    forges: { of: async () => forge },
    verifier,
    clock: { now: () => '2026-01-05T09:00:00.000Z' },
    ids: { next: () => `s${(ids += 1)}` },
    aside: aside(inLine),
  })
  return {
    forge,
    shown: () => log.filter((line) => /check run|not reviewed/.test(line)).map((line) => line.trim()),
    sticky: () => [...forge.slots.values()].flatMap((slot) => (slot.kind === 'sticky' ? [slot.body] : [])).join('\n'),
    summary: () =>
      [...forge.slots.values()].flatMap((slot) => (slot.kind === 'check_run' ? [slot.summary] : [])).join('\n'),
    async push(sha: string) {
      forge.push(sha, [{ path: 'src/users.ts', previous_path: null, status: 'modified' }], 'passed', {})
      await record(engine, ref, opening(sha, aContract()), { actor: app, correlation_id: 'story' })
      await settle(engine, ref)
      return (await load(engine, ref)).task.attempts.findLast(({ live }) => live)?.decision
    },
  }
}

test('an objection, a retry that is told what to do, and a pass', async () => {
  const repaired = aChange([
    aFile(
      'src/users.ts',
      guardLines.map((line) => line.replace('!me.isAdmin', 'me?.isAdmin !== true')),
    ),
  ])
  const stage = await aStage(
    saying((request) => {
      const fixed = request.content.some(({ text }) => text.includes('me?.isAdmin'))
      const quote = 'if (me?.isAdmin !== true) throw new Forbidden()'
      const pass = saysPass(request)
      const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
      return fixed
        ? {
            probes: probes.map((one: Said) => ({
              ...one,
              evidence: [{ path: 'src/users.ts', side: 'new', line: 2, quote }],
            })),
          }
        : { findings: [blocking] }
    }),
    { a2: repaired },
  )
  expect(await stage.push('a1')).toMatchObject({ status: 'retry', row: 'soft' })
  expect(stage.sticky()).toContain('Check for null first.')
  expect(await stage.push('a2')).toMatchObject({ status: 'success', row: 'success' })
  expect(stage.shown().at(-1)).toContain('[success]')
})

test('an outage is said to be one, and is no verdict', async () => {
  const stage = await aStage((response) => fails(response, 529, { type: 'overloaded_error', message: 'busy' }), {})
  expect(await stage.push('a1')).toMatchObject({ status: 'pending', row: 'unavailable' })
  expect(stage.summary()).toContain('not reviewed')
  expect(stage.shown().join('\n')).not.toContain('success')
})
