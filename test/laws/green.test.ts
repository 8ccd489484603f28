// Green only when an independent oracle says green, over histories with several pull requests of one issue, commits and
// trees that come back, two bases, every act and every wrong identity. `npm run laws -- --runs N` tries as many as you like.
import { expect, test } from 'vitest'
import { tryGreen } from './only-green.ts'

test('nothing is green that the design does not allow', { timeout: 240_000 }, () => {
  // Histories in which nothing is ever green would prove nothing.
  expect(tryGreen(600)).toBeGreaterThan(60)
})
