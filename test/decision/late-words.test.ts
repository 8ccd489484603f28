// What people said counts as of when they said it, however late it is heard: no word that comes late makes a change green that is
// not green where each was heard at once.
import { expect, test } from 'vitest'
import { tryLate } from './late-histories.ts'

test('words that are heard late make nothing green that would not be green', () => {
  expect(tryLate(400)).toBeGreaterThan(80)
})
