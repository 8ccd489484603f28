// While a part of GitHub fails, a round asks about a few of those that failed before, each in its turn; once it works, about all.
import { afterAll, expect, test } from 'vitest'
import { memoryStore } from '../../../src/adapters/store/memory.ts'
import { watchedGitHub } from '../../openapi/watched.ts'
import { roundsOn } from '../lab/own-rounds.ts'
import { appAt } from '../lab/running.ts'

const github = await watchedGitHub({ app: { ...appAt(1), webhookUrl: null } })
afterAll(() => github.close())
const { round } = roundsOn(github, memoryStore())
github.createOrg('acme', ['cleo'])
github.install('acme')

const policy = 'verification: { checks: [{ name: build, check_run: build }] }\n'

function opened(repo: string, count: number): readonly string[] {
  github.createRepo(repo, { files: { '.github/countersign.yml': policy }, by: 'cleo' })
  return Array.from({ length: count }, (_, index) => {
    const head = `feature-${index}`
    const sha = github.push(repo, head, { files: { 'src/a.ts': `${index}\n` }, author: 'cleo' })
    github.openPull(repo, { title: 'Better', head, by: 'cleo' })
    return sha
  })
}
const shown = (repo: string, sha: string): string | undefined => {
  const ours = github.checksOn(repo, sha).runs.find(({ name }) => name === 'countersign')
  return ours?.conclusion ?? ours?.status
}
/** Which check runs it tried to change, in what order. */
const triedIn = async (repo: string): Promise<readonly string[]> => {
  const before = github.requestLog().length
  await round()
  const asked = github.requestLog().slice(before)
  return asked
    .filter(({ method, path }) => method === 'PATCH' && path.includes(`${repo}/check-runs/`))
    .map(({ path }) => path)
}

test('a round spares those that failed before, but for a few', async () => {
  const heads = opened('acme/shop', 12)
  const others = opened('acme/other', 2)
  await round()
  const outage = github.addFault({ path: '*/acme/shop/check-runs/*', trouble: { kind: 'answer', status: 502 } })
  for (const sha of heads) github.reportCheck('acme/shop', { name: 'build', sha, conclusion: 'failure', app: 'ci' })
  for (const sha of others) github.reportCheck('acme/other', { name: 'build', sha, conclusion: 'failure', app: 'ci' })
  const first = new Set(await triedIn('acme/shop'))
  expect(first.size).toBe(12)
  expect(others.map((sha) => shown('acme/other', sha))).toEqual(['failure', 'failure'])
  const tried = new Set<string>()
  for (let again = 0; again < 3; again += 1) {
    const some = new Set(await triedIn('acme/shop'))
    expect(some.size).toBe(5)
    for (const path of some) tried.add(path)
  }
  expect(tried).toEqual(first)
  github.removeFault(outage)
  await round()
  expect(heads.map((sha) => shown('acme/shop', sha))).toEqual(heads.map(() => 'failure'))
}, 60_000)
