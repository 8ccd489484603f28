// What was missed while the App was away, and had a history of its own meanwhile: other words, a push, a delivery that comes
// after all, an act that was taken back.
import { expect, test } from 'vitest'
import { beginningOfASecond } from '../lab/a-second.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, pushedOn } from '../lab/shop.ts'
import { post } from '../lab/spawned.ts'
import { changesIn } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app
const { aChange, whileAway, wasGreen } = changesIn(app)
/** Another one begins half a minute later. */
const BY_THE_SAME_ROUND_MS = 27_000

test('a rejection before a push that nobody told us of either, and behind many other words', async () => {
  const { shop, number } = await aChange()
  let head = ''
  await whileAway(() => {
    head = github.push(shop.name, 'feature', { files: { 'src/shop.ts': 'export {}\n' }, author: 'agent' })
    for (let words = 0; words < 130; words += 1) github.comment(shop.name, number, { body: `word ${words}`, by: 'dan' })
    github.comment(shop.name, number, { body: '/reject not like this', by: 'bob' })
    for (let words = 0; words < 130; words += 1) github.comment(shop.name, number, { body: `more ${words}`, by: 'dan' })
  })
  await shop.build(head, 'success')
  await until(async () => (await shop.check(head)).startsWith('failure'))
  expect(await shop.check(head)).toMatch(/rejected by bob/)
  expect(wasGreen(head, shop.name)).toBe(false)
})

test('words that were found, and are delivered after all, are heard once', async () => {
  const { shop, sha, number } = await aChange()
  await whileAway(() => void github.comment(shop.name, number, { body: '/status\n\n/reject not so', by: 'bob' }))
  const late = github.deliveries().findLast(({ event }) => event === 'issue_comment')
  await shop.build(sha, 'success')
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  await shop.say(number, 'bob', '/revoke')
  expect(await shop.check(sha)).toMatch(/^success/)
  const body = JSON.stringify(github.payloadOf(late?.id ?? 0))
  const { status } = await post(app.url, body, github.app.webhookSecret, { 'x-github-event': 'issue_comment' })
  expect(status).toBe(202)
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('what was taken back meanwhile does not stand', async () => {
  const { shop, sha, number } = await aChange()
  await shop.build(sha, 'failure')
  await shop.say(number, 'ada', '/override the build is known to be broken')
  expect(await shop.check(sha)).toMatch(/^success/)
  await whileAway(() => void github.comment(shop.name, number, { body: '/revoke', by: 'ada' }))
  await shop.build(sha, 'failure')
  await until(async () => !(await shop.check(sha)).startsWith('success'))
})

test('a push in the second in which it was opened, that nobody told us of, is found as soon as that is certain', async () => {
  const shop = await aShop(app)
  await shop.push()
  await beginningOfASecond()
  await shop.open()
  let head = ''
  await whileAway(() => {
    head = pushedOn(github, shop.name)
  })
  await until(async () => (await shop.check(head)) !== 'none', BY_THE_SAME_ROUND_MS)
  expect(await shop.check(head)).toMatch(/^(queued|in_progress)/)
  await shop.build(head, 'success')
  await until(async () => (await shop.check(head)).startsWith('success'))
})
