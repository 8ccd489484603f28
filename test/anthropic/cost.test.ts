// What a verification costs at list price.
import { expect, test } from 'vitest'
import { aLargeVerification } from './large-verification.ts'

test('an attempt of 28,000 tokens at tier 3 with three votes stays within $0.30', async () => {
  const { verdict, cost } = await aLargeVerification()
  const [first, ...votes] = cost.calls
  const prompt = (first?.input ?? 0) + (first?.cache_write ?? 0)
  expect(verdict).toMatchObject({ outcome: 'PASS', votes: { pass: 3, valid: 3 } })
  expect(prompt).toBeGreaterThan(28_000)
  expect(prompt).toBeLessThan(29_000)
  expect(votes.map(({ cache_write, cache_read }) => [cache_write, cache_read > 27_000])).toEqual([
    [0, true],
    [0, true],
    [0, true],
  ])
  expect(cost.usd).toBeLessThanOrEqual(0.3)
  expect(cost.usd).toBeGreaterThan(0.25)
})
