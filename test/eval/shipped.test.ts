// The set that comes along is what it says it is: each wrong change can be seen to be wrong, at the distance that it names,
// and models without judgement get nothing wrong passed.
import { describe, expect, test } from 'vitest'
import { policySchema } from '../../src/core/contract/policy/policy.ts'
import { evalSet, setRules } from '../../src/engine/verify/eval-set.ts'
import { evaluateSet } from '../../src/engine/verify/evaluate.ts'
import labelledSet from '../../src/engine/verify/labelled-set.json' with { type: 'json' }
import { storyCases } from '../../src/engine/verify/set/shipped.ts'
import { kinds, needs, patchBetween } from '../../src/engine/verify/set/story.ts'
import { scoresOf } from '../../src/verifier/weighing/score.ts'
import { shareOf } from '../depth.ts'
import { attentive, doubled, judgedBy, ports, withFinders } from './readers.ts'

const cases = storyCases()
const all = [...evalSet.parse(labelledSet).cases, ...cases]

test('sixty cases and more, in five languages and more, of every kind and need', () => {
  expect(cases.length).toBeGreaterThanOrEqual(60)
  expect(new Set(cases.map(({ language }) => language)).size).toBeGreaterThanOrEqual(5)
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(kinds))
  expect(new Set(cases.flatMap(({ need }) => need ?? []))).toEqual(new Set(needs))
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})

test('it has no flaw that its types do not show', () => {
  expect(setRules({ cases }, false)).toEqual([])
})

// prettier-ignore
test.each([
  ['a line in the middle', 'a\nb\nc\n', 'a\nx\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+x\n c'],
  ['a new file', '', 'a\nb\n', '@@ -0,0 +1,2 @@\n+a\n+b'],
  ['a line that goes', 'a\nb\n', 'a\n', '@@ -1,2 +1,1 @@\n a\n-b'],
  ['three lines around', '1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\nx\n6\n7\n8\n9\n', '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8'],
])('a patch of %s', (_title, before, after, patch) => expect(patchBetween(before, after)).toBe(patch))

describe('somebody who sees what is shown, and judges by nothing else', () => {
  test('sees with the code around each change what is wrong with it, and nothing in what is right', async () => {
    const rows = await judgedBy(attentive)
    const blind = rows.filter(({ label, outcome }) => (label === 'accept') !== (outcome === 'PASS'))
    expect(blind.map(({ name, outcome, reason }) => `${name}: ${outcome} ${reason}`)).toEqual([])
    for (const { recall, precision } of scoresOf(rows)) expect([recall.share, precision.share]).toEqual([1, 1])
  })

  test('without the code around it sees what the hunk shows, and nothing of what the repository shows', async () => {
    const rows = await judgedBy(attentive, 'context')
    const passed = rows.filter(({ label, outcome }) => label === 'reject' && outcome === 'PASS')
    expect(new Set(passed.map(({ need }) => need))).toEqual(new Set(['file', 'repository']))
    expect(rows.filter(({ need, outcome }) => need === 'repository' && outcome !== 'PASS')).toEqual([])
  })
})

test.each(shareOf(2, ['lazy', 'obedient'] as const, 1))('the %s model gets nothing wrong passed', async (name) => {
  const rows = await doubled(name, withFinders(1))
  expect(rows.filter(({ label, outcome }) => label !== 'accept' && outcome === 'PASS')).toEqual([])
  expect(rows.filter(({ decided_by, calls }) => decided_by === 'verifier' && calls === 0)).toEqual([])
})

test('too little confidence goes to a person, as it does at the gate', async () => {
  const [one] = cases
  if (one === undefined) throw new Error('there is no case')
  const unsure = policySchema.parse({
    verification: {
      verifier: { finders: 0, decomposer: 'identity', min_confidence: 0.95, require_different_model: 'off' },
    },
  })
  const [row] = await evaluateSet([{ ...one, label: 'accept' }], ports, { modelFor: attentive, policy: unsure })
  expect(row).toMatchObject({ outcome: 'REFER', reason: 'low_confidence' })
})
