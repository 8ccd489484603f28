// What holds for every answer: a result is never better for what a model proposes, loses or adds; votes are counted as
// somebody would by hand; confidence grows with what it is made of and with nothing else.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProbeGrade } from '../../src/core/decision/examined.ts'
import { confidenceOf, type ConfidenceParts } from '../../src/verifier/weighing/confidence.ts'
import { judgeVote, type Objection, type Testimony } from '../../src/verifier/weighing/judge.ts'
import { tallyVotes, type FailedVote, type Tally, type Vote } from '../../src/verifier/weighing/tally.ts'

const answer = fc.constantFrom<ProbeGrade['answer'][]>('met', 'met', 'met', 'not_met', 'cannot_tell', 'not_applicable')
const probe = fc.record({
  id: fc.constantFrom('c1.p1', 'c2.p1', 'c3.p1', 'r1.p1', 'r1.p2', 'r2.p1'),
  answer,
  proven: fc.constantFrom(true, true, true, false),
})
const objection = fc
  .record({ id: fc.constantFrom('a', 'b', 'c1.p1'), proven: fc.boolean() })
  .map(({ id, proven }): Objection => ({ id, proven, text: 'x', category: 'correctness', path: 'a.ts', line: 3 }))
const testimony: fc.Arbitrary<Testimony> = fc.record({
  probes: fc
    .uniqueArray(probe, { selector: ({ id }) => id, maxLength: 6 })
    .map((probes) => probes.map((one) => ({ ...one, text: '', why: '' }))),
  objections: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(objection, { maxLength: 3 }) },
  ),
  proposed: fc.constantFrom<Testimony['proposed'][]>(
    'PASS',
    'PASS',
    'PASS',
    'PASS',
    'PASS',
    'PASS',
    'REFER',
    'SOFT_FAIL',
    'HARD_FAIL',
  ),
  hasFeedback: fc.boolean(),
  unfound: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  hiddenText: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  secret: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  addressed: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  assumes: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  coverage: fc.constantFrom<Testimony['coverage'][]>(
    { share: 1, cause: null },
    { share: 1, cause: null },
    { share: 0.99, cause: 'coverage' },
    { share: 0, cause: 'too_large' },
  ),
})
const passes = (given: Testimony): boolean => judgeVote(given).outcome === 'PASS'

