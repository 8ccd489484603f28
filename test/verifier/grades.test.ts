// Answers to grades, and grades to a score: computed, never asked for.
import { describe, expect, test } from 'vitest'
import type { ProbeGrade } from '../../src/core/decision/examined.ts'
import { policySchema } from '../../src/core/contract/policy/policy.ts'
import { gradesOf, rubricOf, type Rubric } from '../../src/verifier/asking/rubric.ts'
import { aModel, saysPass, verdictOf, type Said } from './lab.ts'

const grade = (id: string, answer: ProbeGrade['answer']): ProbeGrade => ({
  id,
  text: '',
  answer,
  proven: false,
  why: '',
})

describe('grades', () => {
  const rubric = rubricOf(policySchema.parse({}))
  test('are computed from answers, and the score from weights', () => {
    const { grades, score } = gradesOf(rubric, [
      grade('c1.p1', 'met'),
      grade('r1.p1', 'met'),
      grade('r1.p2', 'not_met'),
      grade('r2.p1', 'met'),
    ])
    expect(grades).toEqual({ correctness: 0.5, completeness: 1, 'probe-adherence': 1 })
    expect(score).toBeCloseTo(0.8)
  })

  test('what nothing can be said of passes its weight on', () => {
    const { grades, score } = gradesOf(rubric, [
      grade('c1.p1', 'met'),
      grade('r1.p1', 'not_applicable'),
      grade('r2.p1', 'not_met'),
    ])
    expect(grades).toEqual({ correctness: null, completeness: 0, 'probe-adherence': 1 })
    expect(score).toBeCloseTo(0.25 / 0.6)
    expect(gradesOf(rubric, []).score).toBeNull()
  })

  test.each([
    ['binary', ['met', 'met'], 1],
    ['binary', ['met', 'not_met'], 0],
    ['ternary', ['met', 'not_met'], 0.5],
    ['ternary', ['not_met', 'not_met'], 0],
    ['score', ['met', 'met', 'not_met', 'cannot_tell'], 2 / 3],
  ] as const)('%s of %s', (grade_type, answers, expected) => {
    const own: Rubric = { ...rubric, criteria: [{ name: 'own', description: '', weight: 1, grade_type, probes: [] }] }
    expect(
      gradesOf(
        own,
        answers.map((answer, at) => grade(`r1.p${at}`, answer)),
      ).grades['own'],
    ).toBeCloseTo(expected)
  })

  test('too low a score objects, naming what is weak', async () => {
    const model = aModel((request): Said => {
      const pass = saysPass(request)
      const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
      return {
        ...pass,
        probes: probes.map((said: Said) =>
          String(said['id']).startsWith('r1') ? { ...said, answer: 'not_met', evidence: [] } : said,
        ),
      }
    })
    const answer = await verdictOf({ model })
    expect(answer).toMatchObject({
      verdict: { outcome: 'SOFT_FAIL', objections: ['score'], feedback: expect.stringContaining('correctness') },
    })
  })

  test('the rubrics that come along add up, and have an example of each verdict', () => {
    for (const name of ['default-task', 'frontend-design']) {
      const {
        criteria: parts,
        calibration,
        min_confidence,
        pass_score,
      } = rubricOf(policySchema.parse({ verification: { verifier: { rubric: name } } }))
      expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1)
      expect(calibration.map(({ expected_verdict }) => expected_verdict)).toEqual([
        'PASS',
        'SOFT_FAIL',
        'HARD_FAIL',
        'REFER',
      ])
      expect([min_confidence, pass_score]).toEqual([0.7, 0.7])
    }
  })
})
