// A round over everything reaches everything, however much there is; and what nothing judges costs it the listings and no
// more. In this process, so that one round can follow the other at once.
import { afterEach, expect, test } from 'vitest'
import { githubLimits } from '../../../src/adapters/github/traffic/allowances.ts'
import { memoryStore } from '../../../src/adapters/store/memory.ts'
import { watchedGitHub } from '../../openapi/watched.ts'
import type { GitHub, Options } from '../../github/github.ts'
import { roundsOn } from '../lab/own-rounds.ts'
import { appAt } from '../lab/running.ts'

let github: GitHub
afterEach(() => github.close())

async function anApp(pointsPerMinute = githubLimits.pointsPerMinute, more: Pick<Options, 'clock'> = {}) {
  github = await watchedGitHub({ app: { ...appAt(1), webhookUrl: null }, ...more })
  return roundsOn(github, memoryStore(), { ...githubLimits, pointsPerMinute })
}

const policy = 'verification: { checks: [{ name: build, check_run: build }] }\n'

function aRepository(name: string, text: string | null): void {
  const files = { 'README.md': '# Shop\n', ...(text === null ? {} : { '.github/countersign.yml': text }) }
  github.createRepo(name, { files, by: 'cleo' })
}

function aPull(repo: string): string {
  const sha = github.push(repo, 'feature', { files: { 'src/a.ts': 'one\n' }, author: 'cleo' })
  github.openPull(repo, { title: 'Better', head: 'feature', by: 'cleo' })
  return sha
}
/** What has just moved is asked about once, some of it in each round. */
async function quietRounds(
  round: () => Promise<void>,
  time: { advance: (ms: number) => Promise<void> },
): Promise<void> {
  for (let again = 0; again < 3; again += 1) {
    await time.advance(120_000)
    await round()
  }
}
const shown = (repo: string, sha: string): readonly string[] =>
  github.checksOn(repo, sha).runs.map(({ name, conclusion, status }) => `${name} ${conclusion ?? status}`)

test('what nothing judges costs a round the listings, and is written to no more', async () => {
  const { round, deliveries, errors } = await anApp()
  github.createOrg('acme', ['cleo'])
  github.install('acme')
  aRepository('acme/plain', null)
  aRepository('acme/off', 'mode: off\n')
  aRepository('acme/strict', 'mode: off\n')
  github.protect('acme/strict', 'main', { checks: [{ context: 'countersign', appId: null }] })
  const heads = ['acme/plain', 'acme/off', 'acme/strict'].map((repo) => ({ repo, sha: aPull(repo) }))
  await round()
  expect(heads.map(({ repo, sha }) => shown(repo, sha))).toEqual([[], [], ['countersign neutral']])
  for (let again = 0; again < 2; again += 1) {
    const before = github.requestLog().length
    await deliveries()
    await round()
    const asked = github.requestLog().slice(before)
    expect(asked.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /app/hook/deliveries',
      'GET /app/installations',
      'GET /installation/repositories',
      'POST /graphql',
    ])
  }
  // It moves, and is looked at again.
  const next = github.push('acme/strict', 'feature', { files: { 'src/a.ts': 'two\n' }, author: 'cleo' })
  await round()
  expect(shown('acme/strict', next)).toEqual(['countersign neutral'])
  expect(errors).toEqual([])
})

test('no repository of an installation is left to a later round, although GitHub allows only so many calls a minute', async () => {
  const { round, errors } = await anApp(50)
  github.createOrg('acme', ['cleo'])
  github.install('acme')
  const names = Array.from({ length: 130 }, (_, index) => `acme/shop-${index}`)
  for (const name of names) aRepository(name, policy)
  const last = names.at(-1) ?? ''
  const sha = aPull(last)
  await round()
  expect(shown(last, sha)).toEqual(['countersign in_progress'])
  expect(errors).toEqual([])
}, 60_000)

test('no installation is left out, however many there are', async () => {
  const { round, errors } = await anApp()
  const orgs = Array.from({ length: 130 }, (_, index) => `org-${index}`)
  for (const org of orgs) {
    github.createOrg(org, ['cleo'])
    github.install(org)
  }
  const last = `${orgs.at(-1)}/shop`
  aRepository(last, policy)
  const sha = aPull(last)
  await round()
  expect(shown(last, sha)).toEqual(['countersign in_progress'])
  expect(errors).toEqual([])
}, 60_000)

