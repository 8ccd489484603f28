// The figures of a labelled set, reckoned by hand.
import { describe, expect, test } from 'vitest'
import { scoresOf, type EvalRow, type Score } from '../../src/verifier/weighing/score.ts'
import { rateOf, rateWords } from '../../src/verifier/weighing/rates.ts'
import { compared, report, scoreTable } from '../../src/verifier/weighing/score-words.ts'

const aRow = (given: Partial<EvalRow> = {}): EvalRow => ({
  name: 'pages',
  label: 'accept',
  tier: 2,
  decided_by: 'verifier',
  outcome: 'PASS',
  reason: null,
  confidence: 1,
  evidence: { verified: 1, given: 2 },
  coverage: { shown: 3, changed: 4 },
  usd: 0.1,
  ms: 100,
  calls: 1,
  kind: null,
  need: null,
  found: { blocking: 0, hits: null },
  ...given,
})
const scoreOf = (...rows: Partial<EvalRow>[]): Score | undefined => scoresOf(rows.map(aRow))[0]

describe('what ended wrongly', () => {
  test.each<[EvalRow['label'], EvalRow['outcome'], Partial<Score>]>([
    ['accept', 'PASS', { false_accepts: 0, false_rejects: 0, brier: 0 }],
    ['accept', 'SOFT_FAIL', { false_accepts: 0, false_rejects: 1, brier: 1 }],
    ['accept', 'HARD_FAIL', { false_accepts: 0, false_rejects: 1, brier: 1 }],
    ['accept', 'REFER', { false_rejects: 0, refers: 1, brier: 1 }],
    ['accept', 'UNAVAILABLE', { false_rejects: 0, unavailable: 1, refers: 0 }],
    ['reject', 'PASS', { false_accepts: 1, false_rejects: 0, brier: 1 }],
    ['reject', 'SOFT_FAIL', { false_accepts: 0, false_rejects: 0, brier: 0 }],
    ['reject', 'HARD_FAIL', { false_accepts: 0, brier: 0 }],
    ['reject', 'REFER', { false_accepts: 0, refers: 1, brier: 1 }],
    ['human', 'PASS', { false_accepts: 1, refers: 0, brier: 1 }],
    ['human', 'REFER', { false_accepts: 0, refers: 1, brier: 0 }],
    ['human', 'SOFT_FAIL', { false_accepts: 0, false_rejects: 0, brier: 1 }],
  ])('%s that ended with %s', (label, outcome, figures) => {
    expect(scoreOf({ label, outcome })).toMatchObject({ cases: 1, ...figures })
  })
})

test('sums and shares are over all of a tier, and each tier stands alone', () => {
  const rows = [
    aRow({ tier: 3, usd: 2, ms: 7, calls: 4 }),
    aRow({ evidence: { verified: 0, given: 2 } }),
    aRow({ name: 'sums', coverage: { shown: 0, changed: 4 } }),
  ]
  expect(scoresOf(rows)).toMatchObject([
    { tier: 2, cases: 2, evidence_verified: 0.25, coverage: 0.375, usd: 0.2, ms: 200, calls: 2 },
    { tier: 3, cases: 1, evidence_verified: 0.5, coverage: 0.75, usd: 2, ms: 7, calls: 4 },
  ])
})

test('what nothing is known of is none, not naught', () => {
  const nothing = { given: 0, verified: 0 }
  expect(scoreOf({ confidence: null, evidence: nothing, coverage: { shown: 0, changed: 0 } })).toMatchObject({
    flip_rate: null,
    evidence_verified: null,
    coverage: null,
    calibration_error: null,
    brier: null,
  })
})

test('a case flips when its repetitions do not all end alike', () => {
  expect(scoreOf({}, {})).toMatchObject({ flip_rate: 0 })
  expect(scoreOf({}, { outcome: 'REFER' }, { name: 'once' })).toMatchObject({ flip_rate: 1 })
  expect(scoreOf({}, { outcome: 'REFER' }, { name: 'b' }, { name: 'b' })).toMatchObject({ flip_rate: 0.5 })
})

test('the calibration error is how far each bin is off, by how many are in it', () => {
  expect(scoreOf({ confidence: 0.95 })?.calibration_error).toBeCloseTo(0.05)
  expect(scoreOf({ confidence: 1 }, { confidence: 0.9 })?.calibration_error).toBeCloseTo(0.05)
  const apart = scoreOf({ confidence: 0.9 }, { confidence: 0.2, outcome: 'REFER' }, { confidence: 0.25 })
  // 0.1 off in one bin of one, 0.275 in one bin of two.
  expect(apart?.calibration_error).toBeCloseTo(0.1 / 3 + (0.275 * 2) / 3)
  const wrong = scoreOf({ confidence: 0.95, outcome: 'REFER' }, { confidence: 0.05 })
  expect(wrong?.calibration_error).toBeCloseTo(0.95)
  expect(apart?.brier).toBeCloseTo((0.01 + 0.04 + 0.5625) / 3)
})

