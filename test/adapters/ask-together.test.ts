// What is asked in halves, and how often, when a question about many fails.
import { expect, test } from 'vitest'
import { askTogether } from '../../src/entry/app/ask-together.ts'
import { NotInstalled } from '../../src/ports.ts'

const trouble = new Error('502')

async function asked(count: number, troubleIn: (some: readonly number[]) => Error | null) {
  const told: number[] = []
  let questions = 0
  const ended = askTogether(
    Array.from({ length: count }, (_, index) => index),
    async (some) => {
      questions += 1
      const error = troubleIn(some)
      if (error !== null) throw error
      told.push(...some)
    },
  )
  return { error: await ended.catch((error: unknown) => error), told: new Set(told).size, questions }
}

test.each([
  ['one of which breaks it', 100, (some: readonly number[]) => some.includes(70), 99, trouble],
  [
    'two of which break it, in either half',
    100,
    (some: readonly number[]) => some.some((n) => n === 3 || n === 90),
    98,
    trouble,
  ],
  ['that are too many at once', 100, (some: readonly number[]) => some.length > 25, 100, undefined],
] as const)('of a question about things %s, all the others are told', async (_what, count, isTrouble, told, error) => {
  expect(await asked(count, (some) => (isTrouble(some) ? trouble : null))).toMatchObject({ told, error })
})

test.each([
  ['an outage', 49, trouble, 3],
  ['an outage', 100, trouble, 7],
  ['what is so for each of them', 100, new NotInstalled('gone'), 1],
] as const)('%s is not asked about again and again: %i things', async (_what, count, error, questions) => {
  expect(await asked(count, () => error)).toEqual({ error, told: 0, questions })
})
