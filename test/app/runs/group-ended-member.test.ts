// A member of a merge group that ends without being merged is still in the commit of the group: only what is merged is in the base.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop, type Shop } from '../lab/shop.ts'
import { twoGreen } from '../lab/two-green.ts'

const { app } = await sharedInTime()
const { github } = app

/** Two pull requests that are a success and queued; the group that both merge with is the last. */
async function twoQueued(shop: Shop, how: 'one on the other' | 'together') {
  const pulls = await twoGreen(app, shop)
  const groups: string[] = []
  for (const group of how === 'together' ? [pulls] : pulls.map((pull) => [pull])) {
    groups.push(github.mergeGroup(shop.name, group, 'ada').headSha)
    await app.idle()
  }
  return { first: pulls[0], below: groups[0] ?? '', top: groups.at(-1) ?? '' }
}

const rejected = (shop: Shop, pull: number): Promise<number> => shop.say(pull, 'bob', '/reject not like this')
const closed = (shop: Shop, pull: number): void => github.closePull(shop.name, pull, 'bob')
const aDraft = (shop: Shop, pull: number): void => github.setDraft(shop.name, pull, true, 'agent')

test.each([
  ['rejected and closed', 'one on the other', [rejected, closed]],
  ['rejected and made a draft', 'one on the other', [rejected, aDraft]],
  ['closed', 'together', [closed]],
] as const)('the first is %s, and two that are queued %s are no success', async (_, how, acts) => {
  const shop = await aShop(app)
  const { first, top } = await twoQueued(shop, how)
  for (const act of acts) await act(shop, first)
  await app.idle()
  await shop.build(top, 'success')
  expect(await shop.check(top)).toMatch(/^action_required: .*pull request \d+ is not a success at the head/)
})

test('once the first is merged, the one on it is a success', async () => {
  const shop = await aShop(app)
  const { below, top } = await twoQueued(shop, 'one on the other')
  await shop.build(below, 'success')
  github.endGroup(shop.name, below, 'merged', 'ada')
  await app.idle()
  await shop.build(top, 'success')
  expect(await shop.check(top)).toMatch(/^success/)
})

test('an issue that a commit of the queue seems to name is no member', async () => {
  const shop = await aShop(app)
  const issue = github.openIssue(shop.name, { title: 'A question', by: 'ada' })
  const sha = github.push(shop.name, 'one', {
    files: { 'src/one.ts': 'export {}\n' },
    author: 'agent',
    committer: 'web-flow',
    message: `Answers it (#${issue})`,
  })
  await app.idle()
  const pull = await shop.open('agent', { head: 'one' })
  await shop.build(sha, 'success')
  const group = github.mergeGroup(shop.name, [pull], 'ada').headSha
  await app.idle()
  await shop.build(group, 'success')
  expect(await shop.check(group)).toMatch(/^success/)
})
