// Green only when an independent oracle says green.
import fc from 'fast-check'
import { expect } from 'vitest'
import { play } from './play.ts'
import { histories } from './steps.ts'

/** In how many of so many histories something was green; the smallest one that is wrongly so is thrown. */
export function tryGreen(numRuns: number): number {
  let greens = 0
  fc.assert(
    fc.property(histories, (history) => {
      const played = play(history)
      if (played.greens > 0) greens += 1
      expect(played.wrong).toBeNull()
    }),
    { numRuns },
  )
  return greens
}
