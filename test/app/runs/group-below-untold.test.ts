// A group of the merge queue stands on another of which no webhook told: whoever is in that one merges with it all the same.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const { app } = await sharedInTime()
const { github } = app

/** Two pull requests that are a success, queued one on the other; only of the second group somebody was told. */
async function twoQueued() {
  const shop = await aShop(app)
  const pulls: number[] = []
  for (const branch of ['one', 'two']) {
    const sha = github.push(shop.name, branch, { files: { [`src/${branch}.ts`]: 'export {}\n' }, author: 'agent' })
    await app.idle()
    pulls.push(await shop.open('agent', { head: branch }))
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(/^success/)
  }
  const [first = 0, second = 0] = pulls
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
