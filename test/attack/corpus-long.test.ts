// A few cases of the attack that hold are played against the real App, and some in which it would not: those are seen.
import { afterAll, expect, test } from 'vitest'
import { allCases } from './all-cases.ts'
import { anArena } from './arena.ts'

const arena = await anArena()
afterAll(() => arena.stop())

test.each([
  '`/override` by a stranger',
  '`/override` by an administrator who built nothing counts',
  '`/reject` is met with a draft and back',
  'results of another commit',
  'jobs: a check leaves in the name of another that it passed',
  'instead of the adopted check there is a status of the same name by a writer',
  'a webhook that nobody signed counts for nothing here',
])('%s', async (name) => {
  const one = allCases.find((one) => one.name === name)
  expect(one && (await arena.play(one))).toEqual({ outcome: 'held', why: '' })
})

test.each([
  ['a green that must not be', 'green', ['success']],
  ['a green that is taken back', 'green', ['success', 'failure']],
  ['no green', 'held', ['failure']],
] as const)('%s is seen', async (_title, outcome, conclusions) => {
  const verdict = await arena.play({
    role: 'writer',
    name: 'one that turns green by itself',
    play: async (scene) => {
      const shop = await scene.shop()
      const sha = await shop.push()
      await shop.open()
      scene.never(shop, sha)
      for (const conclusion of conclusions) await shop.build(sha, conclusion)
    },
  })
  expect(verdict.outcome).toBe(outcome)
})
