// Commits that cannot be read, as many as a round reads, keep no other green from being put right whose check was run again, unheard.
import { afterAll, expect, test } from 'vitest'
import { githubLimits } from '../../../src/adapters/github/traffic/allowances.ts'
import { memoryStore } from '../../../src/adapters/store/memory.ts'
import { watchedGitHub } from '../../openapi/watched.ts'
import { roundsOn } from '../lab/own-rounds.ts'
import { appAt } from '../lab/running.ts'

const github = await watchedGitHub({ app: { ...appAt(1), webhookUrl: null } })
afterAll(() => github.close())

const policy = 'verification: { checks: [{ name: build, check_run: build }] }\n'
github.createOrg('acme', ['cleo'])
github.install('acme')

function aRepository(name: string): void {
  github.createRepo(name, { files: { 'README.md': '# Shop\n', '.github/countersign.yml': policy }, by: 'cleo' })
}
function aPull(repository: string, number: number): string {
  const files = { [`src/${number}.ts`]: 'one\n' }
  const sha = github.push(repository, `feature-${number}`, { files, author: 'cleo' })
  github.openPull(repository, { title: 'Better', head: `feature-${number}`, by: 'cleo' })
  return sha
}
const finds = (repository: string, sha: string, name: string, conclusion: 'success' | 'failure'): void =>
  void github.reportCheck(repository, { name, sha, conclusion, app: 'github-actions' })
const isGreen = (repository: string, sha: string): boolean =>
  github
    .checksOn(repository, sha)
    .runs.some(({ name, conclusion }) => name === 'countersign' && conclusion === 'success')

test('with ten commits that cannot be read, a green that is wrong is put right', async () => {
  const { round } = roundsOn(github, memoryStore(), { ...githubLimits, pointsPerMinute: 100_000 })
  const [bad, good] = ['acme/bad', 'acme/good']
  for (const one of [bad, good]) aRepository(one)
  const others = Array.from({ length: 10 }, (_, number) => aPull(bad, number))
  const last = aPull(good, 1)
  for (const sha of others) finds(bad, sha, 'build', 'success')
  finds(good, last, 'build', 'success')
  await round()
  expect([...others.map((sha) => isGreen(bad, sha)), isGreen(good, last)]).not.toContain(false)
  // Something else fails beside each of the others, and GitHub cannot tell what.
  for (const sha of others) finds(bad, sha, 'lint', 'failure')
  github.addFault({ method: 'GET', path: `/repos/${bad}/commits/*`, trouble: { kind: 'answer', status: 422 } })
  finds(good, last, 'build', 'failure')
  for (let again = 0; again < 2; again += 1) await round()
  expect(isGreen(good, last)).toBe(false)
}, 120_000)
