// The law of greens, in parts: histories with several pull requests, identities and bases, each part from a seed of its own, so that a
// mutant which lets something pass meets the oracle after a few of them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { play } from '../laws/play.ts'
import { histories } from '../laws/steps.ts'

const PARTS = 8
const EACH = 60

test.each(Array.from({ length: PARTS }, (_, index) => index + 1))(
  'nothing is green that may not be: part %s',
  (seed) => {
    fc.assert(
      fc.property(histories, (history) => expect(play(history).wrong).toBeNull()),
      { numRuns: EACH, seed },
    )
  },
)
