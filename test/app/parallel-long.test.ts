// Who stands before a pull request in the same places, the long way: drafts, guests, other bases and tasks, what was heard late or
// in another order, and what a process that died told nobody.
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { aside, inLine } from '../../src/adapters/aside/aside.ts'
import { openEmbedded } from '../../src/adapters/store/embedded/embedded.ts'
import { engineOver } from '../../src/engine/engine.ts'
import { record } from '../../src/engine/record.ts'
import { z } from 'zod'
import { aGuest } from './lab/a-guest.ts'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { watchedGitHub } from '../openapi/watched.ts'
import { roundsOn } from './lab/own-rounds.ts'
import { appAt, runningApp, until } from './lab/running.ts'
import { aSecond } from './lab/a-second.ts'
import { aShopOf, sideBySide } from './lab/side-by-side.ts'

const app = await runningApp()
afterAll(() => app.stop())
const { github } = app

const held = (pull: number) => new RegExp(`^in_progress: Waiting: #${pull} comes first`)
const prices = ['src/prices.ts']

test('a draft is in nobody’s way, and is again once it is ready', async () => {
  const shop = await aShopOf(app, sideBySide('hold'))
  const draft = await shop.worked({ title: 'Show prices', files: prices, draft: true })
  const later = await shop.worked({ title: 'Round prices', files: prices })
  expect(await shop.check(later.sha)).toMatch(/^success/)
  github.setDraft(shop.name, draft.pull, false, 'agent')
  await shop.idle()
  expect(await shop.check(later.sha)).toMatch(held(draft.pull))
  github.setDraft(shop.name, draft.pull, true, 'agent')
  await shop.idle()
  expect(await shop.check(later.sha)).toMatch(/^success/)
  // Which files it changes is on record by now.
  github.setDraft(shop.name, draft.pull, false, 'agent')
  await shop.idle()
  expect(await shop.check(later.sha)).toMatch(held(draft.pull))
})

test('while the files of another push are being read, what was known of it holds', async () => {
  const shop = await aShopOf(app, sideBySide('hold'))
  const first = await shop.worked({ title: 'Show prices', files: prices })
  const second = await shop.worked({ title: 'Round prices', files: prices })
  const runs = await shop.runs(second.sha)
  const files = github.addFault({
    path: `/repos/${shop.name}/compare/*`,
    times: 1,
    trouble: { kind: 'delay', ms: 2_000 },
  })
  await shop.change(first.branch, prices)
  expect(github.faultHits(files)).toBe(1)
  expect(await shop.check(second.sha)).toMatch(held(first.pull))
  expect(await shop.runs(second.sha)).toBe(runs)
})

test('what somebody opened who may not write here is in nobody’s way before it is taken up', async () => {
  const shop = await aShopOf(app, sideBySide('hold'))
  const guest = await aGuest(shop, 'For you.', { files: { 'src/prices.ts': 'export const price = 1\n' } })
  const later = await shop.worked({ title: 'Round prices', files: prices })
  expect(await shop.check(later.sha)).toMatch(/^success/)
  await shop.say(guest.number, 'ada', '/ack a good beginning')
  expect(await shop.check(later.sha)).toMatch(held(guest.number))
})

test('another branch and the same task are no other place and no other task', async () => {
  const shop = await aShopOf(app, sideBySide('hold'))
  const first = await shop.worked({ title: 'Show prices', files: prices })
  const again = await shop.change('again', ['src/prices.ts'])
  await shop.open('agent', { head: 'again', body: `Closes #${first.task}` })
  await shop.build(again, 'success')
  expect(await shop.check(again)).toMatch(/^success/)
  github.push(shop.name, 'release', { files: { 'NEWS.md': 'New\n' }, author: 'cleo' })
  const ported = await shop.change('ported', ['src/prices.ts'])
  await shop.open('agent', { head: 'ported', base: 'release' })
  await shop.build(ported, 'success')
  expect(await shop.check(ported, 'countersign (release)')).toMatch(/^success/)
})

