// An answer of GitHub is as old as the question, however late it arrives: whatever happened since is asked for anew, and what
// was read later is not overwritten by what was read before.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, byStatus } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

const green = { status: 'completed', conclusion: 'success' } as const
const red = { status: 'completed', conclusion: 'failure' } as const
const begun = { status: 'in_progress' } as const

test.each([
  ['failed', green, red, /^failure/],
  ['passed', begun, green, /^success/],
] as const)(
  'a check that %s while an answer about it was on its way counts as it is now',
  async (_, before, now, shown) => {
    const shop = await aShop(app)
    const sha = await shop.push()
    const run = github.reportCheck(shop.name, { name: 'build', sha, app: 'github-actions', ...before })
    await app.idle()
    const path = `/repos/${shop.name}/commits/*/check-runs*`
    const late = github.addFault({ path, times: 1, trouble: { kind: 'late', ms: 1_000 } })
    github.openPull(shop.name, { title: 'A better shop', head: 'feature', by: 'agent' })
    await until(async () => github.faultHits(late) > 0)
    github.updateCheck(shop.name, run, now)
    await app.idle()
    expect(await shop.check(sha)).toMatch(shown)
  },
)

test('a list from before a check failed, which GitHub gives after it told of the failure, keeps nothing green', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const run = github.reportCheck(shop.name, { name: 'build', sha, app: 'github-actions', ...green })
  await shop.open()
  expect(await shop.check(sha)).toMatch(/^success/)
  const body = await shop.read(`/commits/${sha}/check-runs?filter=latest&per_page=100`)
  const path = `/repos/${shop.name}/commits/*/check-runs*`
  const old = github.addFault({ path, times: 2, trouble: { kind: 'answer', status: 200, body } })
  github.updateCheck(shop.name, run, red)
  await app.idle()
  expect(github.faultHits(old)).toBe(2)
  expect(await shop.check(sha)).toMatch(/^failure/)
})

test('the same of a commit status', async () => {
  const shop = await aShop(app, byStatus)
  const sha = await shop.push()
  await shop.passes(sha)
  await shop.open()
  expect(await shop.check(sha)).toMatch(/^success/)
  const body = await shop.read(`/commits/${sha}/status?per_page=100`)
  const path = `/repos/${shop.name}/commits/*/status*`
  github.addFault({ path, times: 2, trouble: { kind: 'answer', status: 200, body } })
  github.reportStatus(shop.name, { sha, context: 'ci', state: 'failure', by: 'bob' })
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure/)
})

test('a task that is blocked while its dependencies are read for its first attempt is blocked', async () => {
  const shop = await aShop(app)
  const [prices, rates] = ['Prices', 'Rates'].map((title) =>
    github.openIssue(shop.name, { title, body: 'Show them.', by: 'cleo' }),
  )
  const sha = await shop.push()
  await shop.build(sha, 'success')
  const path = `/repos/${shop.name}/issues/*/dependencies/blocked_by`
  const late = github.addFault({ path, times: 1, trouble: { kind: 'late', ms: 1_000 } })
  github.openPull(shop.name, { title: 'Prices', head: 'feature', by: 'agent', body: `Closes #${prices}` })
  await until(async () => github.faultHits(late) > 0)
  github.addBlocker(shop.name, prices ?? 0, rates ?? 0, 'bob')
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: .* has to be verified first|merged first/)
})
