// What GitHub refuses for good beside the gate is noted and passed over, the rest of it is shown, and something else is tried
// there again. What may come right by itself is no refusal.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { githubForge } from '../../src/adapters/github/forge.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { isStateLabel } from '../../src/core/words/labels.ts'
import { actOfLabel } from '../../src/core/people/act.ts'
import type { Shown } from '../../src/core/decision/shown/owed.ts'
import type { Forge } from '../../src/ports.ts'
import { startGitHub, type GitHub } from '../github/github.ts'

let github: GitHub
let pulls = 0
let pull: number
let sha: string
let noted: string[] = []
beforeAll(async () => {
  github = await startGitHub({ app: { slug: 'countersign' } })
  github.createRepo('acme/shop', { files: { 'README.md': '# Shop\n' }, by: 'ada' })
  github.install('acme')
})
afterAll(async () => github.close())
beforeEach(() => {
  pulls += 1
  noted = []
  sha = github.push('acme/shop', `work-${pulls}`, { files: { 'a.ts': `${pulls}\n` }, author: 'ada' })
  pull = github.openPull('acme/shop', { title: 'Prices', head: `work-${pulls}`, by: 'ada' })
})
afterEach(() => github.clearFaults())

function aForge(): Forge {
  const octokit = tokenOctokit(githubTraffic(), github.installationToken('acme/shop'), github.url)
  const place = { owner: 'acme', repo: 'shop' }
  const onRefused = (what: string): number => noted.push(what)
  return githubForge({ octokit, place, slug: 'countersign', app: null, now: () => 0, onRefused })
}
const refuse = (method: string, path: string, status: number) =>
  github.addFault({ method, path, trouble: { kind: 'answer', status, message: 'Resource not accessible' } })

const courtesies = (): readonly (readonly [Shown, string, string])[] => [
  [{ kind: 'note', pull, body: 'Look here.', mark: 'a' }, 'POST', `/repos/*/issues/${pull}/comments`],
  [{ kind: 'sticky', pull, body: 'Waiting.' }, 'POST', `/repos/*/issues/${pull}/comments`],
  [{ kind: 'labels', pull, labels: ['countersign:retry'] }, 'POST', `/repos/*/issues/${pull}/labels`],
  [
    {
      kind: 'verifier_review',
      pull,
      review: { event: 'COMMENT', commit_id: sha, body: 'It objects.', comments: [], closings: [] },
      threads: {},
      superseded: null,
    },
    'POST',
    `/repos/*/pulls/${pull}/reviews`,
  ],
  [
    { kind: 'review_request', pull, from: ['cleo'], admins: false, not: [], round: 0 },
    'POST',
    `/repos/*/pulls/${pull}/requested_reviewers`,
  ],
]

/** A pull request is never deleted, so what it bears is only not shown yet. */
const isFound: ReadonlySet<Shown['kind']> = new Set(['note', 'sticky', 'labels'])

test('what is not found on a pull request is shown later', async () => {
  const forge = aForge()
  for (const [shown, method, path] of courtesies().filter(([{ kind }]) => isFound.has(kind))) {
    const fault = refuse(method, path, 404)
    await expect(forge.show(shown, null)).rejects.toMatchObject({ name: 'NotShownYet' })
    github.removeFault(fault)
    expect((await forge.show(shown, null)).ref).not.toBe('refused')
  }
  expect(noted).toEqual([])
})

describe.each([403, 404, 410, 422])('a refusal with %d', (status) => {
  test('of whatever is shown beside the gate is where it is shown from then on', async () => {
    const forge = aForge()
    for (const [shown, method, path] of courtesies()) {
      if (status === 404 && isFound.has(shown.kind)) continue
      const fault = refuse(method, path, status)
      expect({ kind: shown.kind, ...(await forge.show(shown, null)) }).toEqual({ kind: shown.kind, ref: 'refused' })
      github.removeFault(fault)
    }
  })

  test('of an answer, a reaction or the removal of a label keeps nobody waiting', async () => {
    const forge = aForge()
    const comment = github.comment('acme/shop', pull, { body: '/override', by: 'ada' })
    refuse('write', `/repos/*/issues/*`, status)
    await forge.reply(pull, 'No.')
    await forge.react(comment, '+1')
    await forge.removeLabel(pull, 'countersign:approve')
    expect(noted).toHaveLength(status === 404 ? 2 : 3)
  })
})

