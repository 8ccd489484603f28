// Which word somebody may have meant.
import { describe, expect, test } from 'vitest'
import { editDistance, nearest } from '../../src/core/nearest.ts'

describe('the nearest word', () => {
  test.each([
    ['override', 'override', 0],
    ['overide', 'override', 1],
    ['overirde', 'override', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('%j and %j are %i apart', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance)
    expect(editDistance(other, one)).toBe(distance)
  })

  test('the first of equally near ones, or none', () => {
    expect(nearest('cat', ['dog', 'car', 'can'], 1)).toBe('car')
    expect(nearest('cat', ['dog'], 2)).toBeNull()
    expect(nearest('x'.repeat(1_000_000), ['dog'], 2)).toBeNull()
  })
})
