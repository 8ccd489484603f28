// An approval stays with the files that were approved as long as they are the same change: put on top of what came to the branch since,
// they would take that back, and nobody approved it.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { adopted, aShop } from '../lab/shop.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app

async function approved() {
  const shop = await aShop(app, `${adopted}merge_requires: completed\n`)
  const sha = await shop.push('feature', 'agent', { 'src/shop.ts': 'export {}\n' })
  const pull = await shop.open()
  await shop.build(sha, 'success')
  await shop.review(pull, 'bob', 'APPROVE', 'fine')
  expect(await shop.check(sha)).toMatch(/^success/)
  aMinuteLater()
  const toMain = (files: Readonly<Record<string, string>>): string =>
    github.push(shop.name, 'main', { files, author: 'cleo' })
  /** What the check says of the approved files as another commit. */
  const again = async (how: Omit<Parameters<typeof github.push>[2], 'author'>): Promise<string> => {
    const other = github.push(shop.name, 'feature', { author: 'agent', ...how })
    await app.idle()
    aMinuteLater()
    await shop.build(other, 'success')
    return shop.check(other)
  }
  return { shop, sha, pull, toMain, again }
}

const fix = { 'src/fix.ts': 'export const safe = true\n' }
const asApproved = { 'src/shop.ts': 'export {}\n', 'src/fix.ts': null }
const asked = /^action_required: Needs a person: an approving review/

test('on top of a fix, which they take back', async () => {
  const { toMain, again } = await approved()
  toMain(fix)
  expect(await again({ from: 'main', files: asApproved })).toMatch(asked)
})

test('merged with a fix, which the merge drops', async () => {
  const { toMain, again, shop, pull } = await approved()
  const main = toMain(fix)
  expect(await again({ merges: [main] })).toMatch(asked)
  await shop.review(pull, 'bob', 'APPROVE', 'it is not needed')
  expect(await shop.check(github.tip(shop.name, 'feature'))).toMatch(/^success/)
})

test('as one more commit, as another one, and on top of the same files', async () => {
  const { toMain, again } = await approved()
  expect(await again({})).toMatch(/^success/)
  expect(await again({ from: 'main', files: { 'src/shop.ts': 'export {}\n' }, message: 'In other words' })).toMatch(
    /^success/,
  )
  toMain({})
  expect(await again({ from: 'main', files: { 'src/shop.ts': 'export {}\n' } })).toMatch(/^success/)
})