test('each refusal is told once, with what it was', async () => {
  const forge = aForge()
  refuse('POST', `/repos/*/issues/${pull}/comments`, 403)
  await forge.show({ kind: 'sticky', pull, body: 'Waiting.' }, null)
  expect(noted).toEqual([`the sticky of pull request ${pull}`])
})

test.each([500, 502])('an outage that is answered with %d is no refusal', async (status) => {
  refuse('POST', `/repos/*/issues/${pull}/comments`, status)
  await expect(aForge().show({ kind: 'sticky', pull, body: 'Waiting.' }, null)).rejects.toMatchObject({ status })
  expect(noted).toEqual([])
})

test('GitHub that asks for patience refuses nothing', async () => {
  const trouble = { kind: 'answer', status: 403, headers: { 'retry-after': '60' } } as const
  github.addFault({ method: 'POST', path: `/repos/*/issues/${pull}/comments`, trouble })
  const shown = aForge().show({ kind: 'note', pull, body: 'Look here.', mark: 'a' }, null)
  await expect(shown).rejects.toMatchObject({ name: 'RateLimited' })
})

test('once a conversation is open again, what comes next is shown, in one comment', async () => {
  const forge = aForge()
  const fault = refuse('write', '/repos/*/issues/*', 403)
  const locked = await forge.show({ kind: 'sticky', pull, body: '<!-- countersign -->Waiting.' }, null)
  github.removeFault(fault)
  const open = await forge.show({ kind: 'sticky', pull, body: 'Failed.' }, locked.ref)
  expect(open.ref).toMatch(/^\d+$/)
  expect(github.look('acme/shop', pull).comments.map(({ body }) => body)).toEqual(['Failed.'])
})

test('a label that GitHub refuses does not keep the others from being set', async () => {
  const forge = aForge()
  const wanted = ['countersign:success', 'countersign:solo']
  // The first request is for both, the second for the first of them.
  const trouble = { kind: 'answer', status: 422, message: 'Validation Failed' } as const
  github.addFault({ method: 'POST', path: `/repos/*/issues/${pull}/labels`, times: 2, trouble })
  expect(await forge.show({ kind: 'labels', pull, labels: wanted }, null)).toEqual({ ref: 'refused' })
  expect(github.look('acme/shop', pull).labels).toEqual(['countersign:solo'])
  const next = await forge.show({ kind: 'labels', pull, labels: ['countersign:retry'] }, 'refused')
  expect(next).toEqual({ ref: 'countersign:retry' })
  expect(github.look('acme/shop', pull).labels).toEqual(['countersign:retry'])
})

test('labels are told apart without regard to case', async () => {
  github.label('acme/shop', pull, 'CounterSign:Pending', 'ada')
  const forge = aForge()
  await forge.show({ kind: 'labels', pull, labels: ['countersign:pending'] }, null)
  expect(github.look('acme/shop', pull).labels).toEqual(['CounterSign:Pending'])
  await forge.show({ kind: 'labels', pull, labels: ['countersign:success'] }, null)
  expect(github.look('acme/shop', pull).labels).toEqual(['countersign:success'])
  expect([isStateLabel('Countersign:Success'), isStateLabel('Countersign:Approve')]).toEqual([true, false])
  expect(actOfLabel('COUNTERSIGN:Approve')).toBe('approve')
})

test('our comment is found behind a hundred others', async () => {
  for (let others = 0; others < 101; others += 1) github.comment('acme/shop', pull, { body: 'Nice.', by: 'bob' })
  const forge = aForge()
  const { ref } = await forge.show({ kind: 'sticky', pull, body: '<!-- countersign:sticky -->\nWaiting.' }, null)
  expect(await forge.show({ kind: 'sticky', pull, body: 'Failed.' }, null)).toEqual({ ref })
})
