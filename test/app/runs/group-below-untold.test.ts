// A group of the merge queue stands on another of which no webhook told: whoever is in that one merges with it all the same.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'
import { twoGreen } from '../lab/two-green.ts'
import { untold } from '../lab/unheard.ts'

const { app } = await sharedInTime()
const { github } = app

/** Two pull requests that are a success, queued one on the other; only of the second group somebody was told. */
async function twoQueued() {
  const shop = await aShop(app)
  const [first, second] = await twoGreen(app, shop)
  await untold(github, () => github.mergeGroup(shop.name, [first], 'ada'))
  const top = github.mergeGroup(shop.name, [second], 'ada').headSha
  await app.idle()
  return { shop, first, top }
}

test('a no at a member below keeps the group from being a success', async () => {
  const { shop, first, top } = await twoQueued()
  await shop.say(first, 'bob', '/reject not like this')
  await shop.build(top, 'success')
  expect(await shop.check(top)).toMatch(`action_required: Needs a person: pull request ${first} is not a success`)
})

test('a group whose members below are a success is one, until one of them is none any more', async () => {
  const { shop, first, top } = await twoQueued()
  await shop.build(top, 'success')
  expect(await shop.check(top)).toMatch(/^success/)
  await shop.say(first, 'bob', '/reject not like this')
  expect(await shop.check(top)).toMatch(`action_required: Needs a person: pull request ${first} is not a success`)
})
