// What was missed is found again, whatever else is wrong: suspended installations, repositories and pull requests that cannot
// be read; and what is older than our sight of its repository is left alone.
import { afterAll, expect, test } from 'vitest'
import { runningApp, until } from '../lab/running.ts'
import { figureIn } from '../../figure.ts'

let behindMs = 0
const app = await runningApp({ clock: { now: () => new Date(Date.now() - behindMs).toISOString() } })
afterAll(() => app.stop())
const { github } = app

let orgs = 0
function anOrg(): string {
  orgs += 1
  const org = `round${orgs}`
  github.createOrg(org, ['cleo'])
  return org
}
const policy = 'comment: always\nverification: { checks: [{ name: build, check_run: build }] }\n'
function aRepository(org: string, name = 'shop'): string {
  const files = { 'README.md': '# Shop\n', '.github/countersign.yml': policy }
  github.createRepo(`${org}/${name}`, { files, by: 'cleo' })
  return `${org}/${name}`
}
type Missed = { readonly repo: string; readonly sha: string; readonly number: number }
function pullIn(repo: string, branch = 'feature'): Missed {
  const sha = github.push(repo, branch, { files: { [`${branch}.ts`]: `${branch}\n` }, author: 'cleo' })
  return { repo, sha, number: github.openPull(repo, { title: 'Better', head: branch, by: 'cleo' }) }
}
const isTakenUp = ({ repo, sha }: Missed): boolean =>
  github.checksOn(repo, sha).runs.some(({ name }) => name === 'countersign')

const trouble = async (what: string): Promise<number> => {
  const text = await (await fetch(`${app.url}/metrics`)).text()
  return figureIn(text, `countersign_trouble_total\\{what="${what}"\\}`)
}

/** While the App is down, so that no webhook tells of it; and GitHub brings none of them again. */
async function whileDown(work: () => void): Promise<void> {
  await app.idle()
  await app.kill()
  work()
  await github.idle()
  github.addFault({ path: '/app/hook/deliveries', trouble: { kind: 'answer', status: 500 } })
  await app.start()
}

test('nothing that is suspended or broken keeps the others from being looked at, and what failed is counted', async () => {
  const [asleep, unlisted, other] = [anOrg(), anOrg(), anOrg()]
  const sleeping = github.install(asleep)
  const silent = github.install(unlisted)
  github.install(other)
  const [slept, broken, fine] = [aRepository(asleep), aRepository(other, 'broken'), aRepository(other, 'fine')]
  const missed: Missed[] = []
  await whileDown(() => {
    const old = pullIn(slept)
    github.suspendInstallation(sleeping, 'cleo')
    const refusal = { kind: 'answer', status: 500, message: 'no' } as const
    github.addFault({ path: `/app/installations/${silent}/access_tokens`, trouble: refusal })
    github.addFault({ path: `/repos/${broken}/pulls`, trouble: refusal })
    // What merges elsewhere may be on top of others, so that repository is read by itself.
    github.push(broken, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
    github.push(broken, 'fix', { files: { 'fix.ts': 'one\n' }, author: 'cleo' })
    github.openPull(broken, { title: 'Fix', head: 'fix', base: 'release', by: 'cleo' })
    const troubled = pullIn(fine, 'troubled')
    github.comment(fine, troubled.number, { body: '/status', by: 'cleo' })
    github.addFault({ path: `/repos/${fine}/issues/${troubled.number}/comments`, trouble: refusal })
    missed.push(pullIn(fine), troubled, old)
  })
  await until(async () => missed.slice(0, 2).every(isTakenUp))
  // One cannot be listed; of the other it cannot be read what was said at a pull request.
  await until(async () => (await trouble('pages')) > 0 && (await trouble('repositories')) > 1)
  expect([await trouble('deliveries'), await trouble('installations'), await trouble('repositories')]).toEqual([
    1, 1, 2,
  ])

  github.clearFaults()
  await whileDown(() => github.suspendInstallation(sleeping, null))
  await until(async () => missed.every(isTakenUp))
  expect(await trouble('repositories')).toBe(0)
}, 60_000)

test('pull requests from before a repository was added are left alone, and those from after it are not', async () => {
  github.clearFaults()
  const org = anOrg()
  behindMs = 3_600_000
  const first = aRepository(org, 'first')
  const installation = github.install(org, { repos: [first] })
  behindMs = 1_800_000
  const later = aRepository(org, 'later')
  const fromBefore = pullIn(later)
  await app.idle()
  behindMs = 0
  // The App goes by the time that GitHub's answers tell.
  pullIn(first, 'meanwhile')
  await app.idle()
  github.changeInstalledRepos(installation, [later], [])
  const missed: Missed[] = []
  await whileDown(() => {
    missed.push(pullIn(first), pullIn(later, 'since'))
  })
  await until(async () => missed.every(isTakenUp))
  await app.idle()
  expect(isTakenUp(fromBefore)).toBe(false)
  // Somebody asks for it.
  github.comment(later, fromBefore.number, { body: '/verify', by: 'cleo' })
  await until(async () => isTakenUp(fromBefore))
}, 60_000)
