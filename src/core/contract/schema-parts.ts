// The small shapes that the policy schema is made of. Every key is described here once; editors show the same words.
import { z } from 'zod'
import { permissions } from '../people/permission.ts'

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const
const durationPattern = /^(\d{1,6})(s|m|h|d)$/

/** Seconds. A number is seconds, a string carries its unit: `90`, `10m`, `2h`, `7d`. */
export const duration = z
  .union([
    z.number().positive().max(31_536_000),
    z.string().regex(durationPattern, 'write a number of seconds or a number with a unit, such as 90, 10m, 2h or 7d'),
  ])
  .transform((value) => {
    if (typeof value === 'number') return value
    const [, digits = '0', unit = 's'] = durationPattern.exec(value) ?? []
    return Number(digits) * unitSeconds[unit === 'm' || unit === 'h' || unit === 'd' ? unit : 's']
  })

export const globs = z.array(z.string().min(1).max(500)).max(500)
export const names = z.array(z.string().min(1).max(200)).max(200)
export const share = z.number().min(0).max(1)
export const permission = z.enum(permissions)
const checkName = z.string().min(1).max(100)

const checkObject = z
  .strictObject({
    name: checkName
      .optional()
      .describe('Name of the check, unique in this list. Defaults to the command or adopted name.'),
    command: z.string().min(1).max(10_000).optional().describe('Shell command; exit code 0 passes, all else fails.'),
    required: z.boolean().default(true).describe('A required check gates the merge, any other only informs.'),
    timeout: duration.default(600).describe('Time limit: seconds, or text such as 10m.'),
    paths: globs.optional().describe('Run only when one of these paths changed.'),
    working_dir: z.string().max(500).optional().describe('Directory in which the command runs; the root by default.'),
    env: z.record(z.string(), z.string()).optional().describe('Environment variables for the command.'),
    report: z
      .strictObject({ junit: z.string().optional(), sarif: z.string().optional() })
      .optional()
      .describe('Report files that the command writes, turned into annotations.'),
    check_run: z.string().min(1).max(200).optional().describe('Adopt this check run of existing CI.'),
    status: z.string().min(1).max(200).optional().describe('Adopt this commit status of existing CI.'),
    app: z.string().optional().describe('The app that must have reported the adopted check, such as github-actions.'),
    workflow: z.string().optional().describe('The workflow file that must have produced the adopted check.'),
    accept: z
      .array(z.enum(['success', 'neutral', 'skipped']))
      .min(1)
      .default(['success'])
      .describe('Conclusions of the adopted check that count as passed.'),
  })
  .superRefine((check, context) => {
    const sources = [check.command, check.check_run, check.status].filter((source) => source !== undefined)
    if (sources.length !== 1) {
      context.addIssue({
        code: 'custom',
        message:
          sources.length === 0
            ? 'a check needs one of command, check_run or status'
            : 'a check has one source: keep one of command, check_run and status',
      })
    }
  })

/** A bare string is a required command that is named after itself. */
export const check = z
  .union([z.string().min(1).max(10_000), checkObject])
  .transform((value) => (typeof value === 'string' ? checkObject.parse({ command: value }) : value))
  .transform((parsed) => ({
    ...parsed,
    name: parsed.name ?? (parsed.command ?? parsed.check_run ?? parsed.status ?? '').slice(0, 100),
  }))

export const checks = z
  .array(check)
  .max(200)
  .superRefine((list, context) => {
    const seen = new Set<string>(['tier1'])
    for (const [index, { name }] of list.entries()) {
      if (seen.has(name)) {
        const message =
          name === 'tier1' ? '`tier1` is the name of the built-in checks' : `two checks are named \`${name}\``
        context.addIssue({ code: 'custom', message, path: [index] })
      }
      seen.add(name)
    }
  })

const gradeType = z.enum(['binary', 'ternary', 'score'])
const verdictOutcome = z.enum(['PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER'])

export const rubric = z
  .strictObject({
    criteria: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(100),
          description: z.string().min(1).max(2000),
          weight: share,
          grade_type: gradeType,
          probes: z.array(z.string().min(1).max(240)).max(20).optional(),
        }),
      )
      .min(1)
      .max(20),
    calibration: z.array(
      z.strictObject({
        artifact_summary: z.string().min(1),
        expected_verdict: verdictOutcome,
        rationale: z.string().min(1),
        expected_grades: z.record(z.string(), share).optional(),
      }),
    ),
    min_confidence: share.default(0.7),
    pass_score: share.default(0.7),
  })
  .superRefine((value, context) => {
    const names = value.criteria.map((criterion) => criterion.name)
    const total = value.criteria.reduce((sum, criterion) => sum + criterion.weight, 0)
    const complain = (message: string, path: (string | number)[]) => context.addIssue({ code: 'custom', message, path })
    if (Math.abs(total - 1) > 1e-6) complain(`weights add up to ${Number(total.toFixed(6))}, not to 1`, ['criteria'])
    if (new Set(names).size < names.length) complain('two criteria have the same name', ['criteria'])
    for (const outcome of verdictOutcome.options) {
      if (!value.calibration.some((example) => example.expected_verdict === outcome)) {
        complain(`no calibration example expects ${outcome}; each verdict needs one`, ['calibration'])
      }
    }
    for (const [index, example] of value.calibration.entries()) {
      for (const [name, grade] of Object.entries(example.expected_grades ?? {})) {
        const type = value.criteria.find((criterion) => criterion.name === name)?.grade_type
        const path = ['calibration', index, 'expected_grades', name]
        if (type === undefined) complain(`\`${name}\` is not a criterion of this rubric`, path)
        else if (type === 'binary' && ![0, 1].includes(grade)) complain('a binary grade is 0 or 1', path)
        else if (type === 'ternary' && ![0, 0.5, 1].includes(grade)) complain('a ternary grade is 0, 0.5 or 1', path)
      }
    }
  })
