// `results.json`: what one run of the Action hands over. It says which commit, run and policy it is about, so that the
// App can hold each of these against what GitHub says. Whoever reads it treats it as hostile: the code under test ran
// beside whoever wrote it. Additions that a reader does not know are ignored.
import { createHash } from 'node:crypto'
import { z } from 'zod'

export const RESULTS_ARTIFACT = 'countersign-results'
const NAME_SHOWN_MAX = 40
/** Of a job that ran one check alone. The name of a check may be anything, and two may differ in what no artifact's can hold. */
export function artifactOfCheck(check: string): string {
  const plain = check.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, NAME_SHOWN_MAX)
  return `${RESULTS_ARTIFACT}-${plain}-${createHash('sha256').update(check).digest('hex').slice(0, 16)}`
}
export const RESULTS_FILE = 'results.json'
export const RESULTS_BYTES_MAX = 8 * 1024 * 1024
export const ARTIFACT_BYTES_MAX = 64 * 1024 * 1024
export const ARTIFACT_ENTRIES_MAX = 2_000

const text = (max: number) => z.string().max(max)
const sha = z.string().regex(/^[0-9a-f]{40}$/)
const wholeNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const path = text(4_096)

export const checkErrors = ['VERIFICATION_CHECK_FAILED', 'VERIFICATION_TIMEOUT'] as const

const checkResult = z.object({
  name: text(100),
  passed: z.boolean(),
  exit_code: z.number().int().min(-1).max(65_535),
  output: text(80_000),
  duration_ms: wholeNumber,
  required: z.boolean(),
  source: z.literal('command'),
  /** What was run, so that it can be held against what should have been. */
  command: text(10_000),
  error_code: z.enum(checkErrors).nullable(),
  started_at: text(40),
  truncated_bytes: wholeNumber,
  /** Where in the artifact the log is. */
  log: path.nullable(),
})

const tier1 = z.object({
  passed: z.boolean(),
  checks: z.array(z.object({ name: text(500), passed: z.boolean(), detail: text(4_000).nullable() })).max(10_000),
  findings: z
    .array(
      z.object({
        path,
        line: wholeNumber,
        severity: z.enum(['HIGH', 'MEDIUM', 'LOW', 'INFO']),
        category: text(100),
        message: text(4_000),
      }),
    )
    .max(10_000),
  feedback: text(20_000).nullable(),
})

export const SCREENSHOTS_MAX = 100
const screenshot = z.object({
  /** What it shows, by the name of its file. */
  page: text(200),
  /** Where in the artifact it is. */
  path,
  bytes: wholeNumber,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  media_type: text(100),
  /** Where what differs from an earlier picture of it is drawn, and from which one. For people: nothing follows from it. */
  difference: z
    .object({ path: z.string().regex(/^difference\/[\w/-]{1,300}\.png$/), before: z.string().regex(/^[0-9a-f]{64}$/) })
    .optional(),
})
export type Screenshot = z.output<typeof screenshot>

export const resultsFile = z.object({
  schema: z.literal('countersign-results/1'),
  repository: text(200),
  event: z.enum(['pull_request', 'merge_group']),
  /** Null for a merge group. */
  pull: wholeNumber.nullable(),
  head_sha: sha,
  base_ref: text(500),
  run: z.object({ id: wholeNumber, attempt: wholeNumber, workflow: path }),
  policy: z.object({
    hash: text(100),
    /** Whether the organisation's default could be seen: a private one is hidden from the Action. */
    organisation: z.enum(['none', 'read', 'unseen']),
  }),
  checks: z.array(checkResult).max(1_000),
  /** Checks that their own `paths` leave out. */
  left_out: z.array(text(100)).max(1_000),
  /** Null where a job ran one check alone. */
  tier1: tier1.nullable(),
  /** What people should know about the run, such as files that a check changed in the checkout. */
  warnings: z.array(text(2_000)).max(1_000),
  screenshots: z.array(screenshot).max(SCREENSHOTS_MAX).default([]),
})

export type ResultsFile = z.output<typeof resultsFile>
export type CheckOutcome = ResultsFile['checks'][number]
