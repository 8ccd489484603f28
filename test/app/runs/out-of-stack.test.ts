// What was judged on top of another pull request says nothing of what lies below: out of the stack it brings that along.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aSecond } from '../lab/a-second.ts'
import { aStackOfTwo } from '../lab/a-stack.ts'
import { adopted } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

/** Of a stack of two; the lower one changes a workflow, which takes somebody's word, and bob says no to it. */
async function aStack(policy: string) {
  const { shop, below, lower, sha, upper, stack } = await aStackOfTwo(app, policy, {
    '.github/workflows/deploy.yml': 'on: push\njobs: {}\n',
  })
  const { name } = shop
  await shop.build(below, 'success')
  await shop.review(lower, 'bob', 'REQUEST_CHANGES', 'not like this')
  await shop.review(upper, 'bob', 'APPROVE', 'this part is fine')
  await shop.build(sha, 'success')
  expect(await shop.check(below)).toMatch(/^failure: Stopped: rejected by bob/)
  expect(await shop.check(sha)).toMatch(/^success/)
  /** Its author takes it out and has it merge into main, with all that lies below. */
  const out = async (unstacks: boolean) => {
    await aSecond()
    if (unstacks) github.unstack(name, stack)
    github.editPull(name, upper, { base: 'main', by: 'agent' })
    await app.idle()
    await aSecond()
    await app.idle()
  }
  return { shop, sha, upper, out }
}

test.each([true, false])(
  'the green of a pull request that merges somewhere else by now, taken out of its stack: %s',
  async (unstacks) => {
    const { shop, sha, out } = await aStack(adopted)
    await out(unstacks)
    await shop.build(sha, 'success')
    await aSecond()
    expect(await shop.check(sha)).not.toMatch(/^success/)
  },
)
