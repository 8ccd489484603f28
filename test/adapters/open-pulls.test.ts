// What is open in many repositories, in one question; and what that question cannot tell is left to REST.
import { expect, onTestFinished, test } from 'vitest'
import { openPullsTogether } from '../../src/adapters/github/pulls/open-pulls.ts'
import { openPulls } from '../../src/adapters/github/pulls/pulls.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { startGitHub } from '../github/github.ts'

async function aGitHub() {
  const github = await startGitHub()
  onTestFinished(() => github.close())
  const octokit = tokenOctokit(githubTraffic(), github.tokenOf('ada'), github.url)
  const aRepository = (repo: string) => {
    github.createRepo(`acme/${repo}`, { files: { 'README.md': '# Shop\n' }, by: 'ada' })
    return { owner: 'acme', repo }
  }
  const aPull = (repo: string, head: string, base = 'main') => {
    const sha = github.push(`acme/${repo}`, head, { files: { [`${head}.ts`]: 'one\n' }, author: 'ada' })
    return { sha, number: github.openPull(`acme/${repo}`, { title: head, head, base, by: 'ada' }) }
  }
  return { github, octokit, aRepository, aPull }
}

test('it tells of each what REST tells, and what is reported about the head in one word', async () => {
  const { github, octokit, aRepository, aPull } = await aGitHub()
  const [full, empty] = [aRepository('full'), aRepository('empty')]
  const { sha } = aPull('full', 'green')
  github.reportCheck('acme/full', { name: 'build', sha, conclusion: 'success' })
  const { number } = aPull('full', 'over')
  github.closePull('acme/full', number, 'ada')
  aPull('full', 'quiet')
  const goal = github.openIssue('acme/full', { title: 'A goal', by: 'ada' })
  github.label('acme/full', goal, 'Goal', 'ada')
  const request = github.openIssue('acme/full', { title: 'A request', by: 'ada' })
  github.label('acme/full', request, 'request', 'ada')
  const done = github.openIssue('acme/full', { title: 'Done', by: 'ada' })
  github.label('acme/full', done, 'request', 'ada')
  github.closeIssue('acme/full', done, 'ada')
  const [some, none] = await openPullsTogether(octokit, [full, empty])
  const { pulls: seen = null, marked = [] } = some ?? {}
  expect(none).toEqual({ pulls: [], marked: [] })
  expect(marked.map(({ kind, number: issue }) => [kind, issue])).toEqual([
    ['goal', goal],
    ['request', request],
  ])
  expect(seen?.map(({ rollup }) => rollup)).toEqual(['SUCCESS', null])
  const byRest = await openPulls({ octokit, place: full, slug: 'x', app: 1, now: Date.now })
  expect(seen?.map(({ rollup: _rollup, ...pull }) => pull)).toEqual(
    byRest.toSorted((one, other) => one.number - other.number),
  )
})

test('REST is left what GraphQL cannot tell: a repository that is gone, one that might have a stack, one with many', async () => {
  const { github, octokit, aRepository, aPull } = await aGitHub()
  const places = ['plain', 'stacked', 'many'].map(aRepository)
  const { sha } = aPull('plain', 'one')
  github.push('acme/stacked', 'below', { files: { 'below.ts': 'one\n' }, author: 'ada' })
  aPull('stacked', 'above', 'below')
  for (let one = 0; one < 101; one += 1) aPull('many', `branch-${one}`)
  const seen = await openPullsTogether(octokit, [...places, { owner: 'acme', repo: 'gone' }])
  const untold = { pulls: null, marked: [] }
  const one = { pulls: [expect.objectContaining({ head_sha: sha })], marked: [] }
  expect(seen).toEqual([one, untold, untold, null])
})
