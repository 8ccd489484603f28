// Of a change that is too large GitHub does not name every path. What it did not name may be where another change writes.
import { expect, test } from 'vitest'
import { sharedApp } from './lab/app-of-file.ts'
import { aShopOf, sideBySide } from './lab/side-by-side.ts'

const app = await sharedApp()
const { github } = app
const tooLarge = { kind: 'answer', status: 422, message: 'Sorry, this diff is taking too long to generate.' } as const

/** What is opened while GitHub names no path of it. */
async function unnamed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const faults = ['compare/*', 'pulls/*/files*'].map((path) =>
    github.addFault({ path: `/repos/${name}/${path}`, trouble: tooLarge }),
  )
  const done = await work()
  for (const one of faults) github.removeFault(one)
  return done
}

test('the later one waits for one of which not every path is known, and says so', async () => {
  const shop = await aShopOf(app, sideBySide('hold'))
  const first = await unnamed(shop.name, () => shop.worked({ title: 'Show prices', files: ['src/prices.ts'] }))
  const second = await shop.worked({ title: 'Round prices', files: ['src/prices.ts'] })
  expect(await shop.check(second.sha)).toBe(
    `in_progress: Waiting: #${first.pull} comes first and may write the same places: GitHub does not name every path of the two`,
  )
  github.merge(shop.name, first.pull, { by: 'cleo' })
  await shop.idle()
  expect(await shop.check(second.sha)).toMatch(/^success/)
})

test('one of which not every path is known itself is told so, too', async () => {
  const shop = await aShopOf(app, sideBySide('hold'))
  const first = await shop.worked({ title: 'Show prices', files: ['src/prices.ts'] })
  const second = await unnamed(shop.name, () => shop.worked({ title: 'Round prices', files: ['src/prices.ts'] }))
  expect(await shop.page(second.pull)).toContain(`#${first.pull} came first and may write the same places`)
})

test('where all paths are named, another place is nobody’s way', async () => {
  const shop = await aShopOf(app, sideBySide('hold'))
  await shop.worked({ title: 'Show prices', files: ['src/prices.ts'] })
  const second = await shop.worked({ title: 'A shelf', files: ['src/shelf.ts'] })
  expect(await shop.check(second.sha)).toMatch(/^success/)
})
