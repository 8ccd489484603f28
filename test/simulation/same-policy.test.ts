// Told again under the policy that it was judged by, a history ends as it did, whatever it was.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../depth.ts'
import { histories, type Step } from '../decision/histories.ts'
import { at, play } from '../decision/play.ts'
import { recording } from './recording.ts'
import { policySchema } from '../../src/core/contract/policy/policy.ts'
import { underPolicy } from '../../src/core/simulation/another-policy.ts'

/** A policy that could not be read then can be read now, which is a difference. */
const readable = (step: Step): Step => (step.kind === 'push' ? { ...step, invalid: false } : step)

test('under its own policy every pull request ends as it did, and nothing about it is unknown', () => {
  let compared = 0
  fc.assert(
    fc.property(histories, ({ policy, steps }) => {
      const record = recording('acme/shop#7', at)
      play(policy, steps.map(readable), ({ events, input }) => {
        record.add(events, 'saying' in input ? input.saying.user : null)
      })
      for (const { before, after, unknown } of underPolicy('acme/shop#7', record.events(), policy)) {
        expect(after).toEqual(before)
        expect(unknown).toEqual([])
        compared += 1
      }
    }),
    { numRuns: tries(120) },
  )
  expect(compared).toBeGreaterThan(tries(80))
})

test('under any policy it ends somehow', () => {
  fc.assert(
    fc.property(histories, histories, ({ policy, steps }, other) => {
      const record = recording('acme/shop#7', at)
      play(policy, steps, ({ events, input }) => record.add(events, 'saying' in input ? input.saying.user : null))
      const rows = underPolicy('acme/shop#7', record.events(), policySchema.parse(other.policy))
      expect(rows.every(({ after }) => after.headline !== '')).toBe(true)
    }),
    { numRuns: tries(40) },
  )
})
