// A mode belongs to the branch: once that enforces the gate, what stood `neutral` there while it did not is judged, so that nothing
// unjudged counts as a pass for ever. What is enforced already stays as it began.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { adopted, aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
const off = `${adopted}mode: off\n`
const shadow = `${adopted}mode: shadow\n`

/** A red change at a shop whose rules wait for the check. */
async function aRed(policy: string, base = 'main') {
  const shop = await aShop(app, policy)
  if (base !== 'main') github.push(shop.name, base, { files: { 'RELEASE.md': 'soon\n' }, author: 'cleo' })
  const check = base === 'main' ? 'countersign' : `countersign (${base})`
  github.protect(shop.name, base, { checks: [{ context: check, appId: null }] })
  const sha = await shop.push()
  await shop.open('agent', { base })
  await shop.build(sha, 'failure')
  const says = async (text: string, branch = 'main'): Promise<void> => {
    github.push(shop.name, branch, { files: { '.github/countersign.yml': text }, author: 'cleo' })
    await app.idle()
  }
  return { says, check: () => shop.check(sha, check) }
}

test.each([
  ['off', off],
  ['shadow', shadow],
])('what was opened while the policy said `%s` is judged once that enforces', async (_mode, before) => {
  const red = await aRed(before)
  expect(await red.check()).toMatch(/^neutral/)
  await red.says(adopted)
  expect(await red.check()).toMatch(/^failure: Changes needed: required check `build` failed/)
})

test('the default branch enforces for every other base, too', async () => {
  const red = await aRed(shadow, 'release')
  expect(await red.check()).toMatch(/^neutral/)
  await red.says(adopted)
  expect(await red.check()).toMatch(/^failure/)
})

test('a policy that is pushed to another branch enforces nothing here', async () => {
  const red = await aRed(shadow)
  await red.says(adopted, 'elsewhere')
  expect(await red.check()).toMatch(/^neutral/)
})

test('what is enforced stays so when the policy says `shadow` later', async () => {
  const red = await aRed(adopted)
  await red.says(shadow)
  expect(await red.check()).toMatch(/^failure/)
})
