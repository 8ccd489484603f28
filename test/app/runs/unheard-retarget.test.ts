// A pull request gets another base for a while and the App hears of it late, or never: what other CI reported on its commit
// meanwhile is about that other base, in whichever order it is heard.
import { expect, test } from 'vitest'
import { aSecond } from '../lab/a-second.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { movedBasesIn, waits } from '../lab/moved-base.ts'
import { until } from '../lab/running.ts'
import { untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app
const { passes, aChange, reportedAgain } = movedBasesIn(app)

test.each(passes)('%s that came at the other base, and the bases are heard of later', async (_, policy, report) => {
  const { shop, sha, into } = await aChange(policy)
  const outage = github.addFault({ trouble: { kind: 'answer', status: 502 } })
  into('release')
  report(shop, sha)
  await aSecond()
  into('main')
  await github.idle()
  github.removeFault(outage)
  await app.idle()
  expect(await shop.check(sha)).toMatch(waits)
  expect(await reportedAgain(shop, sha, report)).toMatch(/^success/)
})

test.each(passes)(
  '%s that is heard while the base is another one, of which nobody tells',
  async (_, policy, report) => {
    const { shop, sha, into } = await aChange(policy)
    await untold(github, () => into('release'))
    report(shop, sha)
    await app.idle()
    await aSecond()
    await untold(github, () => into('main'))
    // Something else leads the App to look again.
    github.reportStatus(shop.name, { sha, context: 'lint', state: 'success', by: 'ada' })
    await app.idle()
    expect(await shop.check(sha)).toMatch(waits)
    expect(await reportedAgain(shop, sha, report)).toMatch(/^success/)
  },
)

test.each(passes)(
  '%s counts for no base where GitHub does not tell of the moves of the base',
  async (_, policy, report) => {
    const { shop, sha } = await aChange(policy)
    const silent = github.addFault({ path: '/repos/*/issues/*/events*', trouble: { kind: 'answer', status: 404 } })
    report(shop, sha)
    const fails = /^action_required: Needs a person: Countersign itself failed/
    await until(async () => fails.test(await shop.check(sha)), 20_000, 200)
    expect(github.faultHits(silent)).toBeGreaterThan(0)
    github.removeFault(silent)
    await app.idle()
    expect(await shop.check(sha)).toMatch(/^success/)
  },
)
