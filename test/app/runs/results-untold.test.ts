// A build fails again on a commit, and no webhook tells of it: nothing else that is heard turns the commit green by what passed before.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { adopted, aShop, type Shop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { wasGreen } = changesIn(app)
const fails = ({ name }: Shop, sha: string): number =>
  github.reportCheck(name, { name: 'build', sha, conclusion: 'failure', app: 'github-actions' })

const words: readonly (readonly [string, (shop: Shop, pull: number) => unknown])[] = [
  ['an approval', (shop, pull) => shop.review(pull, 'bob', 'APPROVE')],
  ['a word that takes a no back', (shop, pull) => shop.say(pull, 'bob', '/revoke')],
]
test.each(words)('by %s', async (what, says) => {
  const policy = what === 'an approval' ? `${adopted}merge_requires: completed\n` : adopted
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  const pull = await shop.open()
  if (what !== 'an approval') await shop.say(pull, 'bob', '/reject not yet')
  await shop.build(sha, 'success')
  aMinuteLater()
  await untold(github, () => fails(shop, sha))
  aMinuteLater()
  await says(shop, pull)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure: .*build/)
  expect(wasGreen(sha, shop.name)).toBe(false)
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})

async function aQueuedPull() {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'success')
  const group = github.mergeGroup(shop.name, [pull], 'ada').headSha
  await app.idle()
  return { shop, sha, pull, group }
}

test('nor does a merge group by what becomes of its members', async () => {
  const { shop, pull, group } = await aQueuedPull()
  await shop.say(pull, 'bob', '/reject not yet')
  await shop.build(group, 'success')
  aMinuteLater()
  await untold(github, () => fails(shop, group))
  await shop.say(pull, 'bob', '/revoke')
  expect(wasGreen(group, shop.name)).toBe(false)
  expect(await shop.check(group)).toMatch(/^failure: .*build/)
})

test('nor one whose member failed again', async () => {
  const { shop, sha, group } = await aQueuedPull()
  aMinuteLater()
  await untold(github, () => fails(shop, sha))
  await shop.build(group, 'success')
  expect(wasGreen(group, shop.name)).toBe(false)
  expect(await shop.check(group)).toMatch(/^action_required: .* is not a success at the head that is queued/)
  expect(await shop.check(sha)).toMatch(/^failure: .*build/)
})