test('opened at once, the one with the lower number comes first; held, it goes on past neither a push nor a missing build', async () => {
  const shop = await aShopOf(app, sideBySide('hold'))
  const shas = ['one', 'two'].map((branch) =>
    github.push(shop.name, branch, { files: { 'src/prices.ts': `${branch}\n` }, author: 'agent' }),
  )
  const [first = 0, second = 0] = ['one', 'two'].map((head) =>
    github.openPull(shop.name, { title: head, head, by: 'agent' }),
  )
  for (const sha of shas.toReversed())
    github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
  await shop.idle()
  expect(await Promise.all(shas.map((sha) => shop.check(sha)))).toEqual([
    expect.stringMatching(/^success/),
    expect.stringMatching(held(first)),
  ])
  const pushed = await shop.change('two', prices)
  expect(await shop.check(pushed)).toMatch(/^in_progress: Waiting: required check/)
  await shop.build(pushed, 'success')
  expect(await shop.check(pushed)).toMatch(held(first))
  github.closePull(shop.name, first, 'agent')
  await shop.idle()
  expect(await shop.check(pushed)).toMatch(/^success/)
  expect(second).toBeGreaterThan(first)
})

test('an end that nobody told of is found, and so is what a process that died told nobody', async () => {
  const shop = await aShopOf(app, sideBySide('hold'))
  const first = await shop.worked({ title: 'Show prices', files: prices })
  const second = await shop.worked({ title: 'Round prices', files: prices })
  const third = await shop.worked({ title: 'Sort prices', files: prices })
  const freed = (sha: string) =>
    until(async () => {
      await new Promise((done) => setTimeout(done, 300))
      return (await shop.check(sha)).startsWith('success')
    })
  // Nobody is told, and nothing stands among the deliveries that could be asked for again.
  github.setDeliveries({ lostPercent: 100 })
  github.closePull(shop.name, first.pull, 'agent')
  await shop.idle()
  github.setDeliveries({ lostPercent: 0 })
  await app.kill()
  await app.start()
  await freed(second.sha)
  expect(await shop.check(third.sha)).toMatch(held(second.pull))
  await app.kill()
  const { id } = z.object({ id: z.number() }).parse(await shop.read(''))
  await ended(`R${id}#${second.task}`, `${shop.name}#${second.pull}@${second.sha}`)
  github.setDeliveries({ lostPercent: 100 })
  github.closePull(shop.name, second.pull, 'agent')
  await github.idle()
  github.setDeliveries({ lostPercent: 0 })
  await app.start()
  await freed(third.sha)
})

/** On record, and nothing else: whoever recorded it died before anybody was told. */
async function ended(stream: string, attempt_id: string): Promise<void> {
  const store = await openEmbedded(join(app.directory, 'data'))
  const nobody = () => Promise.reject(new Error('Nobody is asked'))
  const engine = engineOver({
    store,
    forges: { of: nobody },
    verifier: { available: false, verify: nobody, judgeGate: nobody },
    aside: aside(inLine),
    clock: { now: () => new Date().toISOString() },
    ids: { next: () => 'none' },
  })
  const told = {
    actor: { kind: 'app', login: 'countersign', id: null },
    correlation_id: 'a process that died',
  } as const
  const { events } = await record(
    engine,
    { stream, task_id: '' },
    { type: 'end_attempt', attempt_id, why: 'closed' },
    told,
  )
  expect(events.map(({ type }) => type)).toContain('AttemptSuperseded')
  await store.close()
}

test('an end that GitHub never tells of is looked up', async () => {
  const quiet = await watchedGitHub({ app: { ...appAt(1), webhookUrl: null } })
  const store = memoryStore()
  quiet.createOrg('quiet', ['cleo'])
  quiet.install('quiet')
  const policy = 'scope: { parallel: hold }\nverification: { checks: [{ name: build, check_run: build }] }\n'
  quiet.createRepo('quiet/shop', { files: { '.github/countersign.yml': policy }, by: 'cleo' })
  const [first = '', second = ''] = ['one', 'two'].map((branch) => {
    const sha = quiet.push('quiet/shop', branch, { files: { 'src/prices.ts': `${branch}\n` }, author: 'cleo' })
    quiet.openPull('quiet/shop', { title: branch, head: branch, by: 'cleo' })
    quiet.reportCheck('quiet/shop', { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
    return sha
  })
  const shown = () =>
    [first, second].map(
      (sha) => quiet.checksOn('quiet/shop', sha).runs.findLast(({ name }) => name === 'countersign')?.conclusion,
    )
  await roundsOn(quiet, store).round()
  expect(shown()).toEqual(['success', null])
  quiet.closePull('quiet/shop', 1, 'cleo')
  // In the second in which it was opened it may have been opened since.
  await aSecond()
  const later = roundsOn(quiet, store)
  await later.round()
  await later.round()
  expect(shown()).toEqual(['success', 'success'])
  expect(later.errors).toEqual([])
  await quiet.close()
})
