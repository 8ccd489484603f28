// A review lifts a referral only when it was submitted after the referral had been shown: a human was asked, and looked.
import { expect, test } from 'vitest'
import { policySchema } from '../../src/core/contract/policy/policy.ts'
import type { Step } from './histories.ts'
import { persons, play } from './play.ts'

const ada = persons.findIndex(({ login }) => login === 'ada')
const referred: Step[] = [
  { kind: 'push', commit: 0, invalid: false, known: true },
  { kind: 'files', files: 'source' },
  { kind: 'tier1', passed: true },
  { kind: 'verdict', outcome: 'REFER', confidence: 1 },
]
const approval: Step = { kind: 'review', who: ada, approves: true, stale: false }
const rowAfter = (steps: readonly Step[]) => play(policySchema.parse({}), steps).attempts.at(0)?.decision?.row

test('an approval from before it was shown does not count for it', () => {
  expect(rowAfter([...referred, approval])).toBe('refer')
  expect(rowAfter([...referred, approval, { kind: 'show' }])).toBe('refer')
})

test('one from after it was shown does', () => {
  expect(rowAfter([...referred, { kind: 'show' }, approval])).toBe('success')
})
