// The last look before a green: where a pull request stands, and every piece of what people said there, by its name.
import { validate } from '../openapi/github-schema.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { githubForge } from '../../src/adapters/github/forge.ts'
import { isHeard, nameOf } from '../../src/adapters/github/people/heard-keys.ts'
import { lastLookQuery } from '../../src/adapters/github/pulls/last-look.ts'
import { foundPlaces } from '../../src/adapters/github/show/found.ts'
import { nodeIds } from '../../src/adapters/github/show/node-ids.ts'
import { pageOf } from '../../src/adapters/github/show/page.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import type { Forge } from '../../src/ports.ts'
import { startGitHub, type GitHub } from '../github/github.ts'

let github: GitHub
let repos = 0
let repo: string
let pull: number
let sha: string
let minutes = 0
beforeAll(async () => {
  const clock = { now: () => new Date(Date.parse('2026-11-20T10:00:00Z') + minutes * 60_000).toISOString() }
  github = await startGitHub({ app: { slug: 'countersign' }, clock })
  github.createRepo('acme/first', { files: {}, by: 'ada' })
  github.install('acme')
})
afterAll(async () => github.close())
beforeEach(() => {
  repos += 1
  repo = `acme/shop-${repos}`
  github.createRepo(repo, { files: { 'README.md': '# Shop\n' }, by: 'ada' })
  github.setPermission(repo, 'bob', 'write')
  sha = github.push(repo, 'work', { files: { 'price.ts': 'export {}\n' }, author: 'ada' })
  pull = github.openPull(repo, { title: 'Prices', head: 'work', by: 'ada' })
})

function aForge(): Forge {
  const octokit = tokenOctokit(githubTraffic(), github.installationToken(repo), github.url)
  const [owner = '', name = ''] = repo.split('/')
  return githubForge({ octokit, place: { owner, repo: name }, slug: 'countersign', app: null, now: () => 0 })
}
async function pending(forge: Forge): Promise<{ readonly ref: string | null }> {
  await forge.brief({ pull, head_sha: sha, base_ref: 'main' })
  return forge.show({ kind: 'labels', pull, labels: ['countersign:pending'] }, null)
}
const pathsOf = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = github.requests.length
  await act()
  return github.requests.slice(before).map(({ path }) => path.replace(/.*\/shop-\d+/, ''))
}

test('it is a question that GitHub knows', () => {
  expect([lastLookQuery(false), lastLookQuery(true)].flatMap((query) => validate(query))).toEqual([])
  expect(validate(lastLookQuery(false).replace('submittedAt', 'submitted'))).not.toEqual([])
})

test('each piece is told by the name that its webhook would give it, and what is ours is left out', async () => {
  const forge = aForge()
  await forge.show({ kind: 'sticky', pull, body: 'Waiting.' }, null)
  const said = github.comment(repo, pull, { body: '/reject no', by: 'bob' })
  const review = github.review(repo, pull, { by: 'bob', event: 'APPROVE' })
  github.label(repo, pull, 'bug', 'bob')
  github.label(repo, pull, 'Countersign:Reject', 'bob')
  github.dismiss(repo, pull, review, 'ada')
  const look = await forge.lastLook(pull, null)
  expect(look.now).toMatchObject({ head_sha: sha, base_ref: 'main', base_is_default: true, merges_into: 'main' })
  const at = '2026-11-20T10:00:00Z'
  expect(look.said).toEqual({
    since: '',
    pieces: [
      { kind: 'said', key: `comment-${said}`, at },
      { kind: 'reviewed', key: `review-${review}`, at },
      { kind: 'labelled', label: 'Countersign:Reject', added: true, at },
      { kind: 'review_dismissed', review_key: `review-${review}`, at },
    ],
  })
})

test('it is one request, after which its labels change without another question', async () => {
  const { ref } = await pending(aForge())
  const later = aForge()
  expect(await pathsOf(() => later.lastLook(pull, null))).toEqual(['/graphql'])
  const green = { kind: 'labels', pull, labels: ['countersign:success'] } as const
  expect(await pathsOf(() => later.show(green, ref))).toEqual(['/graphql'])
  expect(github.look(repo, pull).labels).toEqual(['countersign:success'])
})

