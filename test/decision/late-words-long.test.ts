// What people said counts as of when they said it, however late it is heard: no word that comes late makes a change green that is
// not green where each was heard at once, in more histories than a suite has time for.
import { expect, test } from 'vitest'
import { tryLate } from './late-histories.ts'

test('words that are heard late make nothing green that would not be green', { timeout: 600_000 }, () => {
  expect(tryLate(100_000)).toBeGreaterThan(20_000)
})
