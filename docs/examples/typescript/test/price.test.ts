// What the shop promises about prices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/price.ts'

test('a few cost what they cost', () => {
  assert.equal(total(250, 3), 750)
})

test('ten are a tenth cheaper, nine are not', () => {
  assert.equal(total(99, 10), 891)
  assert.equal(total(99, 9), 891)
})

test('a quantity that is none is refused', () => {
  assert.throws(() => total(250, 0), RangeError)
})
