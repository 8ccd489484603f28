// What opening an attempt reads: the same by either way, and each question one that GitHub's published schema knows.
import { validate } from '../openapi/github-schema.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { briefByGraphql, briefByRest, briefQuery } from '../../src/adapters/github/pulls/brief.ts'
import { closingAndEditsQuery } from '../../src/adapters/github/issues/closing-and-edits.ts'
import { closedNumbersQuery, closedQuery } from '../../src/adapters/github/issues/closed-issues.ts'
import { githubForge } from '../../src/adapters/github/forge.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { openPullsQuery } from '../../src/adapters/github/pulls/open-pulls.ts'
import { runsQuery } from '../../src/adapters/github/show/standing-runs.ts'
import { nodeIds } from '../../src/adapters/github/show/node-ids.ts'
import { editedReviewsQuery } from '../../src/adapters/github/people/edited-reviews.ts'
import { editorQuery } from '../../src/adapters/github/pulls/pulls.ts'
import { startGitHub, type GitHub } from '../github/github.ts'

test('GitHub knows what we ask over GraphQL', () => {
  const queries = [
    briefQuery,
    closedQuery,
    closedNumbersQuery,
    editorQuery,
    editedReviewsQuery,
    closingAndEditsQuery,
    runsQuery(2),
    openPullsQuery(2),
  ]
  expect(queries.flatMap((query) => validate(query))).toEqual([])
  expect(validate(briefQuery.replace('headRefOid', 'headSha'))).toHaveLength(1)
})

let github: GitHub
beforeAll(async () => {
  github = await startGitHub()
  const files = { 'README.md': '# Shop\n', '.github/countersign.yml': 'version: 1\n' }
  github.createRepo('acme/shop', { files, by: 'ada' })
  github.push('acme/shop', 'release', { files: { 'notes.md': 'soon\n' }, author: 'ada' })
})
afterAll(async () => github.close())

const access = () => {
  const octokit = tokenOctokit(githubTraffic(), github.tokenOf('ada'), github.url)
  return { octokit, place: { owner: 'acme', repo: 'shop' }, slug: 'countersign', app: null, now: Date.now }
}
const head_sha = '0'.repeat(40)
const never = async (): Promise<boolean> => false
const organisation = async (): Promise<string> => 'mode: shadow\n'

async function bothWays(pull: number, base_ref = 'main') {
  const ways = [
    await briefByRest(access(), { pull, head_sha, base_ref }, organisation, never),
    await briefByGraphql(access(), nodeIds(), { pull, head_sha, base_ref }, organisation, never),
  ]
  return Promise.all(
    ways.map(async (way) => way && { facts: way.brief.facts, terms: await way.brief.terms(), found: way.found }),
  )
}

type Author = NonNullable<Parameters<GitHub['push']>[2]['author']>
const pushed = (branch: string, author: Author): string =>
  github.push('acme/shop', branch, { files: { [`${branch}.ts`]: JSON.stringify(author) }, author, pusher: 'ada' })

test('a pull request that closes issues of its repository', async () => {
  const block = 'Fix them.\n\n```countersign\nstakes: high\n```\n'
  const issue = github.openIssue('acme/shop', { title: 'Prices are wrong', body: block, by: 'cleo' })
  const other = github.openIssue('acme/shop', { title: 'So are the names', body: 'All of them.', by: 'bob' })
  github.editIssue('acme/shop', other, { body: 'Most of them.', by: 'eve' })
  pushed('closing', 'ada')
  const body = `Closes #${issue}, closes #${other}`
  const pull = github.openPull('acme/shop', { title: 'Better', head: 'closing', body, by: 'ada' })
  const [rest, graphql] = await bothWays(pull)
  expect(graphql).toMatchObject({
    facts: { title: 'Better', open: true, base_is_default: true, author: { login: 'ada', kind: 'human' } },
    terms: { policy: { own: 'version: 1\n', organisation: 'mode: shadow\n' }, issues: [{ number: issue }, {}] },
    found: { comments: 0, labels: [] },
  })
  expect(graphql?.terms.issues[1]?.edited_by).toBe('eve')
  // Over REST the last editor is looked up only where it matters, and who linked it is told nowhere.
  const people = (which: typeof rest) =>
    which?.terms.issues.map(({ edited_by: _by, linked_by: _link, ...issue }) => issue)
  expect(people(rest)).toEqual(people(graphql))
  const linkers = (which: typeof rest) => which?.terms.issues.map(({ linked_by }) => linked_by)
  expect([linkers(rest), linkers(graphql)]).toEqual([
    [null, null],
    ['text', 'text'],
  ])
  expect(rest?.facts).toEqual(graphql?.facts)
})

test('commits of machines and of nobody are attributed as REST says', async () => {
  github.createApp({ slug: 'helper' })
  pushed('machine', 'helper[bot]')
  pushed('machine', { name: 'Nobody', email: 'nobody@example.org' })
  const pull = github.openPull('acme/shop', { title: 'By a machine', head: 'machine', by: 'helper[bot]' })
  const [rest, graphql] = await bothWays(pull)
  expect(rest?.facts).toEqual(graphql?.facts)
  expect(graphql?.facts.author).toMatchObject({ login: 'helper[bot]', kind: 'bot' })
  expect(graphql?.facts.commits.map(({ author }) => author?.login ?? null)).toEqual(['helper[bot]', null])
})

test('a base that is another one by now has its own policy', async () => {
  pushed('moving', 'ada')
  const pull = github.openPull('acme/shop', { title: 'Moving', head: 'moving', base: 'release', by: 'ada' })
  const [rest, graphql] = await bothWays(pull, 'main')
  expect(graphql).toEqual(rest)
  expect(graphql?.facts).toMatchObject({ base_ref: 'release', base_is_default: false })
})

test('what is there already is counted, so that it is looked for only where it can be', async () => {
  pushed('talked', 'ada')
  const pull = github.openPull('acme/shop', { title: 'Talked about', head: 'talked', by: 'ada' })
  github.comment('acme/shop', pull, { body: 'Nice.', by: 'bob' })
  github.label('acme/shop', pull, 'bug', 'bob')
  const [rest, graphql] = await bothWays(pull)
  expect(graphql).toEqual(rest)
  expect(graphql?.found).toEqual({ comments: 1, labels: ['bug'] })
})

test('a GitHub without GraphQL is read over REST, and not asked again each time', async () => {
  pushed('plain', 'ada')
  const pull = github.openPull('acme/shop', { title: 'Plain', head: 'plain', by: 'ada' })
  const fault = github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 404 } })
  const forge = githubForge(access())
  const before = github.requests.length
  expect((await forge.brief({ pull, head_sha, base_ref: 'main' })).facts).toMatchObject({
    title: 'Plain',
    commits: [{}],
  })
  await forge.brief({ pull, head_sha, base_ref: 'main' })
  expect(github.requests.slice(before).filter(({ path }) => path === '/graphql')).toHaveLength(1)
  github.removeFault(fault)
})
