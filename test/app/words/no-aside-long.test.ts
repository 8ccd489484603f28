// What restricts is heard wherever a pull request stands: at a draft and at a closed one a no turns its commit red at once, so that
// whoever makes it ready, or opens it again, does not find it green.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

const aside = {
  draft: {
    leave: (shop: string, pull: number) => github.setDraft(shop, pull, true, 'agent'),
    comeBack: (shop: string, pull: number) => github.setDraft(shop, pull, false, 'agent'),
  },
  closed: {
    leave: (shop: string, pull: number) => github.closePull(shop, pull, 'agent'),
    comeBack: (shop: string, pull: number) => github.reopenPull(shop, pull, 'agent'),
  },
} as const
const says = {
  comment: (shop: string, pull: number) => github.comment(shop, pull, { body: '/reject not like this', by: 'bob' }),
  label: (shop: string, pull: number) => github.label(shop, pull, 'countersign:reject', 'bob'),
  review: (shop: string, pull: number) =>
    github.review(shop, pull, { by: 'bob', event: 'REQUEST_CHANGES', body: 'no' }),
} as const

async function aGreen() {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  return { shop, sha, pull }
}

test.each([
  ['draft', 'comment'],
  ['draft', 'label'],
  ['draft', 'review'],
  ['closed', 'comment'],
  ['closed', 'label'],
  ['closed', 'review'],
] as const)('a no at what is %s, by a %s', async (where, how) => {
  const { shop, sha, pull } = await aGreen()
  aside[where].leave(shop.name, pull)
  await app.idle()
  says[how](shop.name, pull)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
  aside[where].comeBack(shop.name, pull)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
})

test('what is merged is sent back in other words, and whoever says it otherwise is told', async () => {
  const { shop, sha, pull } = await aGreen()
  github.merge(shop.name, pull, { by: 'ada' })
  await app.idle()
  await shop.say(pull, 'bob', '/reject not like this')
  expect(await shop.check(sha)).toMatch(/^success/)
  expect((await shop.comments(pull)).at(-1)).toContain('Refused')
})
