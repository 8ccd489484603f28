// What one pull request may cost within an hour.
import { expect, test } from 'vitest'
import { hourly } from '../../src/entry/app/hourly.ts'

test('so much and no more within an hour, each for itself, and as much again after it', () => {
  let now = 0
  const take = hourly(3, () => now)
  const taken = (key: string) => Array.from({ length: 5 }, () => take(key))
  expect(taken('R1#7')).toEqual([true, true, true, false, false])
  expect(taken('R1#8')).toEqual([true, true, true, false, false])
  now = 3_599_999
  expect(take('R1#7')).toBe(false)
  now = 3_600_000
  expect(taken('R1#7')).toEqual([true, true, true, false, false])
})

test('many of them take no room for ever', () => {
  const take = hourly(1, () => 0)
  for (let pull = 0; pull < 10_001; pull += 1) take(`R1#${pull}`)
  expect([take('R1#10000'), take('R1#0')]).toEqual([false, true])
})
