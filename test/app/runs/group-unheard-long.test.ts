// What the merge queue is told green is merged at once: nothing that somebody said at a member may be unheard by then.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop, byStatus, type Shop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app
const { wasGreen } = changesIn(app)

const unheard = (shop: Shop, pull: number, body = '/reject not like this'): Promise<number> =>
  untold(github, () => github.comment(shop.name, pull, { body, by: 'bob' }))

async function aGreenPull(shop: Shop) {
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  return { sha, pull }
}

test('a group is not green while a no is unheard that was said before it was queued', async () => {
  const shop = await aShop(app)
  const { pull } = await aGreenPull(shop)
  await unheard(shop, pull)
  const group = github.mergeGroup(shop.name, [pull], 'ada').headSha
  await app.idle()
  await shop.build(group, 'success')
  expect(wasGreen(group, shop.name)).toBe(false)
  expect(await shop.check(group)).toMatch(/^action_required: .* is not a success at the head that is queued/)
})

test('nor one that was said while it was queued', async () => {
  const shop = await aShop(app)
  const { pull } = await aGreenPull(shop)
  const group = github.mergeGroup(shop.name, [pull], 'ada').headSha
  await app.idle()
  await unheard(shop, pull)
  await shop.build(group, 'success')
  expect(wasGreen(group, shop.name)).toBe(false)
  expect(await shop.check(group)).toMatch(/^action_required: .* is not a success at the head that is queued/)
})

test('nor one at another pull request of its commit, of which nobody told either', async () => {
  const shop = await aShop(app, byStatus)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^success/)
  await untold(github, () => {
    github.moveBranch(shop.name, 'twin', sha, 'agent')
    const twin = github.openPull(shop.name, { title: 'The same', head: 'twin', by: 'agent' })
    github.comment(shop.name, twin, { body: '/reject not like this', by: 'bob' })
  })
  const group = github.mergeGroup(shop.name, [pull], 'ada').headSha
  await app.idle()
  await shop.passes(group)
  expect(wasGreen(group, shop.name)).toBe(false)
  expect(await shop.check(group)).toMatch(/^action_required: .* is not a success at the head that is queued/)
})

test('what asks for nothing keeps nobody waiting once it is heard', async () => {
  const shop = await aShop(app)
  const { pull } = await aGreenPull(shop)
  const group = github.mergeGroup(shop.name, [pull], 'ada').headSha
  await app.idle()
  await unheard(shop, pull, 'How nice.')
  await shop.build(group, 'success')
  expect(await shop.check(group)).toMatch(/^success/)
})

test('a member that is pushed to while its group is read takes the group along', async () => {
  const shop = await aShop(app)
  const { pull } = await aGreenPull(shop)
  const group = github.mergeGroup(shop.name, [pull], 'ada').headSha
  await app.idle()
  github.before({ path: `*/commits/${group}/check-runs*`, method: 'GET' }, () =>
    github.push(shop.name, 'feature', { files: { 'src/more.ts': 'export {}\n' }, author: 'agent' }),
  )
  await shop.build(group, 'success')
  expect(wasGreen(group, shop.name)).toBe(false)
})

test.each([
  ['open', () => undefined],
  ['closed', (shop: Shop, twin: number) => github.closePull(shop.name, twin, 'agent')],
] as const)('a no at another pull request of the same commit, which is %s', async (_, act) => {
  const shop = await aShop(app, byStatus)
  const sha = await shop.push()
  const pull = await shop.open()
  github.moveBranch(shop.name, 'twin', 'feature', 'agent')
  const twin = await shop.open('agent', { head: 'twin' })
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^success/)
  act(shop, twin)
  await app.idle()
  const group = github.mergeGroup(shop.name, [pull], 'ada').headSha
  await app.idle()
  await unheard(shop, twin)
  await shop.passes(group)
  expect(wasGreen(group, shop.name)).toBe(false)
  expect(await shop.check(group)).toMatch(/^action_required: .* is not a success at the head that is queued/)
})
