// Two pull requests that write the same places: the one that was opened later is told of the other or waits for it, and goes on
// once the way is free.
import { describe, expect, test } from 'vitest'
import { sharedApp } from './lab/app-of-file.ts'
import { aShopOf, sideBySide } from './lab/side-by-side.ts'

const app = await sharedApp()
const { github } = app

describe('held', () => {
  test('the later one waits for the earlier one, and goes on by itself once that is merged', async () => {
    const shop = await aShopOf(app, sideBySide('hold'))
    const first = await shop.worked({ title: 'Show prices', files: ['src/prices.ts', 'src/first.ts'] })
    const second = await shop.worked({ title: 'Round prices', files: ['src/prices.ts', 'src/second.ts'] })
    expect(await shop.check(first.sha)).toMatch(/^success/)
    expect(await shop.check(second.sha)).toBe(
      `in_progress: Waiting: #${first.pull} comes first, which writes the same places: src/prices.ts`,
    )
    expect(await shop.page(second.pull)).toContain(`merge or close #${first.pull}`)
    expect(await shop.page(second.pull)).toContain('/override <reason>')
    expect(await shop.comments(first.pull)).toEqual([])
    github.merge(shop.name, first.pull, { by: 'cleo' })
    await shop.idle()
    expect(await shop.check(second.sha)).toMatch(/^success: Passed/)
    expect(await shop.page(second.pull)).toContain(`the way is free: #${first.pull}`)
    expect(await shop.page(second.pull)).not.toContain('comes first')
  })

  test('what a task declares that it writes counts before it has written it, and what it leaves alone does not', async () => {
    const shop = await aShopOf(app, sideBySide('hold'))
    const cart = await shop.worked({ title: 'A cart', files: ['src/cart/index.ts'], writes: 'src/cart/**' })
    const beside = await shop.worked({ title: 'A shelf', files: ['src/shelf.ts'] })
    const within = await shop.worked({ title: 'Empty the cart', files: ['src/cart/empty.ts', 'docs/cart.md'] })
    expect(await shop.check(beside.sha)).toMatch(/^success/)
    expect(await shop.check(within.sha)).toBe(
      `in_progress: Waiting: #${cart.pull} comes first, which writes the same places: src/cart/empty.ts`,
    )
    await shop.say(within.pull, 'agent', '/override we talked about it')
    expect(await shop.check(within.sha)).toMatch(/^in_progress/)
    await shop.say(within.pull, 'ada', '/override we talked about it')
    expect(await shop.check(within.sha)).toMatch(/^success: Passed: ada takes responsibility: we talked about it/)
  })

  test('an earlier one that writes elsewhere by now is in nobody’s way, and one that comes there is', async () => {
    const shop = await aShopOf(app, sideBySide('hold'))
    const first = await shop.worked({ title: 'Show prices', files: ['src/prices.ts'] })
    const second = await shop.worked({ title: 'Round money', files: ['src/money.ts'] })
    expect(await shop.check(second.sha)).toMatch(/^success/)
    await shop.change(first.branch, ['src/money.ts'])
    expect(await shop.check(second.sha)).toMatch(new RegExp(`^in_progress: Waiting: #${first.pull} comes first`))
    github.push(shop.name, first.branch, { files: { 'src/money.ts': null }, author: 'agent' })
    await shop.idle()
    expect(await shop.check(second.sha)).toMatch(/^success/)
  })
})

test('told, the later one is green, says on its page which one came before it, and then that the way is free', async () => {
  const shop = await aShopOf(app, sideBySide('tell'))
  const first = await shop.worked({ title: 'Show prices', files: ['src/prices.ts'] })
  const second = await shop.worked({ title: 'Round prices', files: ['src/prices.ts'] })
  expect(await shop.check(second.sha)).toMatch(/^success: Passed/)
  const remark = `#${first.pull} came first and writes the same places: src/prices.ts`
  expect(await shop.page(second.pull)).toContain(remark)
  expect(await shop.summary(second.sha)).toContain(remark)
  github.closePull(shop.name, first.pull, 'agent')
  await shop.idle()
  expect(await shop.page(second.pull)).not.toContain(remark)
  expect(await shop.page(second.pull)).toContain(`the way is free: #${first.pull}`)
})
