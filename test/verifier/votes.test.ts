// From testimony to a vote and from votes to one verdict, row by row; what holds for all of them is in the laws.
import { describe, expect, test } from 'vitest'
import type { Finding, ProbeGrade } from '../../src/core/decision/examined.ts'
import { judgeVote, objectionsOf, type Objection, type Testimony } from '../../src/verifier/weighing/judge.ts'
import { isConfirmed, tallyVotes, type FailedVote, type Vote } from '../../src/verifier/weighing/tally.ts'

const grade = (id: string, answer: ProbeGrade['answer'], given: Partial<ProbeGrade> = {}): ProbeGrade => ({
  id,
  answer,
  text: `Is ${id} so?`,
  // Nothing counts as met without proof.
  proven: answer === 'met',
  why: '',
  ...given,
})
const objection = (given: Partial<Objection> = {}): Objection => ({
  id: 'f1',
  proven: true,
  text: 'it is wrong',
  category: 'correctness',
  path: 'a.ts',
  line: 10,
  ...given,
})
const clean: Testimony = {
  probes: [grade('c1.p1', 'met'), grade('r1.p1', 'met'), grade('r1.p2', 'met'), grade('r2.p1', 'met')],
  objections: [],
  proposed: 'PASS',
  hasFeedback: false,
  unfound: false,
  hiddenText: false,
  secret: false,
  addressed: false,
  assumes: false,
  coverage: { share: 1, cause: null },
}

describe('a vote', () => {
  const rubric = (...answers: ProbeGrade['answer'][]) => [
    grade('c1.p1', 'met'),
    ...answers.map((answer, index) => grade(`r1.p${index}`, answer)),
  ]
  // prettier-ignore
  test.each<[string, Partial<Testimony>, string]>([
    ['against which nothing stands', {}, 'PASS'],
    ['that proposes to stop, with proof', { proposed: 'HARD_FAIL', objections: [objection()] }, 'HARD_FAIL'],
    ['that proposes to stop, without proof', { proposed: 'HARD_FAIL', objections: [objection({ proven: false })] }, 'SOFT_FAIL'],
    ['that proposes to stop, of several with one proof', { proposed: 'HARD_FAIL', objections: [objection({ proven: false }), objection()] }, 'HARD_FAIL'],
    ['that objects, whatever it proposes', { objections: [objection()] }, 'SOFT_FAIL'],
    ['that proposes to fail with advice', { proposed: 'SOFT_FAIL', hasFeedback: true }, 'SOFT_FAIL'],
    ['that proposes to fail with nothing', { proposed: 'SOFT_FAIL' }, 'REFER no_feedback'],
    ['that passes with advice', { hasFeedback: true }, 'PASS'],
    ['that claims to block by a quote that is nowhere', { unfound: true }, 'REFER insufficient_evidence'],
    ['that also objects otherwise', { unfound: true, objections: [objection()] }, 'SOFT_FAIL'],
    ['on a secret', { secret: true }, 'REFER secret'],
    ['that does not mention what speaks to it', { addressed: true }, 'REFER addressed'],
    ['on hidden text', { hiddenText: true }, 'REFER hidden_text'],
    ['that rests on something unseen', { assumes: true }, 'REFER assumption_violation'],
    ['on a part of the change', { coverage: { share: 0.99, cause: 'too_large' } }, 'REFER too_large'],
    ['on a part of the change, for no known cause', { coverage: { share: 0.99, cause: null } }, 'REFER coverage'],
    ['that cannot tell what the task asks', { probes: [grade('c1.p1', 'cannot_tell')] }, 'REFER cannot_tell'],
    ['that shows nothing of the task', { probes: [grade('c1.p1', 'not_applicable'), grade('r1.p1', 'met'), grade('r1.p2', 'met')] }, 'REFER insufficient_evidence'],
    ['that shows less than a half of the task', { probes: [grade('c1.p1', 'met'), grade('c2.p1', 'not_applicable'), grade('c3.p1', 'not_applicable'), ...rubric('met', 'met', 'met').slice(1)] }, 'REFER insufficient_evidence'],
    ['that cannot tell a third of the rubric', { probes: rubric('met', 'met', 'cannot_tell') }, 'PASS'],
    ['that cannot tell more of the rubric', { probes: rubric('met', 'cannot_tell', 'cannot_tell') }, 'REFER insufficient_evidence'],
    ['of which a half does not apply', { probes: rubric('met', 'not_applicable', 'not_applicable') }, 'PASS'],
    ['of which more does not apply', { probes: rubric('not_applicable', 'not_applicable') }, 'REFER insufficient_evidence'],
  ])('%s', (_title, given, expected) => {
    const { outcome, reason } = judgeVote({ ...clean, ...given })
    expect([outcome, reason].filter(Boolean).join(' ')).toBe(expected)
  })
})

