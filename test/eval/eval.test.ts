// The labelled set has every kind of case, and the figures are reckoned as they should be, row by row. What the set comes to
// is shown by the command that judges it.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { evalSet, recordedModel, recordedNonce, setRules } from '../../src/engine/verify/eval-set.ts'
import { evaluateSet } from '../../src/engine/verify/evaluate.ts'
import labelledSet from '../../src/engine/verify/labelled-set.json' with { type: 'json' }
import { scoresOf, type EvalRow } from '../../src/verifier/weighing/score.ts'

const { cases } = evalSet.parse(labelledSet)
const ports = {
  clock: { now: () => '2026-01-05T09:00:00.000Z' },
  keyed: (text: string) => createHmac('sha256', 'eval').update(text).digest('hex'),
  nonce: () => recordedNonce,
  pause: async () => undefined,
  chance: () => 0,
}

test('each kind of case is in the set', () => {
  expect([...new Set(cases.flatMap(({ kind }) => kind ?? []))].toSorted()).toEqual([
    'empty',
    'good',
    'injected',
    'out_of_scope',
    'subtly_wrong',
    'tampered_tests',
  ])
})

test('the set has no flaw that its types do not show', () => {
  expect(setRules(labelledSet, true)).toEqual([])
})

test('a set that repeats itself alike does not flip', async () => {
  const begun: string[] = []
  const rows = await evaluateSet(cases.slice(0, 2), ports, {
    modelFor: recordedModel,
    repeats: 3,
    begun: (nth, { name }) => begun.push(`${nth} ${name}`),
  })
  expect(begun).toHaveLength(6)
  expect(begun.at(-1)).toBe('6 missing user has a name')
  expect(scoresOf(rows)).toMatchObject([{ cases: 6, flip_rate: 0, false_accepts: 0 }])
})

const row = (given: Partial<EvalRow>): EvalRow => ({
  name: 'a',
  label: 'accept',
  tier: 2,
  decided_by: 'verifier',
  outcome: 'PASS',
  reason: null,
  confidence: 0.9,
  evidence: { verified: 1, given: 1 },
  coverage: { shown: 1, changed: 1 },
  usd: 0.1,
  ms: 5,
  calls: 1,
  kind: null,
  need: null,
  found: { blocking: 0, hits: null },
  ...given,
})

test.each<[string, EvalRow[], object]>([
  ['a wrong pass', [row({ label: 'reject' })], { false_accepts: 1, calibration_error: 0.9, brier: 0.81 }],
  ['a change for a human that passed', [row({ label: 'human' })], { false_accepts: 1 }],
  ['a wrong stop', [row({ outcome: 'HARD_FAIL' })], { false_rejects: 1 }],
  ['a flip', [row({}), row({ outcome: 'REFER' })], { flip_rate: 1, refers: 1 }],
  [
    'half right at a half',
    [row({ confidence: 0.5 }), row({ confidence: 0.5, outcome: 'REFER' })],
    { calibration_error: 0, brier: 0.25 },
  ],
  ['nobody sure', [row({ confidence: null })], { calibration_error: null, brier: null }],
  ['an outage', [row({ outcome: 'UNAVAILABLE' })], { unavailable: 1, false_rejects: 0 }],
])('%s', (_title, rows, score) => {
  const [first] = scoresOf(rows)
  const rounded = Object.fromEntries(
    Object.entries(first ?? {}).map(([key, value]) => [
      key,
      typeof value === 'number' ? Number(value.toFixed(6)) : value,
    ]),
  )
  expect(rounded).toMatchObject(score)
})

describe('what would make the figures lie is a flaw of the set', () => {
  const good = {
    name: 'a',
    label: 'accept',
    issue: 'Guard it.',
    files: [{ path: 'a.ts', patch: '@@ -1 +1,2 @@\n one\n+two' }],
    answers: [{}],
  }
  const flaws = (given: object, recorded = true) =>
    setRules({ cases: [{ ...good, ...given }] }, recorded).map(({ path, message }) => `${path.join('.')} ${message}`)
  const patched = (patch: string, status = 'modified') => flaws({ files: [{ path: 'a.ts', patch, status }] })

  test.each<[string, readonly string[], RegExp]>([
    [
      'no answer on file',
      flaws({ answers: [] }),
      /^cases\.0\.answers must hold an answer for a run that asks no model$/,
    ],
    ['a patch without a hunk', patched('+two'), /^cases\.0\.files\.0\.patch must have a hunk/],
    ['a hunk that counts too few', patched('@@ -1 +1 @@\n one\n+two'), /patch has a changed line that no hunk counts/],
    [
      'two files in one patch',
      patched('@@ -1 +1,2 @@\n one\n+two\n--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-one\n+two'),
      /patch has 2 changed lines that no hunk counts/,
    ],
    [
      'a task that is too long',
      flaws({ issue: `## Acceptance criteria\n${'- It holds.\n'.repeat(3)}${manyCriteria()}` }),
      /^cases\.0\.issue cannot be read as a task: The task has 2\d\d acceptance criteria/,
    ],
  ])('%s', (_title, found, words) => {
    expect(found).toEqual([expect.stringMatching(words)])
  })

  test('two cases of one name', () => {
    expect(setRules({ cases: [good, { name: 'a' }] }, true)).toEqual([
      { path: ['cases', 1, 'name'], message: 'is the name of an earlier case too', nearest: null },
    ])
  })

  test.each<[string, readonly string[]]>([
    ['a good case', flaws({})],
    ['no answer where a model is asked', flaws({ answers: [] }, false)],
    ['no answer where nobody asks', flaws({ answers: [], files: [] })],
    ['no answer where the scope stops it', flaws({ answers: [], scope: ['b.ts'] })],
    ['a mere rename', patched('', 'renamed')],
    ['heads of files, and no line at the end', patched('--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n\\ No newline')],
  ])('%s is none', (_title, found) => {
    expect(found).toEqual([])
  })
})

function manyCriteria(): string {
  return Array.from({ length: 220 }, (_, index) => `- It holds for ${index}.\n`).join('')
}
