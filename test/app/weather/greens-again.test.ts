// Greens beside which GitHub has another word than success have their results read once for each such word, some in each round: first
// those of which the word has changed. In this process, so that one round can follow the other at once.
import { afterAll, expect, test } from 'vitest'
import { githubLimits } from '../../../src/adapters/github/traffic/allowances.ts'
import { memoryStore } from '../../../src/adapters/store/memory.ts'
import { watchedGitHub } from '../../openapi/watched.ts'
import { roundsOn } from '../lab/own-rounds.ts'
import { appAt } from '../lab/running.ts'

const github = await watchedGitHub({ app: { ...appAt(1), webhookUrl: null } })
afterAll(() => github.close())

const shop = 'acme/shop'
const policy = 'verification: { checks: [{ name: build, check_run: build }] }\n'
const PULLS = 25

function aPull(number: number): string {
  const sha = github.push(shop, `feature-${number}`, { files: { [`src/${number}.ts`]: 'one\n' }, author: 'cleo' })
  github.openPull(shop, { title: 'Better', head: `feature-${number}`, by: 'cleo' })
  return sha
}
const finds = (sha: string, name: string, conclusion: 'success' | 'failure'): void =>
  void github.reportCheck(shop, { name, sha, conclusion, app: 'github-actions' })
const isGreen = (sha: string): boolean =>
  github.checksOn(shop, sha).runs.some(({ name, conclusion }) => name === 'countersign' && conclusion === 'success')

test('what is green is read again where the word for all its checks is another one, some of it in each round', async () => {
  const { round, errors } = roundsOn(github, memoryStore(), { ...githubLimits, pointsPerMinute: 100_000 })
  github.createOrg('acme', ['cleo'])
  github.install('acme')
  github.createRepo(shop, { files: { 'README.md': '# Shop\n', '.github/countersign.yml': policy }, by: 'cleo' })
  const others = Array.from({ length: PULLS - 1 }, (_, number) => aPull(number))
  const last = aPull(PULLS)
  for (const sha of [last, ...others]) finds(sha, 'build', 'success')
  for (const sha of others) finds(sha, 'lint', 'failure')
  const roundReads = async (): Promise<number> => {
    const before = github.requestLog().length
    await round()
    const asked = github.requestLog().slice(before)
    return asked.filter(({ method, path }) => method === 'GET' && path.endsWith('/check-runs')).length
  }
  await round()
  expect([last, ...others].filter(isGreen)).toHaveLength(PULLS)
  // What has changed since it was looked at has its turn before what was so from the beginning.
  finds(last, 'build', 'failure')
  const reads = [await roundReads()]
  expect(isGreen(last)).toBe(false)
  reads.push(await roundReads(), await roundReads())
  expect(reads).toEqual([10, 5, 0])
  expect(others.filter(isGreen)).toHaveLength(PULLS - 1)
  expect(errors).toEqual([])
})
