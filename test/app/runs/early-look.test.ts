// Before a green GitHub is asked for the head and for what people said. Where a webhook tells of a result that would turn a
// pull request green, that is asked while the result itself is read, and not behind it.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, adopted, type Shop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app

/** A build has passed, and what is asked about it is held back. */
async function whileItIsRead(shop: Shop) {
  const sha = await shop.push()
  const run = github.reportCheck(shop.name, { name: 'build', sha, app: 'github-actions', status: 'in_progress' })
  const pull = await shop.open()
  const path = `/repos/${shop.name}/commits/*/check-runs*`
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = github.addFault({ path, times: 1, trouble: { kind: 'held', until: promise } })
  const looks = looksAt(shop)
  github.updateCheck(shop.name, run, { status: 'completed', conclusion: 'success' })
  await until(async () => github.faultHits(held) > 0)
  const isAsked = async (): Promise<unknown> => until(async () => looks() > 0, 2_000)
  return { sha, pull, looks, isAsked, resolve }
}

/** Of this repository alone: a round over all may be under way. */
function looksAt({ org }: Shop): () => number {
  const trouble = { kind: 'meanwhile', act: () => undefined } as const
  const asked = github.addFault({ path: '/graphql', holds: `"owner":"${org}"`, trouble })
  return () => github.faultHits(asked)
}

// A machine that is busy looks again, since half a second has passed.
test('a build that passes is read while its pull request is looked at, once', { retry: 3 }, async () => {
  const shop = await aShop(app)
  const { sha, looks, isAsked, resolve } = await whileItIsRead(shop)
  await isAsked()
  resolve()
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(looks()).toBe(1)
})

test('nobody looks where more than that is wanted, and the check says what', async () => {
  const shop = await aShop(app, `merge_requires: completed\n${adopted}`)
  const { sha, looks, resolve } = await whileItIsRead(shop)
  resolve()
  await app.idle()
  expect(await shop.check(sha)).not.toMatch(/^success/)
  expect(looks()).toBe(0)
})

test('what was looked at long ago is looked at again: a rejection that came meanwhile, and of which nobody told, is heard', async () => {
  const shop = await aShop(app)
  const { sha, pull, looks, isAsked, resolve } = await whileItIsRead(shop)
  await isAsked()
  await untold(github, () => github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' }))
  // Longer than a look stays good for.
  const seen = performance.now()
  await until(async () => performance.now() - seen > 600)
  resolve()
  await app.idle()
  expect(looks()).toBeGreaterThan(1)
  expect(await shop.check(sha)).toMatch(/^failure/)
})
