// Rubrics: weighted criteria, the questions that decide their grades, and examples. A grade is computed from answers and
// never asked for; a criterion that nothing could be said about passes its weight on to the others.
import type { Policy } from '../../core/contract/policy/policy.ts'
import type { ProbeGrade } from '../../core/decision/examined.ts'
import { defaultTask, frontendDesign } from './rubrics.ts'

export type RubricProbe = {
  readonly text: string
  readonly polarity: 'presence' | 'absence'
  readonly conditional: boolean
}
type OwnRubric = Policy['rubrics'][string]
type OwnCriterion = OwnRubric['criteria'][number]
type OwnExample = OwnRubric['calibration'][number]

export type RubricCriterion = Readonly<Omit<OwnCriterion, 'probes'>> & { readonly probes: readonly RubricProbe[] }
export type CalibrationExample = Readonly<Omit<OwnExample, 'expected_grades'>> & {
  readonly expected_grades: Readonly<Record<string, number>>
}
export type Rubric = Readonly<Omit<OwnRubric, 'criteria' | 'calibration'>> & {
  readonly name: string
  readonly criteria: readonly RubricCriterion[]
  readonly calibration: readonly CalibrationExample[]
}

const builtIn = [defaultTask, frontendDesign]

/** The rubric that the policy names; a policy with an unknown name is invalid and gets nowhere near this. */
export function rubricOf({ verification, rubrics }: Pick<Policy, 'verification' | 'rubrics'>): Rubric {
  const { rubric: name } = verification.verifier
  const own = rubrics[name]
  if (own === undefined) {
    const known = builtIn.find((rubric) => rubric.name === name)
    if (known === undefined) throw new Error(`There is no rubric ${name}; the policy should have been refused`)
    return known
  }
  return {
    ...own,
    name,
    criteria: own.criteria.map((criterion) => ({
      ...criterion,
      probes: (criterion.probes ?? []).map((text) => ({ text, polarity: 'presence', conditional: false })),
    })),
    calibration: own.calibration.map(({ expected_grades = {}, ...example }) => ({ ...example, expected_grades })),
  }
}

export type Graded = { readonly grades: Readonly<Record<string, number | null>>; readonly score: number | null }

/** `probe-adherence` grades the questions of the task, every other criterion its own. */
export function gradesOf(rubric: Rubric, probes: readonly ProbeGrade[]): Graded {
  const graded = rubric.criteria.map(({ name, weight, grade_type }, index) => {
    const own = probes.filter(({ id }) => id.startsWith(name === 'probe-adherence' ? 'c' : `r${index + 1}.`))
    return { name, weight, grade: gradeOf(grade_type, own) }
  })
  const counted = graded.flatMap(({ weight, grade }) => (grade === null ? [] : [{ weight, grade }]))
  const total = counted.reduce((sum, { weight }) => sum + weight, 0)
  const score = total === 0 ? null : counted.reduce((sum, { weight, grade }) => sum + weight * grade, 0) / total
  return { grades: Object.fromEntries(graded.map(({ name, grade }) => [name, grade])), score }
}

function gradeOf(type: RubricCriterion['grade_type'], probes: readonly ProbeGrade[]): number | null {
  const said = probes.filter(({ answer }) => answer === 'met' || answer === 'not_met')
  if (said.length === 0) return null
  const share = said.filter(({ answer }) => answer === 'met').length / said.length
  if (type === 'score') return share
  if (share === 1) return 1
  return type === 'ternary' && share > 0 ? 0.5 : 0
}
