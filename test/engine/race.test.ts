// Several engines over one store: whoever loses a race decides again on what the winner recorded.
import type { Maker } from '../../src/core/people/people.ts'
import { aside, inLine } from '../../src/adapters/aside/aside.ts'
import { expect, test, vi } from 'vitest'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { verifyChain } from '../../src/core/decision/record/chain.ts'
import { engineOver, load, type Engine } from '../../src/engine/engine.ts'
import { hear } from '../../src/engine/heard/hear.ts'
import { heardOrNoted } from '../../src/engine/heard/unhandled.ts'
import { pullChanged } from '../../src/engine/attempts/intake.ts'
import { record } from '../../src/engine/record.ts'
import type { Forge, Store } from '../../src/ports.ts'
import { aForge, noGoals, noRequests } from '../world/forge.ts'
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
    aside: aside(inLine),
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

const head_sha = 'a1'.padEnd(40, '0')
const where = { head_sha, base_ref: 'main', base_is_default: true, merges_into: 'main' }
const nowAt = (sha: string) => ({ ...where, head_sha: sha, updated_at: '' })
const repository = { key: 'R1', full_name: 'acme/shop' }

/** An engine over a repository with one pull request. */
function anEngine(own: Partial<Forge>): Engine<Forge> {
  const facts = { title: 'Better', body: '', open: true, draft: false, conflicts: false, tree_sha: head_sha }
  const forge: Forge = {
    ...aForge([]),
    self: 'countersign[bot]',
    goals: noGoals,
    blockedBy: async () => [],
    broughtBy: async () => [],
    labelledBy: async () => null,
    saidAt: async () => [],
    requests: noRequests,
    snapshot: async () => Promise.reject(new Error('Nobody asks this')),
    now: async () => nowAt(head_sha),
    lastLook: async (pull) => ({
      now: await forge.now(pull),
      said: null,
      at_issue: null,
      closes: null,
      above: [],
      twins: [],
    }),
    pushers: async () => [],
    movedAt: async () => null,
    saidSince: async () => [],
    runs: async () => [],
    stands: async () => null,
    stateOf: async () => ({ kind: 'open', now: nowAt(head_sha) }),
    kindOf: async () => 'open',
    policyCopy: async () => null,
    changedFiles: async () => ({ files: [], complete: true, patches: new Map() }),
    results: async () => [],
    announce: async () => ({ ref: '1' }),
    brief: async () => ({
      queued: [],
      facts: {
        ...facts,
        ...where,
        author: { id: null, login: 'agent', kind: 'human' },
        number: 7,
        editor: null,
        head_branch: 'feature',
        commits: [],
        commits_complete: true,
      },
      terms: async () => ({
        policy: { sha: '', own: 'version: 1', organisation: null },
        issues: [],
        issues_complete: true,
      }),
    }),
    openPulls: async () => [],
    issue: silent,
    change: silent,
    screenshots: { fetch: silent, mergedInto: silent },
    declaredModels: silent,
    pullsAhead: async () => [],
    pullsBehind: async () => [],
    runAttempt: async () => 1,
    approverOf: async () => null,
    policy: async () => ({ sha: '', own: 'version: 1', organisation: null }),
    requires: async () => true,
    protects: async () => null,
    census: async () => ({ census: { admin: 0, maintain: 0, write: 0, complete: true }, people: new Map() }),
    person: silent,
    reply: silent,
    react: silent,
    removeLabel: silent,
    ...own,
  }
  return engineOver({
    store: memoryStore(),
    forges: { of: async () => forge },
    clock,
    ids,
    verifier,
    aside: aside(inLine),
  })
}

test('a push that a webhook and the sweep find at once is announced once', async () => {
  const announced: string[] = []
  const engine = anEngine({ announce: async (sha) => ({ ref: String(announced.push(sha)) }) })
  engine.governed.add('R1:main')
  await Promise.all(['webhook', 'catch-up'].map((told) => pullChanged(engine, repository, opened, told)))
  expect(announced).toEqual([head_sha])
})

