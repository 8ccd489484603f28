// What people said is heard before anything turns green, however it was missed: while the App was away and GitHub brings
// nothing again, or behind an outage.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { changesIn } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app
const { aChange, whileAway, wasGreen } = changesIn(app)

test('a rejection by a comment that nobody told us of', async () => {
  const { shop, sha, number } = await aChange()
  await whileAway(() => void github.comment(shop.name, number, { body: '/reject not like this', by: 'bob' }))
  await shop.build(sha, 'success')
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  expect(await shop.check(sha)).toMatch(/rejected by bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('a rejection waits out an outage, and nothing turns green over it meanwhile', async () => {
  const { shop, sha, number } = await aChange()
  const page = { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' } as const
  const outage = [500, 401, 404].map((status) => ({ kind: 'answer', status }) as const)
  for (const trouble of [page, ...outage])
    github.addFault({ path: `/repos/${shop.name}/collaborators/bob/permission`, times: 2, trouble })
  github.comment(shop.name, number, { body: '/reject not like this', by: 'bob' })
  await github.idle()
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  expect(await shop.check(sha)).toMatch(/rejected by bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
}, 60_000)

test('nothing turns green while a rejection is being handled, whoever else settles the pull request meanwhile', async () => {
  const { shop, sha, number } = await aChange()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const path = `/repos/${shop.name}/collaborators/bob/permission`
  const fault = github.addFault({ path, trouble: { kind: 'held', until: answered } })
  github.comment(shop.name, number, { body: '/reject not like this', by: 'bob' })
  await until(async () => github.faultHits(fault) > 0)
  // It stands in another line, since a build is about a commit.
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
  await until(async () => wasGreen(sha, shop.name), 2_000).catch(() => undefined)
  answer()
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  expect(await shop.check(sha)).toMatch(/rejected by bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})
