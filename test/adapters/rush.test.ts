// Many check runs at once: all of them are written within GitHub's limits, and what cannot be written together is written
// alone.
import { validate } from '../openapi/github-schema.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { githubForge } from '../../src/adapters/github/forge.ts'
import { mutationOf } from '../../src/adapters/github/show/together.ts'
import { ALONE_MAX, partOf, rushOf } from '../../src/adapters/github/show/rush.ts'
import { githubLimits } from '../../src/adapters/github/traffic/allowances.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import type { Shown } from '../../src/core/decision/shown/owed.ts'
import { startGitHub } from '../github/github.ts'

const github = await startGitHub({ app: { slug: 'countersign' } })
afterAll(() => github.close())
let repos = 0
let repo = ''
let heads: readonly string[] = []
beforeEach(() => {
  github.clearFaults()
  github.setLimits({ pointsPerMinute: null, graphqlPointsPerMinute: null })
  repos += 1
  const org = `acme-${repos}`
  repo = `${org}/shop`
  github.createRepo(repo, { files: { 'README.md': '# Shop\n' }, by: 'ada' })
  github.install(org)
  heads = pushed(110)
  github.openPull(repo, { title: 'Prices', head: 'work-0', by: 'ada' })
})

const pushed = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    github.push(repo, `work-${index}`, { files: { 'price.ts': `export const price = ${index}\n` }, author: 'ada' }),
  )

/** As after its first look at a pull request, with the client of an installation. */
async function aForge() {
  const octokit = tokenOctokit(githubTraffic(), github.installationToken(repo), github.url)
  const [owner = '', name = ''] = repo.split('/')
  const rush = rushOf(octokit, Date.now)
  const forge = githubForge({
    octokit,
    place: { owner, repo: name },
    slug: 'countersign',
    app: null,
    now: Date.now,
    rush,
  })
  await forge.brief({ pull: 1, head_sha: heads[0] ?? '', base_ref: 'main' })
  return forge
}

const run = (sha: string, conclusion: 'failure' | null): Shown => ({
  kind: 'check_run',
  status: conclusion === null ? 'in_progress' : 'completed',
  sha,
  name: 'countersign',
  conclusion,
  title: conclusion ?? 'Waiting',
  text: 'the document',
  summary: `About ${sha}`,
  annotations: conclusion === null ? [] : [{ path: 'price.ts', line: 1, message: 'charges for nothing' }],
})
const runsOn = (sha: string) => github.checksOn(repo, sha).runs
const writes = () =>
  github
    .requestLog()
    .filter(({ path, mutates, method }) => mutates.length > 0 || (method !== 'GET' && path !== '/graphql'))

test('three hundred turn red within what GitHub takes in a minute', async () => {
  heads = [...heads, ...pushed(300).slice(110)]
  const forge = await aForge()
  const refs = await Promise.all(heads.map((sha) => forge.show(run(sha, null), null)))
  const { pointsPerMinute, graphqlPointsPerMinute } = githubLimits
  github.setLimits({ pointsPerMinute, graphqlPointsPerMinute })
  github.clearLog()
  await Promise.all(heads.map((sha, index) => forge.show(run(sha, 'failure'), refs[index]?.ref ?? null)))
  for (const sha of heads) {
    expect(runsOn(sha)).toMatchObject([{ conclusion: 'failure', title: 'failure', summary: `About ${sha}` }])
  }
  // The minute of the rush began when they were opened.
  expect(writes().length).toBeLessThan(30)
  expect(writes().every(({ path }) => path === '/graphql')).toBe(true)
})

test('few are each written at once', async () => {
  const forge = await aForge()
  github.clearLog()
  await Promise.all(heads.slice(0, ALONE_MAX).map((sha) => forge.show(run(sha, 'failure'), null)))
  expect(writes().map(({ path }) => path)).toEqual(Array.from({ length: ALONE_MAX }, () => `/repos/${repo}/check-runs`))
})

test('one that is refused among others is written alone, and the others stand', async () => {
  const forge = await aForge()
  await Promise.all(heads.slice(0, ALONE_MAX).map((sha) => forge.show(run(sha, null), null)))
  const gone = 'a'.repeat(40)
  const some = [heads[100] ?? '', gone, heads[102] ?? '']
  const shown = await Promise.allSettled(some.map((sha) => forge.show(run(sha, 'failure'), null)))
  expect(shown.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  for (const sha of [some[0], some[2]]) expect(runsOn(sha ?? '')).toMatchObject([{ conclusion: 'failure' }])
})

test('where GraphQL changes nothing they are all written over REST', async () => {
  const forge = await aForge()
  await Promise.all(heads.slice(0, ALONE_MAX).map((sha) => forge.show(run(sha, null), null)))
  github.addFault({
    method: 'POST',
    path: '/graphql',
    trouble: { kind: 'answer', status: 200, body: { errors: [{ message: 'no' }] } },
  })
  const some = heads.slice(90)
  await Promise.all(some.map((sha) => forge.show(run(sha, 'failure'), null)))
  for (const sha of some) expect(runsOn(sha)).toMatchObject([{ conclusion: 'failure' }])
})

test('a run that stands since before a start is written to over REST, and is no second one', async () => {
  const before = await aForge()
  const [sha = ''] = heads
  const { ref } = await before.show(run(sha, null), null)
  const forge = await aForge()
  await Promise.all(heads.slice(1).map((head) => forge.show(run(head, null), null)))
  await forge.show(run(sha, 'failure'), ref)
  expect(runsOn(sha)).toMatchObject([{ conclusion: 'failure' }])
})

test('what goes out together is what GraphQL understands', () => {
  const text = { externalId: 'x', status: 'COMPLETED', conclusion: 'FAILURE', output: { title: 't', summary: 's' } }
  const { text: mutation } = mutationOf(
    [
      partOf({ repositoryId: 'R_1', headSha: 'a', name: 'countersign', ...text }, 'run0'),
      partOf({ repositoryId: 'R_1', checkRunId: 'CR_1', ...text }, 'run1'),
    ],
    'CheckRuns',
  )
  expect(validate(mutation)).toEqual([])
})
