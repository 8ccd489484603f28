// GitHub goes on to show a pull request as it was: what was said there is not lost behind that.
import { expect, test } from 'vitest'
import { aSecond } from '../lab/a-second.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, pushedOn } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app

test('what GitHub does not show within half a minute is not waited for: what was said counts for what it shows', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await aSecond()
  const stale = github.addFault({ trouble: { kind: 'stale' } })
  await untold(github, () => pushedOn(github, shop.name))
  await aSecond()
  github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' })
  await until(async () => (await shop.check(sha)).startsWith('failure'), 60_000, 500)
  expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
  github.removeFault(stale)
  await app.idle()
})

test('a push that GitHub tells of and does not show for a minute is waited for in words', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  await aSecond()
  const stale = github.addFault({ trouble: { kind: 'stale' } })
  const next = pushedOn(github, shop.name)
  await until(async () => (await shop.check(sha)).startsWith('action_required'), 90_000, 500)
  expect(await shop.check(sha)).toMatch(/^action_required: Needs a person/)
  expect(await shop.summary(sha)).toContain('does not show pull request')
  github.removeFault(stale)
  await until(async () => (await shop.check(next)).startsWith('in_progress'), 60_000, 500)
  expect(await shop.check(next)).toMatch(/^in_progress: Waiting: required check `build`/)
  expect(await shop.check(sha)).toMatch(/^cancelled: Superseded/)
}, 150_000)

test('what was allowed at one base is not allowed at the next one, where all that was told too late to be heard', async () => {
  const shop = await aShop(app)
  github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const sha = await shop.push()
  github.setDeliveries({ lostPercent: 100 })
  const pull = github.openPull(shop.name, { title: 'A better shop', head: 'feature', by: 'agent' })
  await aSecond()
  github.comment(shop.name, pull, { body: '/override --check build the runner is broken', by: 'ada' })
  await aSecond()
  github.editPull(shop.name, pull, { base: 'release', by: 'agent' })
  await github.idle()
  github.setDeliveries({ lostPercent: 0 })
  await app.kill()
  await app.start()
  await until(async () => github.checksOn(shop.name, sha).runs.length > 0)
  await app.idle()
  await aSecond()
  await shop.build(sha, 'failure')
  expect(await shop.check(sha, 'countersign (release)')).toMatch(/^failure: Changes needed/)
})

test('what was allowed for a commit is not allowed for the next one, where both were told too late to be read', async () => {
  const shop = await aShop(app)
  await shop.push()
  const pull = await shop.open()
  await aSecond()
  await app.kill()
  pushedOn(github, shop.name, 'one\n')
  await aSecond()
  github.comment(shop.name, pull, { body: '/override --check build the runner is broken', by: 'ada' })
  await aSecond()
  const next = pushedOn(github, shop.name, 'two\n')
  await github.idle()
  await app.start()
  await app.idle()
  await shop.build(next, 'failure')
  expect(await shop.check(next)).toMatch(/^failure: Changes needed/)
})
