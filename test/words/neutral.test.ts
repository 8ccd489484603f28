// Text from outside mentions nobody, closes nothing, links nowhere and cannot pose as ours.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { neutral, neutralLine } from '../../src/core/words/neutral.ts'

test.each([
  ['ask @ada', '@ada'],
  ['closes #12', '#12'],
  ['<!-- countersign:sticky -->', '<!--'],
  ['</details><img src=x>', '<'],
  ['see https://evil.example/x', 'https://'],
  ['a | b', ' | '],
])('%s', (text, gone) => {
  expect(neutral(text)).not.toContain(gone)
})

test('a line stays one line, and has an end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      const line = neutralLine(text, 80)
      expect(line.length).toBeLessThanOrEqual(80)
      expect(line).not.toMatch(/[\n\r<>]|@\w|#\d/)
    }),
  )
})
