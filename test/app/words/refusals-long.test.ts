// What one pull request may ask of GitHub has an end, and does not stand between it and its check.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()

test('however often somebody pushes, one pull request has so many files fetched within an hour', async () => {
  const shop = await aShop(app)
  const before = app.github.requestLog().length
  const many = (value: number) =>
    Object.fromEntries(Array.from({ length: 290 }, (_, index) => [`data/${index}.json`, `[${index}, ${value}]\n`]))
  let sha = await shop.push('feature', 'agent', many(0))
  await shop.open()
  for (let push = 1; push <= 2; push += 1) sha = await shop.push('feature', 'agent', many(push))
  await shop.build(sha, 'success')
  const fetched = app.github
    .requestLog()
    .slice(before)
    .filter(({ path }) => path.includes('/git/blobs/'))
  expect(fetched).toHaveLength(600)
  expect(await shop.check(sha)).toMatch(/^success/)
}, 40_000)