describe('a vote', () => {
  test('depends on nothing but what it is given, in whatever order', () => {
    fc.assert(
      fc.property(testimony, (given) => {
        const turned = { ...given, probes: given.probes.toReversed(), objections: given.objections.toReversed() }
        expect(judgeVote(turned)).toEqual(judgeVote(given))
      }),
    )
  })

  test('passes only where nothing stands against it', () => {
    let seen = 0
    fc.assert(
      fc.property(testimony, (given) => {
        if (!passes(given)) return
        seen += 1
        expect(given).toMatchObject({
          objections: [],
          proposed: 'PASS',
          unfound: false,
          hiddenText: false,
          secret: false,
          assumes: false,
          coverage: { share: 1 },
        })
        const own = given.probes.filter(({ id }) => id.startsWith('c'))
        expect(own.some((one) => one.answer === 'cannot_tell')).toBe(false)
        expect(own.some((one) => one.answer === 'met' && one.proven)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
    expect(seen).toBeGreaterThan(20)
  })

  test('is not better for a proposal than for the proposal to pass', () => {
    fc.assert(
      fc.property(testimony, (given) => {
        expect(Number(passes(given))).toBeLessThanOrEqual(Number(passes({ ...given, proposed: 'PASS' })))
      }),
    )
  })

  test('does not begin to pass when something gets worse', () => {
    const worse = fc.constantFrom<((given: Testimony) => Testimony)[]>(
      (given) => ({
        ...given,
        probes: given.probes.map((one, index) =>
          index === 0 && one.answer === 'met' ? { ...one, answer: 'cannot_tell' } : one,
        ),
      }),
      (given) => ({
        ...given,
        objections: [
          ...given.objections,
          { id: 'new', proven: false, text: '', category: 'other', path: null, line: null },
        ],
      }),
      (given) => ({ ...given, coverage: { share: 0.5, cause: 'coverage' } }),
      (given) => ({ ...given, proposed: 'HARD_FAIL' }),
      (given) => ({ ...given, hiddenText: true }),
      (given) => ({ ...given, secret: true }),
      (given) => ({ ...given, unfound: true }),
    )
    fc.assert(
      fc.property(testimony, worse, (given, change) => {
        expect(Number(passes(change(given)))).toBeLessThanOrEqual(Number(passes(given)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('stops a task only with proof', () => {
    fc.assert(
      fc.property(testimony, (given) => {
        const stopped = judgeVote(given).outcome === 'HARD_FAIL'
        expect(!stopped || given.objections.some(({ proven }) => proven)).toBe(true)
      }),
    )
  })
})

type Kind = 'PASS' | 'SOFT' | 'PROVEN' | 'HARD' | 'REFER' | 'OUTAGE' | 'REFUSED'
const kinds: readonly Kind[] = ['PASS', 'SOFT', 'PROVEN', 'HARD', 'REFER', 'OUTAGE', 'REFUSED']
const proven = (id: string): Objection => ({
  id,
  proven: true,
  text: '',
  category: 'correctness',
  path: 'a.ts',
  line: 1,
})

function voteOf(kind: Kind, n: number): Vote | FailedVote {
  const vote = { n, reason: null, objections: [] } as const
  switch (kind) {
    case 'PASS':
      return { ...vote, outcome: 'PASS' }
    case 'SOFT':
      return { ...vote, outcome: 'SOFT_FAIL' }
    case 'PROVEN':
      return { ...vote, outcome: 'SOFT_FAIL', objections: [proven(`own ${n}`)] }
    case 'HARD':
      return { ...vote, outcome: 'HARD_FAIL', objections: [proven('shared')] }
    case 'REFER':
      return { ...vote, outcome: 'REFER', reason: 'cannot_tell' }
    case 'OUTAGE':
      return { n, outcome: 'FAILED', cause: { unavailable: 'transient' } }
    case 'REFUSED':
      return { n, outcome: 'FAILED', cause: { refer: 'refused' } }
  }
}

/** Counted by hand, from the words of the rule and not from its code. */
function byHand(votes: readonly Kind[]): Tally['outcome'] {
  const count = (...wanted: Kind[]): number => votes.filter((vote) => wanted.includes(vote)).length
  const valid = votes.length - count('OUTAGE', 'REFUSED')
  if (valid * 2 <= votes.length) return count('OUTAGE') > 0 ? 'UNAVAILABLE' : 'REFER'
  if (count('HARD') >= 2) return 'HARD_FAIL'
  if (count('PASS') === 0) return count('SOFT', 'PROVEN', 'HARD') > 0 ? 'SOFT_FAIL' : 'REFER'
  if (count('PASS') * 2 <= votes.length) return 'REFER'
  return count('PROVEN', 'HARD') > 0 ? 'REFER' : 'PASS'
}

describe('votes', () => {
  test.each([1, 2, 3, 4])('every way in which %i can vote', (size) => {
    const all = Array.from({ length: kinds.length ** size }, (_, code) =>
      Array.from({ length: size }, (_, at) => kinds[Math.floor(code / kinds.length ** at) % kinds.length] ?? 'PASS'),
    )
    for (const votes of all)
      expect([votes, tallyVotes(votes.map(voteOf), size, []).outcome]).toEqual([votes, byHand(votes)])
  })

  test('and up to fifteen', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { minLength: 5, maxLength: 15 }), (votes) => {
        expect(tallyVotes(votes.map(voteOf), votes.length, []).outcome).toBe(byHand(votes))
      }),
      { numRuns: 2_000 },
    )
  })

  test('who failed to answer changes neither what passed nor what was valid', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<Kind[]>('PASS', 'SOFT', 'REFER'), { minLength: 4, maxLength: 7 }),
        fc.constantFrom<Kind[]>('OUTAGE', 'REFUSED'),
        (votes, failed) => {
          const without = tallyVotes(votes.map(voteOf), votes.length, [])
          const withOne = tallyVotes([...votes, failed].map(voteOf), votes.length + 1, [])
          expect(withOne).toMatchObject({ pass: without.pass, valid: without.valid })
        },
      ),
    )
  })

  test('in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 9 }), (votes) => {
        expect(tallyVotes(votes.map(voteOf), votes.length, []).outcome).toBe(
          tallyVotes(votes.toReversed().map(voteOf), votes.length, []).outcome,
        )
      }),
    )
  })

  test('a division has its text and its reason, a pass by majority its count', () => {
    expect(tallyVotes((['PASS', 'SOFT', 'REFER'] as const).map(voteOf), 3, [])).toMatchObject({
      outcome: 'REFER',
      reason: 'divergence',
    })
    expect(tallyVotes((['PASS', 'PASS', 'SOFT'] as const).map(voteOf), 3, [])).toMatchObject({
      outcome: 'PASS',
      pass: 2,
      valid: 3,
    })
    expect(tallyVotes((['PASS', 'PASS', 'PROVEN'] as const).map(voteOf), 3, [])).toMatchObject({
      reason: 'proven_dissent',
    })
    expect(tallyVotes((['PASS', 'PASS', 'OUTAGE'] as const).map(voteOf), 3, [])).toMatchObject({
      outcome: 'PASS',
      valid: 2,
    })
  })

  test('an objection near what a deterministic check found needs no second voter', () => {
    const votes = (['HARD', 'PASS', 'PASS'] as const).map(voteOf)
    const hit = (line: number) => [{ kind: 'syntax', path: 'a.ts', line } as const]
    expect(tallyVotes(votes, 3, hit(4)).outcome).toBe('HARD_FAIL')
    expect(tallyVotes(votes, 3, hit(5)).outcome).toBe('REFER')
  })
})

describe('confidence', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const parts = fc.record({
    agreement: share,
    evidence: share,
    coverage: share,
    calibration: share,
    stated: fc.option(share),
  })

  test('is no more than any of its parts, and missing when the model states none', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const confidence = confidenceOf(given)
        if (given.stated === null) expect(confidence).toBeNull()
        else for (const part of Object.values(given)) expect(confidence).toBeLessThanOrEqual((part ?? 1) + 1e-9)
      }),
    )
  })

  test('never falls when a part rises', () => {
    fc.assert(
      fc.property(
        parts,
        fc.constantFrom<Exclude<keyof ConfidenceParts, 'readings'>[]>(
          'agreement',
          'evidence',
          'coverage',
          'calibration',
          'stated',
        ),
        share,
        (given, part, more) => {
          const before = given[part]
          if (before === null) return
          const after = { ...given, [part]: Math.max(before, more) }
          expect(confidenceOf(after) ?? 0).toBeGreaterThanOrEqual(confidenceOf(given) ?? 0)
        },
      ),
    )
  })

  test.each([
    [0.9, 0.9],
    [0.7, 0.7],
    [0.29, 0.29],
    [0.999, 0.99],
    [2 / 3, 0.66],
  ])('%d is shown as %d', (part, shown) => {
    expect(confidenceOf({ agreement: part, evidence: 1, coverage: 1, calibration: 1, stated: 1 })).toBe(shown)
  })
})