describe('what a vote objects to', () => {
  const places = new Map([['c1.p1', { path: 'a.ts', line: 3 }]])
  const finding: Finding = {
    id: 'f1',
    path: 'b.ts',
    side: 'new',
    line: 5,
    quote: 'q',
    category: 'security',
    claim: 'it leaks',
    failure_scenario: 's',
    fix: '',
    level: 'blocking',
    proven: true,
  }
  const score = { reached: 0.9, needed: 0.7, weak: ['correctness', 'completeness'] }
  const told = (
    probes: ProbeGrade[],
    findings: Finding[] = [],
    given: Partial<{ reached: number | null; needed: number }> = {},
  ) =>
    objectionsOf(probes, places, findings, { ...score, ...given }).map(({ id, text, category, path, line }) =>
      [id, category, path, line, text].join(' | '),
    )

  // prettier-ignore
  test.each<[string, () => string[], string[]]>([
    ['a question answered with no, where it stands', () => told([grade('c1.p1', 'not_met', { why: 'The guard is gone.' })]), ['c1.p1 | probe | a.ts | 3 | Is c1.p1 so? The guard is gone.']],
    ['without a word of why, and nowhere', () => told([grade('c2.p1', 'not_met', { why: ' ' })]), ['c2.p1 | probe |  |  | Is c2.p1 so?']],
    ['no question of the rubric, and none answered otherwise', () => told([grade('r1.p1', 'not_met'), grade('c1.p1', 'cannot_tell')]), []],
    ['a finding that blocks', () => told([], [finding]), ['f1 | security | b.ts | 5 | it leaks']],
    ['no finding of taste', () => told([], [{ ...finding, level: 'question' }]), []],
    ['too low a score', () => told([], [], { reached: 0.699 }), ['score | score |  |  | The score 0.69 is below 0.7: correctness, completeness.']],
    ['not one that is just enough', () => told([], [], { reached: 0.1 + 0.2, needed: 0.3 }), []],
    ['not one that was not reached by a hair of arithmetic', () => told([], [], { reached: 0.7 - 1e-12 }), []],
    ['not one that nobody could reckon', () => told([], [], { reached: null }), []],
  ])('%s', (_title, found, expected) => expect(found()).toEqual(expected))
})