test('a group that ends while its members are looked at keeps what was said of it', async () => {
  const asked = Promise.withResolvers<undefined>()
  const reopened = Promise.withResolvers<undefined>()
  let isSlow = false
  const merged = 8
  const engine = anEngine({
    pullsAhead: async () => [7, merged],
    kindOf: async (pull) => {
      if (pull !== merged) return 'open'
      if (!isSlow) return 'merged'
      asked.resolve(undefined)
      await reopened.promise
      return 'open'
    },
  })
  const group = { ...where, head_sha: 'e1'.padEnd(40, '0') }
  const requested = { kind: 'group_requested', pull: 7, ...group, base_sha: 'b1', at: clock.now() } as const
  await hear(engine, repository, requested, 'queued')
  const ref = { stream: 'R1#group-e10000000000', task_id: 'acme/shop-group' }
  const lacking = async () => (await load(engine, ref)).task.attempts.at(0)?.group?.lacking
  expect(await lacking()).toEqual([7])
  isSlow = true
  const late = hear(engine, repository, requested, 'announced again')
  await asked.promise
  const ended = hear(engine, repository, { kind: 'group_ended', head_sha: group.head_sha }, 'ended')
  await vi.waitFor(async () => expect((await load(engine, ref)).task.attempts.at(0)?.live).toBe(false))
  reopened.resolve(undefined)
  await Promise.all([late, ended])
  expect(await lacking()).toEqual([7])
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
  const ports = { forges: { of: async () => world.forge }, clock, ids, verifier, aside: aside(inLine) }
  const engine = engineOver({ ...ports, store: { ...store, read } }, { alone: true })
  const overtaken = load(engine, world.ref)
  await record({ ...engine, store }, world.ref, { type: 'end_attempt', attempt_id, why: 'closed' }, told)
  hold.resolve(undefined)
  await overtaken
  expect((await load(engine, world.ref)).task.attempts.at(0)?.live).toBe(false)
})

const opened = { kind: 'pull_changed', pull: 7, ...where, ready: true, by: null, push: null, at: clock.now() } as const

test('whoever turns out to have pushed a commit made it, whatever branch others moved there', async () => {
  const person = async ({ id, login, kind }: Maker) => ({ id, login, kind, permission: 'maintain', teams: [] }) as const
  const engine = anEngine({ person })
  await pullChanged(engine, repository, opened, 'opened')
  const push = (branch: string, login: string) =>
    hear(
      engine,
      repository,
      { kind: 'pushed', branch, sha: head_sha, before: null, by: maker(login), changes_policy: false },
      branch,
    )
  await push('main', 'cleo')
  await push('feature', 'ada')
  const { task } = await load(engine, { stream: 'R1#7', task_id: 'acme/shop#7' })
  expect(task.attempts.at(0)?.builders.map(({ login }) => login)).toEqual(['agent', 'ada'])
})

test('what cannot be handled through a fault of ours refers its attempt until it can', async () => {
  let isBroken = true
  const engine = anEngine({
    react: async () => undefined,
    person: async ({ id, login, kind }: Maker) => {
      if (isBroken) throw new TypeError('a fault of ours')
      return { id, login, kind, permission: 'write', teams: [] }
    },
  })
  await pullChanged(engine, repository, opened, 'opened')
  const ref = { stream: 'R1#7', task_id: 'acme/shop#7' }
  const row = async () => (await load(engine, ref)).task.attempts.at(0)?.decision
  const words = {
    kind: 'said',
    pull: 7,
    comment: 1,
    key: 'c1',
    body: '/reject no',
    by: maker('bob'),
    found: null,
  } as const
  const said = { ...words, through: null, at: clock.now() }
  await expect(heardOrNoted(engine, repository, said, 'd1')).rejects.toThrow('a fault of ours')
  expect(await row()).toMatchObject({ status: 'refer', row: 'invalid', reasons: [{ code: 'SYSTEM_FAULT' }] })
  isBroken = false
  await expect(heardOrNoted(engine, repository, said, 'd1')).resolves.toBe(true)
  expect(await row()).toMatchObject({ row: 'rejected' })
})

const maker = (login: string): Maker => ({ id: null, login, kind: 'human' })
