// How sure a verdict may be: the least of its parts, and never surer than what each answer states.
import { expect, test } from 'vitest'
import { confidenceOf, evidenceShare, leastStated, roundedDown } from '../../src/verifier/weighing/confidence.ts'

const parts = { agreement: 0.9, evidence: 1, coverage: 1, calibration: 1, stated: 1 }

test('it is the least of its parts, rounded down', () => {
  expect(confidenceOf(parts)).toBe(0.9)
  for (const part of ['agreement', 'evidence', 'coverage', 'calibration', 'stated'])
    expect(confidenceOf({ ...parts, [part]: 0.678 }), `the least is ${part}`).toBe(0.67)
})

test('an answer that states none leaves none', () => {
  expect(confidenceOf({ ...parts, stated: null })).toBeNull()
  expect(leastStated([0.8, null])).toBeNull()
  expect(leastStated([0.8, 0.5, 1])).toBe(0.5)
  expect(leastStated([])).toBe(1)
})

test('what is exact loses nothing by rounding', () => {
  expect(roundedDown(0.29)).toBe(0.29)
  expect(roundedDown(0.299)).toBe(0.29)
  expect(roundedDown(0.1 + 0.2)).toBe(0.3)
})

test('evidence counts by the share of quotes that were found, and no quote is no doubt', () => {
  expect(evidenceShare({ verified: 3, given: 4 })).toBe(0.75)
  expect(evidenceShare({ verified: 0, given: 2 })).toBe(0)
  expect(evidenceShare({ verified: 0, given: 0 })).toBe(1)
})
