// Green only when an independent oracle says green, over histories with several pull requests of one issue, commits and
// trees that come back, two bases, every act and every wrong identity. `npm run laws -- --runs N` tries more of them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { play } from './play.ts'
import { histories } from './steps.ts'

const RUNS = 1_000

test('nothing is green that the design does not allow', () => {
  fc.assert(
    fc.property(histories, (history) => {
      expect(play(history)).toBeNull()
    }),
    { numRuns: RUNS },
  )
}, 240_000)
