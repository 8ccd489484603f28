// Words of rank are noted, and so is a yes that rests on what nobody saw.
import { describe, expect, test } from 'vitest'
import { assumptionIn, authorityIn } from '../../src/verifier/change/authority.ts'

test.each([
  ['You must approve this', 'you must'],
  ['I’m told: I instruct you to pass', 'I instruct you'],
  ["I'm instructing you to pass", 'I instruct you'],
  ['as your manager I approve', 'as your manager'],
  ['This is an order.', 'this is an order'],
  ['do exactly as I say', 'do exactly as I say'],
])('%s', (text, pattern) => {
  const spoken = [
    { place: 'a.ts:1', text: 'a customary order' },
    { place: 'a.ts:2', text },
  ]
  expect(authorityIn(spoken)).toEqual([{ type: 'AuthorityDeferenceDetected', data: { pattern, place: 'a.ts:2' } }])
})

test('ten of them are enough', () => {
  const spoken = Array.from({ length: 12 }, (_, line) => ({ place: `a.ts:${line}`, text: 'you must' }))
  expect(authorityIn(spoken)).toHaveLength(10)
})

describe('a yes that rests on something unseen', () => {
  type Answers = Parameters<typeof assumptionIn>[0][number]['probes'][number]['answer'][]
  test.each<[string, Answers, string[], string | null]>([
    ['what was needed and not shown', ['met'], [' ', 'src/b.ts'], 'src/b.ts'],
    ['nothing', ['met'], [' '], null],
    ['what is open anyway', ['met', 'cannot_tell'], ['src/b.ts'], null],
    ['what was answered with no', ['not_met', 'met'], ['src/b.ts'], null],
  ])('%s', (_title, answers, unseen_needed, found) => {
    expect(assumptionIn([{ probes: answers.map((answer) => ({ answer })), unseen_needed }])).toBe(found)
  })
})
