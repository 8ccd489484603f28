// What people say while nobody can take it in: nothing judges the pull request yet, or we are not let in. It was told, and
// counts as unheard all the same, so that it is read before anything turns green.
import { describe, expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { adopted, aShop, type Shop } from '../lab/shop.ts'
import { changesIn } from '../lab/unheard.ts'
import { shareOf } from '../../depth.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { wasGreen } = changesIn(app)

type Told = (shop: Shop, number: number) => unknown
const rejections: readonly (readonly [string, Told])[] = [
  ['a review', (shop, number) => shop.review(number, 'bob', 'REQUEST_CHANGES', 'no')],
  ['a comment', (shop, number) => shop.say(number, 'bob', '/reject not like this')],
  [
    'a label',
    async (shop, number) => {
      github.label(shop.name, number, 'countersign:reject', 'bob')
      await app.idle()
    },
  ],
]

/** What is shown once everything else has passed, and whether it was ever green. */
async function shownPassed(shop: Shop, sha: string): Promise<readonly [string, boolean]> {
  await shop.build(sha, 'success')
  await app.idle()
  return [await shop.check(sha), wasGreen(sha, shop.name)]
}
const rejectedByBob = [expect.stringMatching(/^failure.*bob/), false]

test('a no at a draft stands although somebody deletes it', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open('agent', { draft: true })
  const id = await shop.say(number, 'bob', '/reject not like this')
  expect(await shop.check(sha)).toBe('cancelled: Not judged: a draft, or closed')
  github.deleteComment(shop.name, id, 'agent')
  aMinuteLater()
  github.setDraft(shop.name, number, false, 'agent')
  await app.idle()
  expect(await shownPassed(shop, sha)).toEqual(rejectedByBob)
})

test('who says no where nothing was judged before it was closed is told that it is kept', async () => {
  const shop = await aShop(app)
  await shop.push()
  await shop.open()
  await shop.push('later')
  const number = await shop.open('agent', { draft: true, head: 'later' })
  github.closePull(shop.name, number, 'agent')
  await app.idle()
  await shop.say(number, 'bob', '/reject not like this')
  expect((await shop.comments(number)).at(-1)).toMatch(/^`\/reject` is kept\. /)
})

describe('a no is not lost that was said', () => {
  test.each(shareOf(3, rejections))('at a draft, by %s', async (_name, reject) => {
    const shop = await aShop(app)
    const sha = await shop.push()
    const number = await shop.open('agent', { draft: true })
    await reject(shop, number)
    aMinuteLater()
    github.setDraft(shop.name, number, false, 'agent')
    await app.idle()
    expect(await shownPassed(shop, sha)).toEqual(rejectedByBob)
  })

  test.each(shareOf(3, rejections, 1))('before there was a policy, by %s', async (_name, reject) => {
    const shop = await aShop(app, null)
    const sha = await shop.push()
    const number = await shop.open()
    await reject(shop, number)
    aMinuteLater()
    github.push(shop.name, 'main', { files: { '.github/countersign.yml': adopted }, author: 'cleo' })
    await app.idle()
    await shop.say(number, 'ada', '/countersign verify')
    expect(await shownPassed(shop, sha)).toEqual(rejectedByBob)
  })

  test.each(shareOf(3, rejections, 2))('while the App was suspended, by %s', async (_name, reject) => {
    const shop = await aShop(app)
    const sha = await shop.push()
    const number = await shop.open()
    github.suspendInstallation(shop.installation, 'cleo')
    // What was told just before it took effect is handled when nobody lets us in any more.
    await reject(shop, number)
    aMinuteLater()
    github.suspendInstallation(shop.installation, null)
    await app.idle()
    expect(await shownPassed(shop, sha)).toEqual(rejectedByBob)
  })
})

test('a yes that was said at a draft is about what stood then, and what people chat there keeps nothing waiting', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open('agent', { draft: true })
  await shop.say(number, 'bob', 'nice')
  await shop.say(number, 'ada', '/override we need it today')
  aMinuteLater()
  github.setDraft(shop.name, number, false, 'agent')
  await app.idle()
  await shop.build(sha, 'failure')
  expect(await shop.check(sha)).toMatch(/^failure/)
  expect(await shownPassed(shop, sha)).toEqual([expect.stringMatching(/^success/), true])
})
