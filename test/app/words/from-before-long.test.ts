// GitHub goes on to show a pull request as it was: what was said there is not lost behind that.
import { expect, test } from 'vitest'
import { aSecond } from '../lab/a-second.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app

test('what GitHub does not show within half a minute is not waited for: what was said counts for what it shows', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await aSecond()
  const stale = github.addFault({ trouble: { kind: 'stale' } })
  await untold(github, () =>
    github.push(shop.name, 'feature', { files: { 'src/more.ts': 'export {}\n' }, author: 'agent' }),
  )
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
  const next = github.push(shop.name, 'feature', { files: { 'src/more.ts': 'export {}\n' }, author: 'agent' })
  await until(async () => (await shop.check(sha)).startsWith('action_required'), 90_000, 500)
  expect(await shop.check(sha)).toMatch(/^action_required: Needs a person/)
  expect(await shop.summary(sha)).toContain('does not show pull request')
  github.removeFault(stale)
  await until(async () => (await shop.check(next)).startsWith('in_progress'), 60_000, 500)
  expect(await shop.check(next)).toMatch(/^in_progress: Waiting: required check `build`/)
  expect(await shop.check(sha)).toMatch(/^cancelled: Superseded/)
}, 150_000)
