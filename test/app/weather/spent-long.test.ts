// The hourly quota of GraphQL is used up, or it fails and REST does not: what REST tells is read over REST, and what only GraphQL
// tells is waited for.
import { expect, onTestFinished, test } from 'vitest'
import { runningApp, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const errors = [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded for installation ID 7.' }]
const spent = { kind: 'answer', status: 200, body: { data: null, errors } } as const
const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${Math.ceil(Date.now() / 1_000) + 3_000}` }

test.each([
  ['its hour is spent, as a header tells', { ...spent, headers }, 2],
  ['its hour is spent, as the error alone tells', spent, 2],
  // Which issues a pull request closes is asked each time.
  ['it fails', { kind: 'answer', status: 502 }, 12],
] as const)(
  'a pull request is judged although GraphQL is away: %s',
  async (_why, trouble, hitsMax) => {
    // What waits for the hour goes on waiting, so each of them is an App of its own.
    const app = await runningApp()
    onTestFinished(() => app.stop())
    const shop = await aShop(app)
    const fault = app.github.addFault({ path: '/graphql', trouble })
    const sha = await shop.push()
    await shop.open()
    await shop.build(sha, 'failure')
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(/^success/)
    // It is not asked again and again.
    expect(app.github.faultHits(fault)).toBeLessThanOrEqual(hitsMax)

    // Whether this one closes the issue only GraphQL tells.
    const issue = app.github.openIssue(shop.name, { title: 'Prices are wrong', body: 'Fix them.', by: 'cleo' })
    const linked = app.github.push(shop.name, 'linked', { files: { 'src/other.ts': 'one\n' }, author: 'agent' })
    app.github.setDeliveries({ hold: true })
    const number = app.github.openPull(shop.name, { title: 'Another', head: 'linked', by: 'agent' })
    app.github.linkIssue(shop.name, number, issue)
    app.github.reportCheck(shop.name, { name: 'build', sha: linked, conclusion: 'success' })
    app.github.setDeliveries({ hold: false })
    const events = `/repos/${shop.name}/issues/${number}/events`
    await until(async () => app.github.requestLog().some(({ path }) => path === events))
    await app.github.idle()
    expect(await shop.check(linked)).toBe('queued: ')
  },
  60_000,
)