test('the table has the rows, then the tiers side by side', () => {
  const rows = [
    aRow({ confidence: null }),
    aRow({
      name: 'a longer name',
      tier: 3,
      label: 'reject',
      reason: 'cannot_tell',
      outcome: 'REFER',
      decided_by: 'scope',
    }),
  ]
  expect(scoreTable(rows, scoresOf(rows))).toMatchInlineSnapshot(`
    "ok  pages          accept  tier 2  verifier  PASS
    --  a longer name  reject  tier 3  scope     REFER cannot_tell at 1

                         tier 2    tier 3
    cases                     1         1
    false accepts             0         0
    false rejects             0         0
    refers                    0         1
    unavailable               0         0
    evidence verified    50.0 %    50.0 %
    coverage             75.0 %    75.0 %
    flip rate              none      none
    calibration error      none   100.0 %
    Brier score            none     1.000
    cost                  $0.10     $0.10
    calls                     1         1
    time of the calls     0.1 s     0.1 s

    tier 2
    wrong changes that passed             none
    clean changes that were stopped       0 of 1: 0.0 % (0.0 to 79.3)
    clean changes that went to a person   0 of 1: 0.0 % (0.0 to 79.3)
    defects that were found               none
    findings that are defects             none

    tier 3
    wrong changes that passed             0 of 1: 0.0 % (0.0 to 79.3)
    clean changes that were stopped       none
    clean changes that went to a person   none
    defects that were found               none
    findings that are defects             none"
  `)
})

describe('what was found', () => {
  const wrong = { label: 'reject', outcome: 'SOFT_FAIL', kind: 'security' } as const
  const rows = [
    { ...wrong, need: 'hunk', found: { blocking: 2, hits: 1 } },
    { ...wrong, need: 'file', found: { blocking: 1, hits: 0 } },
    { ...wrong, need: 'file', found: { blocking: 5, hits: null }, outcome: 'PASS' },
    { found: { blocking: 1, hits: null } },
  ] as const

  test('of the defects with a place, and of the findings that can be judged', () => {
    expect(scoreOf(...rows)).toMatchObject({
      recall: { part: 1, whole: 2 },
      precision: { part: 1, whole: 4 },
      false_accept_rate: { part: 1, whole: 3 },
      false_reject_rate: { part: 0, whole: 1 },
      clean_refers: { part: 0, whole: 1 },
      by_kind: [{ name: 'security', recall: { part: 1, whole: 2 } }],
      by_need: [
        { name: 'file', recall: { part: 0, whole: 1 }, false_accepts: { part: 1, whole: 2 } },
        { name: 'hunk', recall: { part: 1, whole: 1 }, precision: { part: 1, whole: 2 } },
      ],
    })
  })

  test('as a report for a page', () => {
    const text = report({ source: 'Somebody.', scores: scoresOf(rows.map(aRow)) })
    expect(text).toContain('## Tier 2, 4 cases\n')
    expect(text).toContain('| defects that were found | 1 of 2: 50.0 % (9.4 to 90.5) |')
    expect(text).toContain(
      '| hunk | 0 of 1: 0.0 % (0.0 to 79.3) | 1 of 1: 100.0 % (20.6 to 100.0) | 1 of 2: 50.0 % (9.4 to 90.5) |',
    )
  })

  test('two runs side by side, and whether they differ by more than chance', () => {
    const many = (hits: number) => ({
      source: `${hits} hits`,
      scores: scoresOf(Array.from({ length: 20 }, () => aRow({ ...wrong, found: { blocking: 1, hits } }))),
    })
    const rowOf = (text: string, name: string) => text.split('\n').find((line) => line.startsWith(`| ${name} |`))
    const far = rowOf(compared(many(0), many(1)), 'defects that were found')
    expect(far).toBe(
      '| defects that were found | 0 of 20: 0.0 % (0.0 to 16.1) | 20 of 20: 100.0 % (83.9 to 100.0) | differs |',
    )
    expect(rowOf(compared(many(1), many(1)), 'defects that were found')).toMatch(/\|  \|$/)
    expect(rowOf(compared(many(1), many(0)), 'defects that were found')).toMatch(/\| differs \|$/)
  })
})

// prettier-ignore
test.each([
  [0, 10, 0, 0, 0.2775],
  [5, 10, 0.5, 0.2366, 0.7634],
  [10, 10, 1, 0.7225, 1],
  [1, 200, 0.005, 0.0009, 0.0278],
])('%d of %d is %d, from %d to %d', (part, whole, share, low, high) => {
  expect(rateOf(part, whole)).toEqual({ part, whole, share, low, high })
})

test('of nothing there is no share', () => {
  expect(rateOf(0, 0)).toEqual({ part: 0, whole: 0, share: null, low: null, high: null })
  expect(rateWords(rateOf(0, 0))).toBe('none')
})
