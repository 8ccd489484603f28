// Green only when an independent oracle says green, in more histories than a suite has time for.
import { expect, test } from 'vitest'
import { tryGreen } from './only-green.ts'

test('nothing is green that the design does not allow', { timeout: 600_000 }, () => {
  expect(tryGreen(20_000)).toBeGreaterThan(2_000)
})
