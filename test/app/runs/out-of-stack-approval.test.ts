// An approval of what stands on top of another pull request says nothing of what lies below: out of the stack it brings that
// along. Where what lay below is merged by then, nothing comes along, and nobody is asked again.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aSecond } from '../lab/a-second.ts'
import { aStackOfTwo } from '../lab/a-stack.ts'
import { adopted } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

/** Of a stack of two; the upper one is approved. */
async function aStack() {
  const { shop, below, lower, sha, upper, stack } = await aStackOfTwo(app, `${adopted}merge_requires: completed\n`, {
    'src/below.ts': 'below\n',
  })
  const { name } = shop
  await shop.build(below, 'success')
  await shop.build(sha, 'success')
  await shop.review(upper, 'bob', 'APPROVE', 'this part is fine')
  expect(await shop.check(sha)).toMatch(/^success/)
  const out = async () => {
    await aSecond()
    github.unstack(name, stack)
    github.editPull(name, upper, { base: 'main', by: 'agent' })
    await app.idle()
    await aSecond()
    // So that it is judged anew for certain.
    github.closePull(name, upper, 'agent')
    await app.idle()
    await aSecond()
    github.reopenPull(name, upper, 'agent')
    await app.idle()
    await aSecond()
    await shop.build(sha, 'success')
  }
  return { shop, lower, sha, upper, out }
}

test('an approval that was given on top of a pull request to which somebody said no', async () => {
  const { shop, lower, sha, upper, out } = await aStack()
  await shop.review(lower, 'bob', 'REQUEST_CHANGES', 'not like this')
  await out()
  expect(await shop.summary(sha)).toContain('changed files')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  await aSecond()
  await shop.review(upper, 'bob', 'APPROVE', 'all of it')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('an approval that was given on top of a pull request that has been merged', async () => {
  const { shop, lower, sha, out } = await aStack()
  await shop.review(lower, 'bob', 'APPROVE', 'this part too')
  github.merge(shop.name, lower, { by: 'cleo' })
  await out()
  expect(await shop.check(sha)).toMatch(/^success/)
})
