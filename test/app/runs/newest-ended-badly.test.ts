// The newest run of a commit ended badly, and nobody told that it began: what an older one said counts no more.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aRun, handOver, policy, results, workflow } from '../lab/action-run.ts'
import { adopted, aShop, type Shop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { wasGreen } = changesIn(app)

/** A run begins once more, of which nobody is told. */
async function again({ name }: Pick<Shop, 'name'>, run: number) {
  aMinuteLater()
  await untold(github, () => github.rerun(name, run))
  aMinuteLater()
}
/** Of what had passed a newer run is told, that was cancelled. */
async function passedThenCancelled(shop: Shop) {
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'success')
  const passed = await shop.check(sha)
  aMinuteLater()
  await shop.build(sha, 'cancelled')
  return { sha, pull, passed }
}

test.each(['failure', 'timed_out', 'cancelled', 'success'] as const)(
  'the Action ran again, ended as %s without handing over, and only its end is told',
  async (end) => {
    const given = await aRun(app)
    const { shop, sha, run } = given
    await handOver(given, results(given))
    expect(await shop.check(sha)).toMatch(/^success/)
    await again(shop, run)
    github.finishRun(shop.name, run, end)
    await shop.idle()
    expect(await shop.check(sha)).not.toMatch(/^success/)
  },
)

test.each(['failure', 'timed_out', 'cancelled'] as const)(
  'no approval makes it green after the newest attempt ended as %s and nobody told',
  async (end) => {
    const text = `${policy}merge_requires: completed\n`
    const given = await aRun(app, 'pull_request', text)
    const { shop, sha, run, number } = given
    await handOver(given, results(given, true, text))
    expect(await shop.check(sha)).toMatch(/^action_required/)
    await again(shop, run)
    await untold(github, () => github.finishRun(shop.name, run, end))
    aMinuteLater()
    await shop.review(number, 'bob', 'APPROVE')
    await app.idle()
    expect(await shop.check(sha)).not.toMatch(/^success/)
    expect(wasGreen(sha, shop.name)).toBe(false)
  },
)

test('the newest run of an adopted check was cancelled, and only its end is told', async () => {
  const shop = await aShop(app)
  const { sha, passed } = await passedThenCancelled(shop)
  expect(passed).toMatch(/^success/)
  expect(await shop.check(sha)).not.toMatch(/^success/)
})

test('the same, heard from its beginning', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  aMinuteLater()
  const id = github.reportCheck(shop.name, { name: 'build', sha, status: 'in_progress', app: 'github-actions' })
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^in_progress/)
  github.updateCheck(shop.name, id, { conclusion: 'cancelled' })
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^in_progress/)
})

test('no approval makes it green after the newest run of an adopted check was cancelled', async () => {
  const shop = await aShop(app, `${adopted}merge_requires: completed\n`)
  const { sha, pull } = await passedThenCancelled(shop)
  await shop.review(pull, 'bob', 'APPROVE')
  await app.idle()
  expect(await shop.check(sha)).not.toMatch(/^success/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('a group whose newest run ended badly, of which only its end is told', async () => {
  const given = await aRun(app)
  const { shop, number } = given
  await handOver(given, results(given))
  const group = github.mergeGroup(shop.name, [number], 'ada').headSha
  const run = github.startRun(shop.name, { head: group, branch: 'queue', path: workflow, event: 'merge_group' })
  await shop.idle()
  const own = { ...results({ ...given, sha: group, run }), event: 'merge_group', pull: null, tier1: null } as const
  await handOver({ ...given, run }, own)
  expect(await shop.check(group)).toMatch(/^success/)
  await again(shop, run)
  github.finishRun(shop.name, run, 'failure')
  await shop.idle()
  expect(await shop.check(group)).not.toMatch(/^success/)
})
