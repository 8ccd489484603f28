// A commit that was announced does not stay queued, whatever became of whoever announced it: the run is taken up by whoever
// tries again, or ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { runningApp, until } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const app = await runningApp()
afterAll(() => app.stop())
const { github } = app
afterEach(() => github.clearFaults())

/** Every run of ours on a commit, oldest first. */
const runsOn = (shop: Shop, sha: string): readonly string[] =>
  github.allChecksOn(shop.name, sha).flatMap((run) => {
    return run.app === github.app.slug ? [`${run.conclusion ?? run.status}: ${run.title ?? ''}`] : []
  })

const openOn = (shop: Shop, sha: string): readonly string[] =>
  runsOn(shop, sha).filter((run) => !run.startsWith('cancelled'))

/** The process dies after GitHub made the run of the next head, and before anything is known about that. */
async function diesAnnouncing(shop: Shop): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const trouble = { kind: 'held', until: promise } as const
  const fault = github.addFault({ path: '/graphql', holds: 'pullRequest(number: $number)', trouble })
  const sha = github.push(shop.name, 'feature', { files: { 'src/shop.ts': `${Math.random()}\n` }, author: 'agent' })
  await until(async () => runsOn(shop, sha).length === 1)
  await app.kill()
  github.removeFault(fault)
  resolve()
  await github.idle()
  return sha
}

async function aPull(): Promise<{ shop: Shop; number: number }> {
  const shop = await aShop(app)
  await shop.push()
  return { shop, number: await shop.open() }
}

test('a run that the process died over is taken up', async () => {
  const { shop } = await aPull()
  const sha = await diesAnnouncing(shop)
  await app.start()
  await until(async () => openOn(shop, sha).every((run) => run.startsWith('in_progress')))
  await shop.idle()
  expect(openOn(shop, sha)).toEqual(['in_progress: Waiting: required check `build` has not reported yet'])
}, 60_000)

test.each([
  ['the head has moved on', async ({ shop }) => void github.push(shop.name, 'feature', next)],
  ['the pull request is closed', async ({ shop, number }) => github.closePull(shop.name, number, 'agent')],
  ['the policy is gone', async ({ shop }) => void github.push(shop.name, 'main', gone)],
] as [string, (pull: { shop: Shop; number: number }) => Promise<void>][])(
  'a run that the process died over is ended: %s',
  async (_what, meanwhile) => {
    const pull = await aPull()
    const sha = await diesAnnouncing(pull.shop)
    await meanwhile(pull)
    await app.start()
    await until(async () => runsOn(pull.shop, sha).every((run) => run.startsWith('cancelled')))
    await pull.shop.idle()
    expect(runsOn(pull.shop, sha).every((run) => run.startsWith('cancelled'))).toBe(true)
  },
  60_000,
)
const next = { files: { 'src/shop.ts': 'next\n' }, author: 'agent' }
const gone = { files: { '.github/countersign.yml': null }, author: 'cleo' }

test('a delivery that is tried again takes up the run that it announced itself', async () => {
  const { shop } = await aPull()
  const query = { path: '/graphql', holds: 'pullRequest(number: $number)' } as const
  const fault = github.addFault({ ...query, times: 2, trouble: { kind: 'answer', status: 502 } })
  const sha = await shop.push()
  expect(github.faultHits(fault)).toBe(2)
  expect(runsOn(shop, sha)).toEqual(['in_progress: Waiting: required check `build` has not reported yet'])
}, 60_000)

test('of many heads none stays queued, whenever the process dies', async () => {
  // In several organisations, because GitHub takes only so many labels a minute from one installation.
  const pulls: { readonly shop: Shop; readonly branch: string; sha: string }[] = []
  while (pulls.length < HEADS) {
    const shop = await aShop(app)
    for (const branch of ['one', 'two', 'three', 'four']) {
      const sha = github.push(shop.name, branch, { files: { [`src/${branch}.ts`]: 'first\n' }, author: 'agent' })
      github.openPull(shop.name, { title: branch, head: branch, by: 'agent' })
      pulls.push({ shop, branch, sha })
    }
  }
  await app.idle()
  for (let from = 0; from < HEADS; from += HEADS / KILLS) {
    github.addFault({ path: '/repos/*/check-runs*', trouble: { kind: 'delay', ms: 40 } })
    const now = pulls.slice(from, from + HEADS / KILLS)
    for (const pull of now) {
      const files = { [`src/${pull.branch}.ts`]: 'second\n' }
      pull.sha = github.push(pull.shop.name, pull.branch, { files, author: 'agent' })
    }
    await until(async () => now.some(({ shop, sha }) => runsOn(shop, sha).length > 0))
    await sleep(from % 70)
    await app.kill()
    github.clearFaults()
    await app.start()
  }
  const open = (): readonly string[] => pulls.flatMap(({ shop, sha }) => openOn(shop, sha))
  const isDone = async () => open().length === HEADS && open().every((run) => run.startsWith('in_progress'))
  await until(isDone, 120_000).catch(() => undefined)
  await app.idle()
  expect(open()).toEqual(pulls.map(() => expect.stringMatching(/^in_progress: Waiting/)))
}, 300_000)
/** `ANNOUNCED_HEADS=80` for more of them. */
const HEADS = Number(process.env['ANNOUNCED_HEADS'] ?? 16)
const KILLS = 4
