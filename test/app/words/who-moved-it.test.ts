// Whoever moved a branch before its pull request was there made a part of it. What was told of that is not asked for again; where
// anything of it was not, GitHub is asked.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop, type Shop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app

const push = ({ name }: Shop, pusher: string, text: string): string =>
  github.push(name, 'feature', { files: { 'src/a.ts': text }, author: 'agent', pusher })
const create = (shop: Shop): string => push(shop, 'agent', 'a\n')
const asked = ({ name }: Shop): number =>
  github.requests.filter(({ path }) => path === `/repos/${name}/activity`).length

/** What becomes of an override by ada, and how often GitHub was asked who moved the branch. */
async function overruled(moved: (shop: Shop) => unknown) {
  const shop = await aShop(app)
  await moved(shop)
  await app.idle()
  const number = await shop.open('agent')
  await shop.build(github.tip(shop.name, 'feature'), 'failure')
  await shop.say(number, 'ada', '/override I looked at it')
  const answered = (await shop.comments(number)).join('\n')
  return { asked: asked(shop), counts: !answered.includes('you made part of this change') }
}

test.each([
  ['the first push', (shop: Shop) => push(shop, 'ada', 'a\n')],
  ['a later one', (shop: Shop) => [create(shop), push(shop, 'ada', 'b\n')]],
  ['one that is under another', (shop: Shop) => [create(shop), push(shop, 'ada', 'b\n'), push(shop, 'agent', 'c\n')]],
])('whoever made %s made a part of it, and nobody asks', async (_, moved) => {
  expect(await overruled(moved)).toEqual({ asked: 0, counts: false })
})

test('whoever made none of them did not', async () => {
  expect(await overruled(create)).toEqual({ asked: 0, counts: true })
})

test.each([
  [
    'the first',
    async (shop: Shop) => [await untold(github, () => push(shop, 'ada', 'a\n')), push(shop, 'agent', 'b\n')],
  ],
  ['the last', async (shop: Shop) => [create(shop), await untold(github, () => push(shop, 'ada', 'b\n'))]],
  [
    'one between',
    async (shop: Shop) => [
      create(shop),
      await app.idle(),
      await untold(github, () => push(shop, 'ada', 'b\n')),
      push(shop, 'agent', 'c\n'),
    ],
  ],
])('where %s was not told, GitHub is asked', async (_, moved) => {
  expect(await overruled(moved)).toEqual({ asked: 1, counts: false })
})

test('a branch of the same name that was there before is another one', async () => {
  const again = async (shop: Shop) => {
    push(shop, 'ada', 'a\n')
    await app.idle()
    github.deleteBranch(shop.name, 'feature', 'ada')
    await app.idle()
    create(shop)
  }
  expect(await overruled(again)).toEqual({ asked: 0, counts: true })
})

test('nobody knows what was told before a restart', async () => {
  const restarted = async (shop: Shop) => {
    push(shop, 'ada', 'a\n')
    await app.idle()
    await app.kill()
    await app.start()
  }
  expect(await overruled(restarted)).toEqual({ asked: 1, counts: false })
})
