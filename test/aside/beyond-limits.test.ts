// What takes more time or memory to read than it may is never taken for nothing: each kind of text has words for it, and
// nothing turns green over it.
import { expect, test } from 'vitest'
import { aside, inLine } from '../../src/adapters/aside/aside.ts'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import type { Person } from '../../src/core/people/people.ts'
import { engineOver, load } from '../../src/engine/engine.ts'
import { hear } from '../../src/engine/heard/hear.ts'
import type { Aside } from '../../src/core/jobs.ts'
import type { IssueText } from '../../src/core/issue-boards.ts'
import type { Forge } from '../../src/ports.ts'
import { aForge, noGoals, noRequests } from '../world/forge.ts'

const head_sha = 'a1'.padEnd(40, '0')
const repository = { key: 'R1', full_name: 'acme/shop' }
const cleo: Person = { id: null, login: 'cleo', kind: 'human', permission: 'admin', teams: [] }
const issue: IssueText = {
  number: 5,
  title: 'Prices',
  body: 'Fix them.',
  edited_by: 'cleo',
  edited_by_id: null,
  linked_by: 'text',
  open: true,
} as const
const policy = { sha: '', own: 'verification: { checks: [{ name: build, check_run: build }] }', organisation: null }

/** A pull request that was opened, where some kinds of text cannot be read. */
async function opened(unread: Partial<Aside>, brings = 'src/a.ts') {
  const replies: string[] = []
  const silent = async () => Promise.reject(new Error('Nobody asks this'))
  const where = { head_sha, base_ref: 'main', base_is_default: true, merges_into: 'main' }
  const facts = { title: 'Better', body: 'Closes #5', open: true, draft: false, conflicts: false, tree_sha: head_sha }
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
    now: async () => ({ ...where, updated_at: '' }),
    pushers: async () => [],
    movedAt: async () => null,
    saidSince: async () => [],
    runs: async () => [],
    stands: async () => null,
    kindOf: async () => 'open',
    stateOf: async () => ({ kind: 'open', now: { ...where, updated_at: '' } }) as const,
    policyCopy: async () => policy.own,
    changedFiles: async () => ({
      files: [{ path: brings, previous_path: null, status: 'added' }],
      complete: true,
      patches: new Map(),
    }),
    results: async () => [],
    announce: async () => ({ ref: '1' }),
    brief: async () => ({
      queued: [],
      facts: {
        ...facts,
        ...where,
        number: 9,
        editor: null,
        head_branch: 'feature',
        author: { id: null, login: 'agent', kind: 'human' },
        commits: [],
        commits_complete: true,
      },
      terms: async () => ({ policy, issues: [issue], issues_complete: true }),
    }),
    openPulls: async () => [],
    issue: async () => issue,
    change: silent,
    screenshots: { fetch: silent, mergedInto: silent },
    declaredModels: silent,
    pullsAhead: async () => [],
    pullsBehind: async () => [],
    runAttempt: async () => 1,
    approverOf: async () => null,
    policy: async () => policy,
    requires: async () => true,
    protects: async () => null,
    census: async () => ({
      census: { admin: 1, maintain: 0, write: 3, complete: true },
      people: new Map([
        ['cleo', cleo],
        ['agent', { ...cleo, login: 'agent', permission: 'write' }],
      ]),
    }),
    person: async () => cleo,
    reply: async (_pull, body) => void replies.push(body),
    react: async () => undefined,
    removeLabel: async () => undefined,
  }
  const verifier = { available: false, verify: silent, judgeGate: silent }
  let ids = 0
  const engine = engineOver({
    store: memoryStore(),
    forges: { of: async () => forge },
    clock: { now: () => '2026-01-05T09:00:00.000Z' },
    ids: { next: () => `id-${(ids += 1)}` },
    verifier,
    aside: { ...aside(inLine), ...unread },
  })
  const at = '2026-01-05T09:00:00Z'
  await hear(
    engine,
    repository,
    { kind: 'pull_changed', pull: 9, ...where, ready: true, by: null, push: null, at },
    'push',
  )
  const attempt = async () => (await load(engine, { stream: 'R1#5', task_id: 'acme/shop#5' })).task.attempts.at(-1)
  return { engine, replies, attempt, at }
}

const tooMuch = async (): Promise<null> => null

test('a policy is invalid, and the built-in one stands in for it', async () => {
  const { attempt } = await opened({ policy: tooMuch })
  expect(await attempt()).toMatchObject({
    policy_unreadable: true,
    invalid: [{ code: 'policy_invalid', detail: expect.stringContaining('takes more time or memory to read') }],
    decision: { status: 'refer', row: 'invalid' },
  })
})

test('a task has the contract of the policy alone, and is referred', async () => {
  const { attempt } = await opened({ contract: tooMuch })
  expect(await attempt()).toMatchObject({
    contract: { policy: { verification: { checks: [{ name: 'build' }] } } },
    invalid: [{ code: 'contract_unreadable', detail: expect.stringContaining('takes more time or memory to read') }],
    decision: { status: 'refer', row: 'invalid' },
  })
})

test('paths are looked at by somebody, and every check applies', async () => {
  const { attempt } = await opened({ paths: tooMuch })
  expect(await attempt()).toMatchObject({
    paths: { known: false, applying: ['build'] },
    decision: { status: 'refer', row: 'protected', reasons: [{ code: 'paths_unknown' }] },
  })
})

test('a copy of the policy is told to be unread', async () => {
  const { attempt } = await opened({ policyCopy: tooMuch }, '.github/countersign.yml')
  expect(await attempt()).toMatchObject({
    policy_copy: [{ line: 1, message: expect.stringContaining('takes more time or memory to read') }],
  })
})

test('a comment with a command is answered, one without is not', async () => {
  const { engine, replies, at, attempt } = await opened({ commands: tooMuch })
  const words = {
    kind: 'said',
    pull: 9,
    by: { id: null, login: 'cleo', kind: 'human' },
    through: null,
    at,
    found: null,
  } as const
  await hear(engine, repository, { ...words, comment: 1, key: 'comment-1', body: '/override so be it' }, 'a')
  await hear(engine, repository, { ...words, comment: 2, key: 'comment-2', body: '/usr/bin/node' }, 'b')
  expect(replies).toEqual([expect.stringContaining('`/override` in it was not taken')])
  expect((await attempt())?.acts).toEqual([])
})
