// The small shapes that the policy and a task's block are made of: durations, lists, checks. Every key carries the words
// that editors show for it.
import { z } from 'zod'
import { permissions } from '../../people/permission.ts'

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const
const durationPattern = /^(\d{1,6})(s|m|h|d)$/

/** Seconds. A number is seconds, a string carries its unit: `90`, `10m`, `2h`, `7d`. */
export const duration = z
  .union([
    z.number().positive().max(31_536_000),
    z
      .string()
      .regex(durationPattern, {
        abort: true,
        message: 'must be a number of seconds or a number with a unit, such as 90, 10m, 2h or 7d',
      })
      .refine((text) => seconds(text) > 0 && seconds(text) <= 31_536_000, 'must be more than zero and at most a year'),
  ])
  .transform((value) => (typeof value === 'number' ? value : seconds(value)))

function seconds(text: string): number {
  const [, digits = '0', unit = 's'] = durationPattern.exec(text) ?? []
  return Number(digits) * unitSeconds[unit === 'm' || unit === 'h' || unit === 'd' ? unit : 's']
}

/** A mapping that knows all of its keys. Left out, it stands with the defaults of its keys. */
export const section = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape)
export const count = (max: number) => z.number().int().min(1).max(max)
export const flag = (value: boolean, words: string) => z.boolean().default(value).describe(words)
export const globs = z.array(z.string().min(1).max(500)).max(500)
export const names = z.array(z.string().min(1).max(200)).max(200)
export const share = z.number().min(0).max(1)
export const permission = z.enum(permissions)

type CheckNaming = {
  readonly name?: string | undefined
  readonly command?: string | undefined
  readonly check_run?: string | undefined
  readonly status?: string | undefined
}
export const CHECK_NAME_LENGTH_MAX = 100

/** A check without a name is called after what it runs or adopts. */
export function checkName({ name, command, check_run, status }: CheckNaming): string {
  return name ?? (command ?? check_run ?? status ?? '').slice(0, CHECK_NAME_LENGTH_MAX)
}

/** Where the result of a check comes from. */
export const sourceKeys = ['command', 'check_run', 'status'] as const

/** Keys of a check that mean something for one source only. */
export const keysOfSource = {
  timeout: 'command',
  working_dir: 'command',
  env: 'command',
  report: 'command',
  app: 'check_run',
  workflow: 'check_run',
  accept: 'check_run',
} as const satisfies Readonly<Record<string, (typeof sourceKeys)[number]>>

const commandText = z.string().min(1).max(10_000)

const checkObject = section({
  name: z
    .string()
    .min(1)
    .max(CHECK_NAME_LENGTH_MAX)
    .optional()
    .describe('Name of the check, unique in this list. Defaults to the command or the adopted name.'),
  command: commandText.optional().describe('Shell command; exit code 0 passes, all else fails.'),
  required: flag(true, 'A required check gates the merge, any other only informs.'),
  timeout: duration.default(600).describe('Time limit of the command: seconds, or text such as 10m.'),
  paths: globs.optional().describe('Run only when one of these paths changed.'),
  working_dir: z.string().max(500).optional().describe('Directory in which the command runs; the root by default.'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables for the command.'),
  report: section({
    junit: z.string().optional().describe('Path of a JUnit XML report.'),
    sarif: z.string().optional().describe('Path of a SARIF report.'),
  })
    .optional()
    .describe('Report files that the command writes, turned into annotations.'),
  check_run: z.string().min(1).max(200).optional().describe('Adopt this check run of existing CI.'),
  status: z.string().min(1).max(200).optional().describe('Adopt this commit status of existing CI.'),
  app: z.string().optional().describe('The app that must have reported the adopted check run, such as github-actions.'),
  workflow: z.string().optional().describe('The workflow file that must have produced the adopted check run.'),
  accept: z
    .array(z.enum(['success', 'neutral', 'skipped']))
    .min(1)
    .default(['success'])
    .describe('Conclusions of the adopted check run that count as passed.'),
})

/** A bare string is a required command that is named after itself. */
const check = z
  .union([commandText, checkObject])
  .transform((value) => (typeof value === 'string' ? checkObject.parse({ command: value }) : value))
  .transform((parsed) => ({ ...parsed, name: checkName(parsed) }))

export const CHECKS_MAX = 200
/** What spans several checks, such as unique names, is in `policy-rules.ts`. */
export const checks = z.array(check).max(CHECKS_MAX)
