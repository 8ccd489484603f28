// Several engines over one store: whoever loses a race decides again on what the winner recorded.
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { verifyChain } from '../../src/core/decision/chain.ts'
import { engineOver, load } from '../../src/engine/engine.ts'
import { pullChanged } from '../../src/engine/intake.ts'
import { record } from '../../src/engine/record.ts'
import type { Forge, Store } from '../../src/ports.ts'
import { aForge } from '../world/forge.ts'
import { aWorld } from '../world/world.ts'

const checks = Array.from({ length: 12 }, (_, index) => `check-${index}`)
const told = { actor: { kind: 'action', login: 'ci', id: null }, correlation_id: 'race' } as const

const silent = async () => {
  throw new Error('nobody asks here')
}
const verifier = { available: true, verify: silent, judgeGate: silent }
const clock = { now: () => '2026-01-05T10:00:00.000Z' }
const ids = { next: () => 'id' }

test('nothing that two processes report at once is lost', async () => {
  const store = memoryStore()
  const world = await aWorld({ policy: { verification: { checks } }, store })
  await world.push('a1')
  const attempt_id = (await world.state()).attempts.at(0)?.id ?? ''
  const ports = {
    store,
    forges: { of: async () => world.forge },
    clock,
    ids,
    verifier,
  }
  const engines = [1, 2, 3].map(() => engineOver(ports))
  const report = {
    type: 'report_check',
    attempt_id,
    run: '1',
    state: 'passed',
    result: null,
    output_ref: null,
  } as const
  await Promise.all(
    checks.map((name, index) => record(engines[index % 3] ?? engineOver(ports), world.ref, { ...report, name }, told)),
  )
  const attempt = (await world.state()).attempts.at(0)
  expect(checks.map((name) => attempt?.checks[name]?.state)).toEqual(checks.map(() => 'passed'))
  expect(verifyChain(await world.events())).toBeNull()
})

test('a push that a webhook and the sweep find at once is announced once', async () => {
  const announced: string[] = []
  const head_sha = 'a1'.padEnd(40, '0')
  const facts = { title: 'Better', body: '', open: true, draft: false, conflicts: false, tree_sha: head_sha }
  const where = { head_sha, base_ref: 'main', base_is_default: true }
  const forge: Forge = {
    ...aForge([]),
    self: 'countersign[bot]',
    head: async () => head_sha,
    policyCopy: async () => null,
    changedFiles: async () => ({ files: [], complete: true }),
    results: async () => [],
    announce: async (sha) => ({ ref: String(announced.push(sha)) }),
    brief: async () => ({
      facts: { ...facts, ...where, author: { login: 'agent', kind: 'human' }, commits: [] },
      terms: async () => ({ policy: { sha: '', own: 'version: 1', organisation: null }, issues: [] }),
    }),
    openPulls: async () => [],
    issue: silent,
    change: silent,
    declaredModels: silent,
    pullsBetween: async () => [],
    policy: async () => ({ sha: '', own: 'version: 1', organisation: null }),
    requires: async () => true,
    protects: async () => null,
    census: async () => ({ census: { admin: 0, maintain: 0, write: 0 }, people: new Map() }),
    person: silent,
    reply: silent,
    react: silent,
    removeLabel: silent,
  }
  const engine = engineOver({ store: memoryStore(), forges: { of: async () => forge }, clock, ids, verifier })
  const repository = { key: 'R1', full_name: 'acme/shop' }
  const news = { kind: 'pull_changed', pull: 7, ...where, ready: true, by: null, at: clock.now() } as const
  await Promise.all(['webhook', 'catch-up'].map((told) => pullChanged(engine, repository, news, told)))
  expect(announced).toEqual([head_sha])
})

test('a slow read does not bring back what was true before it', async () => {
  const store = memoryStore()
  const world = await aWorld({ policy: { verification: { checks: ['build'] } }, store })
  await world.push('a1')
  const attempt_id = (await world.state()).attempts.at(0)?.id ?? ''
  const hold = Promise.withResolvers<undefined>()
  const read: Store['read'] = async (stream, after) => {
    const events = await store.read(stream, after)
    await hold.promise
    return events
  }
  const ports = { forges: { of: async () => world.forge }, clock, ids, verifier }
  const engine = engineOver({ ...ports, store: { ...store, read } }, { alone: true })
  const overtaken = load(engine, world.ref)
  await record({ ...engine, store }, world.ref, { type: 'end_attempt', attempt_id, why: 'closed' }, told)
  hold.resolve(undefined)
  await overtaken
  expect((await load(engine, world.ref)).task.attempts.at(0)?.live).toBe(false)
})
