// A pull request gets another base for a while and the App hears of it late, or never, or GitHub's answers are from before that
// for seconds: what other CI reported on its commit meanwhile is about that other base, in whichever order it is heard.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aSecond } from '../lab/a-second.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { movedBasesIn, waits } from '../lab/moved-base.ts'
import { untold } from '../lab/unheard.ts'

const app = await appOfFile()
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

const asides = [
  {
    how: 'a draft',
    aside: (name: string, pull: number) => github.setDraft(name, pull, true, 'agent'),
    back: (name: string, pull: number) => github.setDraft(name, pull, false, 'agent'),
  },
  {
    how: 'closed',
    aside: (name: string, pull: number) => github.closePull(name, pull, 'agent'),
    back: (name: string, pull: number) => github.reopenPull(name, pull, 'agent'),
  },
]
test.each(asides.flatMap((one) => passes.map(([what, policy, report]) => ({ ...one, what, policy, report }))))(
  '$what that came at the other base while it was $how, and nobody tells but of that',
  async ({ aside, back, policy, report }) => {
    const { shop, sha, pull, into } = await aChange(policy)
    await untold(github, () => into('release'))
    aside(shop.name, pull)
    await aSecond()
    report(shop, sha)
    await app.idle()
    await aSecond()
    await untold(github, () => back(shop.name, pull))
    into('main')
    await app.idle()
    expect(await shop.check(sha)).toMatch(waits)
    expect(await reportedAgain(shop, sha, report)).toMatch(/^success/)
  },
)

test.each(passes)(
  '%s that came at the other base, while every answer of GitHub is from before the move that it told of',
  async (_, policy, report) => {
    const { shop, sha, into } = await aChange(policy)
    await aSecond()
    const stale = github.addFault({ trouble: { kind: 'stale' } })
    const none = github.addFault({
      path: '/repos/*/issues/*/events*',
      trouble: { kind: 'answer', status: 200, body: [] },
    })
    into('release')
    await aSecond()
    report(shop, sha)
    await sleep(3_000)
    expect(await shop.check(sha)).not.toMatch(/^success/)
    github.removeFault(none)
    github.removeFault(stale)
    await app.idle()
    expect(await shop.check(sha)).toMatch(/^cancelled: Superseded/)
    expect(await shop.check(sha, 'countersign (release)')).toMatch(/^success/)
    await aSecond()
    into('main')
    await app.idle()
    expect(await shop.check(sha)).toMatch(waits)
    expect(await reportedAgain(shop, sha, report)).toMatch(/^success/)
  },
)