test('what was read while labels were written is not believed', async () => {
  const octokit = tokenOctokit(githubTraffic(), github.installationToken(repo), github.url)
  const [owner = '', name = ''] = repo.split('/')
  const access = { octokit, place: { owner, repo: name }, slug: 'countersign', app: null, now: () => 0 }
  const overRest = { isOff: () => true, switchOff: () => undefined }
  const define = async () => undefined
  const page = pageOf(access, { found: foundPlaces(() => 0), ids: nodeIds(), graphql: overRest, define })
  const shown = (label: string, ref: string | null) =>
    page.show({ kind: 'labels', pull, labels: [`countersign:${label}`] }, ref)
  const { ref } = await shown('pending', null)
  const { promise: answered, resolve: answer } = Promise.withResolvers<{ labels: readonly string[] }>()
  const reading = page.reading(pull, () => answered)
  const cut = { kind: 'answer', status: 502, effect: 'after' } as const
  const fault = github.addFault({ method: 'POST', path: '/repos/*/labels', trouble: cut })
  await expect(shown('failed', ref)).rejects.toMatchObject({ status: 502 })
  github.removeFault(fault)
  answer({ labels: ['countersign:pending'] })
  await reading
  await shown('success', ref)
  expect(github.look(repo, pull).labels).toEqual(['countersign:success'])
})

test('of a long talk it says since when it tells everything', async () => {
  for (let index = 0; index < 101; index += 1) {
    minutes += 1
    github.comment(repo, pull, { body: `word ${index}`, by: 'bob' })
  }
  const { said } = await aForge().lastLook(pull, null)
  const [first] = said?.pieces ?? []
  expect(said?.pieces).toHaveLength(100)
  expect(said?.since).toBe(first?.at)
  expect(said?.since).not.toBe('')
})

test('who else has its commit as the head and is open and ready, by GraphQL and by REST', async () => {
  github.moveBranch(repo, 'twin', sha, 'ada')
  const twin = github.openPull(repo, { title: 'The same', head: 'twin', by: 'ada' })
  github.moveBranch(repo, 'draft', sha, 'ada')
  github.openPull(repo, { title: 'The same', head: 'draft', draft: true, by: 'ada' })
  github.moveBranch(repo, 'closed', sha, 'ada')
  github.closePull(repo, github.openPull(repo, { title: 'The same', head: 'closed', by: 'ada' }), 'ada')
  github.moveBranch(repo, 'more', sha, 'ada')
  github.push(repo, 'more', { files: { b: '2' }, author: 'ada' })
  github.openPull(repo, { title: 'More', head: 'more', by: 'ada' })
  const [merges_into, updated_at] = ['main', expect.any(String)]
  const twins = [{ pull: twin, head_sha: sha, base_ref: 'main', base_is_default: true, merges_into, updated_at }]
  expect(await aForge().lastLook(pull, null)).toMatchObject({ twins })
  const fault = github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 404 } })
  expect(await aForge().lastLook(pull, null)).toMatchObject({ said: null, twins })
  github.removeFault(fault)
})

test('a pull request that is a draft or closed stands nowhere', async () => {
  github.closePull(repo, pull, 'ada')
  expect((await aForge().lastLook(pull, null)).now).toBeNull()
})

test('for another base REST says what it is judged by, and where GraphQL is not there REST says everything it knows', async () => {
  github.push(repo, 'release', { files: { a: '1' }, author: 'ada' })
  github.editPull(repo, pull, { base: 'release', by: 'ada' })
  const forge = aForge()
  expect(await pathsOf(() => forge.lastLook(pull, null))).toEqual(['/graphql', `/pulls/${pull}`])
  const fault = github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 404 } })
  expect(await forge.lastLook(pull, null)).toMatchObject({ now: { head_sha: sha, base_ref: 'release' }, said: null })
  github.removeFault(fault)
  // It is not asked each time.
  expect(await pathsOf(() => forge.lastLook(pull, null))).toEqual([`/pulls/${pull}`, `/commits/${sha}/pulls`])
})

test.each([
  [{ kind: 'said', key: 'comment-7', at: '' }, ['comment-7/0'], ['comment-71/0']],
  [{ kind: 'reviewed', key: 'review-7', at: '' }, ['review-7', 'review-7/0'], ['review-71']],
  [
    { kind: 'labelled', label: 'countersign:reject', added: true, at: '2026-11-20T10:00:00Z' },
    ['label-2026-11-20T10:00:01Z-labeled-countersign:reject-guid'],
    [
      'label-2026-11-20T10:00:05Z-labeled-countersign:reject-guid',
      'label-2026-11-20T10:00:00Z-unlabeled-countersign:reject-guid',
    ],
  ],
  [
    { kind: 'review_dismissed', review_key: 'review-7', at: '' },
    ['dismissal-review-7-guid'],
    ['dismissal-review-71-g'],
  ],
] as const)('%j is on record under %j', (piece, keys, others) => {
  for (const key of keys) expect(isHeard(piece, [key])).toBe(true)
  expect(isHeard(piece, others)).toBe(false)
  expect(nameOf(piece)).not.toBe('')
})