describe('votes', () => {
  const pass = (n: number): Vote => ({ n, outcome: 'PASS', reason: null, objections: [] })
  const soft = (n: number, ...objections: Objection[]): Vote => ({ n, outcome: 'SOFT_FAIL', reason: null, objections })
  const hard = (n: number, ...objections: Objection[]): Vote => ({ n, outcome: 'HARD_FAIL', reason: null, objections })
  const refer = (n: number): Vote => ({ n, outcome: 'REFER', reason: 'cannot_tell', objections: [] })
  const refused: FailedVote = { n: 9, outcome: 'FAILED', cause: { refer: 'refused' } }
  const away: FailedVote = { n: 9, outcome: 'FAILED', cause: { unavailable: 'transient' } }
  const told = (
    votes: readonly (Vote | FailedVote)[],
    planned = votes.length,
    hits: Parameters<typeof tallyVotes>[2] = [],
  ) => {
    const tally = tallyVotes(votes, planned, hits)
    const more = 'reason' in tally ? [tally.reason, tally.downgraded ? 'downgraded' : null] : []
    return [tally.outcome, ...more, `${tally.pass} of ${tally.valid}`].filter((part) => part !== null).join(' ')
  }
  // prettier-ignore
  test.each<[string, () => string, string]>([
    ['all pass', () => told([pass(1), pass(2), pass(3)]), 'PASS 3 of 3'],
    ['most pass', () => told([pass(1), pass(2), soft(3)]), 'PASS 2 of 3'],
    ['most pass, and one proves the contrary', () => told([pass(1), pass(2), soft(3, objection())]), 'REFER proven_dissent 2 of 3'],
    ['most pass, and one objects without proof', () => told([pass(1), pass(2), soft(3, objection({ proven: false }))]), 'PASS 2 of 3'],
    ['half pass', () => told([pass(1), soft(2)]), 'REFER divergence 1 of 2'],
    ['few pass', () => told([pass(1), soft(2), soft(3)]), 'REFER divergence 1 of 3'],
    ['none passes', () => told([soft(1), refer(2), soft(3)]), 'SOFT_FAIL 0 of 3'],
    ['all refer', () => told([refer(1), refer(2)]), 'REFER cannot_tell 0 of 2'],
    ['two prove the same', () => told([hard(1, objection()), hard(2, objection()), pass(3)]), 'HARD_FAIL 1 of 3'],
    ['two say the same, one of them without proof', () => told([hard(1, objection()), hard(2, objection({ proven: false })), soft(3)]), 'SOFT_FAIL downgraded 0 of 3'],
    ['two say the same, neither with proof', () => told([hard(1, objection({ proven: false })), hard(2, objection({ proven: false })), soft(3)]), 'SOFT_FAIL downgraded 0 of 3'],
    ['one proves it twice', () => told([hard(1, objection(), objection()), soft(2), soft(3)]), 'SOFT_FAIL downgraded 0 of 3'],
    ['one would stop it, most pass', () => told([hard(1, objection({ proven: false })), pass(2), pass(3)]), 'PASS downgraded 2 of 3'],
    ['too few answered, for an outage', () => told([pass(1), away, away]), 'UNAVAILABLE 1 of 1'],
    ['too few answered, an outage among the causes', () => told([pass(1), refused, away]), 'UNAVAILABLE 1 of 1'],
    ['too few answered, since they refused', () => told([pass(1), refused, refused]), 'REFER refused 1 of 1'],
    ['just enough answered', () => told([pass(1), pass(2), away]), 'PASS 2 of 2'],
    ['half of those that were planned', () => told([pass(1), pass(2)], 4), 'UNAVAILABLE 2 of 2'],
  ])('%s', (_title, found, expected) => expect(found()).toBe(expected))

  // prettier-ignore
  test.each<[string, Partial<Objection>, boolean]>([
    ['at the same place', {}, true],
    ['three lines before', { line: 7 }, true],
    ['three lines behind', { line: 13 }, true],
    ['four lines before', { line: 6 }, false],
    ['four lines behind', { line: 14 }, false],
    ['in another file', { path: 'b.ts' }, false],
    ['of another kind', { category: 'correctness' }, false],
    ['nowhere', { line: null }, false],
    ['without proof', { proven: false }, false],
  ])('what one proves is confirmed by what was found without a model: %s', (_title, given, is) => {
    const hits = [{ kind: 'secret', path: 'a.ts', line: 10 } as const]
    expect(isConfirmed([hard(1, objection({ category: 'security', ...given }))], hits)).toBe(is)
    expect(told([hard(1, objection({ category: 'security', ...given })), soft(2), soft(3)], 3, hits)).toBe(is ? 'HARD_FAIL 0 of 3' : 'SOFT_FAIL downgraded 0 of 3')
  })
})
