// The set that comes along with the policy as it is, and without one part of the verifier after the other.
import { expect, test } from 'vitest'
import { attentive, doubled, judgedBy, policy } from './readers.ts'

test('without first readings it is not asked for what is wrong', async () => {
  const rows = await judgedBy(attentive, 'finders')
  expect(rows.every(({ calls, tier }) => calls === (tier === 3 ? 4 : 1))).toBe(true)
  expect(rows.every(({ outcome }) => outcome === 'PASS')).toBe(true)
})

test('without votes it is asked once', async () => {
  const rows = await judgedBy(attentive, 'votes')
  expect(new Set(rows.map(({ tier }) => tier))).toEqual(new Set([2]))
})

test.each(['lazy', 'obedient', 'random'] as const)('the %s model gets nothing wrong passed', async (name) => {
  const rows = await doubled(name, policy)
  expect(rows.filter(({ label, outcome }) => label !== 'accept' && outcome === 'PASS')).toEqual([])
  expect(rows.filter(({ decided_by, calls }) => decided_by === 'verifier' && calls === 0)).toEqual([])
})
