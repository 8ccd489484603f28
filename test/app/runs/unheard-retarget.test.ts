// A pull request gets another base for a while and the App hears of it late, or never: what other CI reported on its commit
// meanwhile is about that other base, in whichever order it is heard.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aSecond } from '../lab/a-second.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { adopted, aShop, byStatus, type Shop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app

type Report = (shop: Shop, sha: string) => void
const passes: readonly (readonly [string, string, Report])[] = [
  [
    'a check run',
    adopted,
    ({ name }, sha) =>
      void github.reportCheck(name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' }),
  ],
  [
    'a status',
    byStatus,
    ({ name }, sha) => void github.reportStatus(name, { sha, context: 'ci', state: 'success', by: 'ada' }),
  ],
]
const waits = /^in_progress: Waiting: required check `build`/

/** What the check says once it was reported again. */
async function reportedAgain(shop: Shop, sha: string, report: Report): Promise<string> {
  await aSecond()
  report(shop, sha)
  await app.idle()
  return shop.check(sha)
}

async function aChange(policy: string) {
  const shop = await aShop(app, policy)
  github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const sha = await shop.push()
  const pull = await shop.open()
  const into = (base: string): void => github.editPull(shop.name, pull, { base, by: 'agent' })
  return { shop, sha, into }
}

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
