// Green only when an independent oracle says green, over histories with several pull requests of one issue, commits and
// trees that come back, two bases, every act and every wrong identity. `npm run laws -- --runs N` tries more of them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { play } from './play.ts'
import { histories } from './steps.ts'

const RUNS = 2_000

test('nothing is green that the design does not allow', () => {
  let greens = 0
  fc.assert(
    fc.property(histories, (history) => {
      const played = play(history)
      if (played.greens > 0) greens += 1
      expect(played.wrong).toBeNull()
    }),
    { numRuns: RUNS },
  )
  // Histories in which nothing is ever green would prove nothing.
  expect(greens).toBeGreaterThan(RUNS / 10)
}, 120_000)
