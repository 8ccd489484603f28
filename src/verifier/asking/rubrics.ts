// The rubrics that come with Countersign. Their weights, names and thresholds are promised to users; the examples show a
// grader where the lines are.
import type { Rubric, RubricProbe } from './rubric.ts'

const present = (text: string): RubricProbe => ({ text, polarity: 'presence', conditional: false })
const absent = (text: string): RubricProbe => ({ text, polarity: 'absence', conditional: false })
const where = (text: string): RubricProbe => ({ text, polarity: 'presence', conditional: true })

export const defaultTask: Rubric = {
  name: 'default-task',
  criteria: [
    {
      name: 'correctness',
      description: 'Does it do what the task says, without a defect that can be shown?',
      weight: 0.4,
      grade_type: 'score',
      probes: [
        present(
          'For every input that the contract names, does the changed code give the result that the contract names?',
        ),
        absent('Do the callers, types, schemas and stored formats that unchanged code relies on still work?'),
        where('Are the error and edge paths of the change handled?'),
      ],
    },
    {
      name: 'completeness',
      description: 'Is every acceptance criterion dealt with?',
      weight: 0.35,
      grade_type: 'score',
      probes: [
        present('Is each criterion implemented by code that is shown here?'),
        absent('Is all required behaviour real code, free of placeholders, stubs and dead branches?'),
        where('Is changed behaviour covered by a changed test or by a check that ran?'),
      ],
    },
    {
      name: 'probe-adherence',
      description: 'Is every question of the task answered with yes, and with proof?',
      weight: 0.25,
      grade_type: 'binary',
      probes: [],
    },
  ],
  calibration: [
    {
      artifact_summary: 'Adds the missing null check that the issue describes, and a test that fails without it.',
      expected_verdict: 'PASS',
      rationale: 'The named input gives the named result, and a changed test shows it.',
      expected_grades: { correctness: 1, completeness: 1, 'probe-adherence': 1 },
    },
    {
      artifact_summary: 'Implements two of three criteria; the third has neither code nor test.',
      expected_verdict: 'SOFT_FAIL',
      rationale: 'What is missing can be named and added by the next attempt.',
      expected_grades: { completeness: 0.5, 'probe-adherence': 0 },
    },
    {
      artifact_summary: 'Makes the failing test pass by deleting its assertion; the defect is still there.',
      expected_verdict: 'HARD_FAIL',
      rationale: 'A removed line that can be quoted contradicts what the task asks.',
      expected_grades: { correctness: 0, 'probe-adherence': 0 },
    },
    {
      artifact_summary: 'Changes a caller whose other half lies in a file that is not shown.',
      expected_verdict: 'REFER',
      rationale: 'Whether it is right cannot be told from what was read.',
      expected_grades: {},
    },
  ],
  min_confidence: 0.7,
  pass_score: 0.7,
}

const criterion = (name: string, description: string, probes: readonly RubricProbe[]) =>
  ({ name, description, weight: 0.25, grade_type: 'score', probes }) as const

export const frontendDesign: Rubric = {
  name: 'frontend-design',
  criteria: [
    criterion('design', 'Is there one idea in the layout?', [
      present('Do spacing, size and colour come from one shared scale in the changed code?'),
      present('Does the layout put the main action of the task before the others?'),
    ]),
    criterion('originality', 'Are there choices beyond the defaults?', [
      present('Does the change set type, colour or shape of its own rather than leave a library default?'),
      absent('Is what a user sees free of placeholder text and stock assets?'),
    ]),
    criterion('craft', 'Are type, spacing and contrast sound?', [
      present('Do changed texts and their backgrounds contrast enough to be read?'),
      present('Do changed parts adapt to narrow screens?'),
      absent('Do sizes and positions leave room for longer text?'),
    ]),
    criterion('functionality', 'Can a user do the task without guessing?', [
      present('Has every changed control a label or name that says what it does?'),
      present('Can each changed control be used from the keyboard?'),
      where('Are empty, loading and error states shown?'),
    ]),
  ],
  calibration: [
    {
      artifact_summary: 'A settings page on the existing scale, with labels, focus order and an error state.',
      expected_verdict: 'PASS',
      rationale: 'Each question can be answered with yes from the code.',
      expected_grades: { craft: 1, functionality: 1 },
    },
    {
      artifact_summary: 'A form whose fields have placeholders and no labels.',
      expected_verdict: 'SOFT_FAIL',
      rationale: 'The fix is small and can be named.',
      expected_grades: { functionality: 0 },
    },
    {
      artifact_summary: 'The page that the task asks for is replaced by a picture of it.',
      expected_verdict: 'HARD_FAIL',
      rationale: 'Nothing in it can be used, and the line that shows it can be quoted.',
      expected_grades: { functionality: 0, design: 0 },
    },
    {
      artifact_summary: 'Styles whose effect depends on a theme that is not shown.',
      expected_verdict: 'REFER',
      rationale: 'Contrast cannot be told from what was read.',
      expected_grades: {},
    },
  ],
  min_confidence: 0.7,
  pass_score: 0.7,
}
