// Rubrics that a policy defines: weighted criteria and examples that calibrate a grader.
import { z } from 'zod'
import { section, share } from './schema-parts.ts'

const gradeType = z.enum(['binary', 'ternary', 'score'])
const verdictOutcome = z.enum(['PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER'])

const criterion = section({
  name: z.string().min(1).max(100).describe('Name of the criterion, unique in its rubric.'),
  description: z.string().min(1).max(2000).describe('What the criterion asks of the change.'),
  weight: share.describe('Share of the whole, 0 to 1; the weights of a rubric add up to 1.'),
  grade_type: gradeType.describe('binary: 0 or 1; ternary: 0, 0.5 or 1; score: anything from 0 to 1.'),
  probes: z
    .array(z.string().min(1).max(240))
    .max(20)
    .optional()
    .describe('Yes/no questions that decide the grade. Left out, they are made from the description.'),
})

const example = section({
  artifact_summary: z.string().min(1).describe('The piece of work that the example is about.'),
  expected_verdict: verdictOutcome.describe('The verdict that such a piece of work deserves.'),
  rationale: z.string().min(1).describe('Why it deserves that verdict.'),
  expected_grades: z.record(z.string(), share).optional().describe('The grade per criterion, by name.'),
})

export const rubric = section({
  criteria: z.array(criterion).min(1).max(20).describe('What is graded, and how much each part weighs.'),
  calibration: z.array(example).describe('Examples for the grader, at least one for each verdict.'),
  min_confidence: share.default(0.7).describe('A verdict with less confidence goes to a human; equal is enough.'),
  pass_score: share.default(0.7).describe('The weighted score that a change must reach.'),
}).superRefine((value, context) => {
  const names = value.criteria.map((criterion) => criterion.name)
  const total = value.criteria.reduce((sum, criterion) => sum + criterion.weight, 0)
  const complain = (message: string, path: (string | number)[]) => context.addIssue({ code: 'custom', message, path })
  if (Math.abs(total - 1) > 1e-6)
    complain(`has weights that add up to ${Number(total.toFixed(6))}, not to 1`, ['criteria'])
  if (new Set(names).size < names.length) complain('has two criteria of the same name', ['criteria'])
  for (const outcome of verdictOutcome.options) {
    if (!value.calibration.some((example) => example.expected_verdict === outcome)) {
      complain(`has no example that expects ${outcome}; each verdict needs one`, ['calibration'])
    }
  }
  for (const [index, example] of value.calibration.entries()) {
    for (const [name, grade] of Object.entries(example.expected_grades ?? {})) {
      const type = value.criteria.find((criterion) => criterion.name === name)?.grade_type
      const path = ['calibration', index, 'expected_grades', name]
      if (type === undefined) complain('is not a criterion of this rubric', path)
      else if (type === 'binary' && ![0, 1].includes(grade)) complain('must be 0 or 1, as a binary grade', path)
      else if (type === 'ternary' && ![0, 0.5, 1].includes(grade))
        complain('must be 0, 0.5 or 1, as a ternary grade', path)
    }
  }
})
