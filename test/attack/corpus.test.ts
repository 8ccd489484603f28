// The corpus of the attack is whole: every role has its cases, no two share a name, and a few of those that hold are played
// against the real App. `npm run attack` plays them all.
import { afterAll, expect, test } from 'vitest'
import { shareOf } from '../depth.ts'
import { allCases } from './all-cases.ts'
import { anArena } from './arena.ts'
import { roles } from './case.ts'

const casesMin = 150

test('there are cases by every role, each under a name of its own', () => {
  expect(allCases.length).toBeGreaterThanOrEqual(casesMin)
  for (const role of roles) expect(allCases.filter((one) => one.role === role).length).toBeGreaterThan(5)
  const names = allCases.map(({ role, name }) => `${role}: ${name}`)
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
})

const arena = await anArena()
afterAll(() => arena.stop())

test.each(
  shareOf(4, [
    '`/override` by a stranger',
    '`/override` by an administrator who built nothing counts',
    '`/reject` is met with a draft and back',
    'results of another commit',
    'jobs: a check leaves in the name of another that it passed',
    'instead of the adopted check there is a status of the same name by a writer',
    'a webhook that nobody signed counts for nothing here',
  ]),
)('%s', async (name) => {
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