test('what other CI found out for a base counts, although the round comes across that base after something else was said', async () => {
  let minutes = 0
  const clock = { now: () => new Date(Date.now() + minutes * 60_000).toISOString() }
  const { round, errors } = await anApp(githubLimits.pointsPerMinute, { clock })
  github.createOrg('acme', ['cleo'])
  github.install('acme')
  aRepository('acme/shop', policy)
  github.push('acme/shop', 'release', { files: { 'soon.md': 'soon\n' }, author: 'cleo' })
  const sha = aPull('acme/shop')
  await round()
  minutes += 1
  github.editPull('acme/shop', 1, { base: 'release', by: 'cleo' })
  minutes += 1
  github.reportCheck('acme/shop', { name: 'build', sha, conclusion: 'success' })
  minutes += 1
  github.comment('acme/shop', 1, { body: 'Looks good.', by: 'cleo' })
  await round()
  expect(shown('acme/shop', sha)).toContain('countersign (release) success')
  minutes += 1
  github.editPull('acme/shop', 1, { base: 'main', by: 'cleo' })
  await round()
  expect(shown('acme/shop', sha)).toContain('countersign in_progress')
  expect(errors).toEqual([])
}, 60_000)

test('where nothing happened a round asks little, and finds what GitHub shows instead of what was concluded', async () => {
  const { round, errors, time } = await anApp()
  github.createOrg('acme', ['cleo'])
  github.install('acme')
  const heads = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => {
    const repo = `acme/${name}`
    aRepository(repo, `scope: { deny: ['src/**'] }\n${policy}`)
    const sha = aPull(repo)
    github.reportCheck(repo, { name: 'build', sha, conclusion: 'success' })
    return { repo, sha }
  })
  const last = heads.at(-1) ?? { repo: '', sha: '' }
  const all = (): readonly string[] => heads.flatMap(({ repo, sha }) => shown(repo, sha))
  const red = heads.flatMap(() => ['countersign failure', 'build success'])
  await round()
  expect(all()).toEqual(red)
  await quietRounds(round, time)
  const before = github.requestLog().length
  await round()
  expect(
    github
      .requestLog()
      .slice(before)
      .map(({ path }) => path),
  ).toEqual(['/app/installations', '/installation/repositories', '/graphql', '/graphql'])

  // A write that came late: it is the only word on that commit which changed.
  github.reportCheck(last.repo, { name: 'countersign', sha: last.sha, app: 'countersign', conclusion: 'success' })
  // Whoever wrote it said the same beside it.
  const labels = github.look(last.repo, 1).labels
  github.label(last.repo, 1, 'countersign:success', 'cleo')
  await round()
  expect(github.look(last.repo, 1).labels).toEqual(labels)
  expect(shown(last.repo, last.sha).toSorted()).toEqual(['build success', 'countersign failure'])
  expect(errors).toMatchObject([{ message: expect.stringContaining('GitHub showed success instead of failure') }])
}, 60_000)

test('a repository that GitHub cannot tell of keeps none of those that are asked about together with it from being looked at', async () => {
  const { round, errors, time } = await anApp()
  github.createOrg('acme', ['cleo'])
  github.install('acme')
  const heads = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((name) => {
    const repo = `acme/${name}`
    aRepository(repo, `scope: { deny: ['src/**'] }\n${policy}`)
    return { repo, sha: aPull(repo) }
  })
  await round()
  const late = (repo: string, sha: string): number =>
    github.reportCheck(repo, { name: 'countersign', sha, app: 'countersign', conclusion: 'success' })
  for (const { repo, sha } of heads) late(repo, sha)
  github.addFault({ path: '/graphql', holds: 'three', trouble: { kind: 'answer', status: 502 } })
  await round()
  const stands = heads.filter(({ repo, sha }) => shown(repo, sha).includes('countersign success'))
  expect(stands.map(({ repo }) => repo)).toEqual(['acme/three'])
  expect(errors).toContainEqual(expect.objectContaining({ status: 502 }))
  // An outage of everything is not asked about again and again.
  github.clearFaults()
  await quietRounds(round, time)
  const whole = github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 502 } })
  await round()
  expect(github.faultHits(whole)).toBeLessThan(10)
}, 60_000)
