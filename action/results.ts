// `results.json` from what was found, within the limits that its reader keeps: names and texts are cut to them, and when
// all outputs together are too much, each is shortened until the whole fits. Everything is redacted once more.
import type { CheckReport } from '../src/checks/runner/run-check.ts'
import { headAndTail } from '../src/checks/runner/head-and-tail.ts'
import type { Tier1Report } from '../src/checks/tier1/report.ts'
import {
  RESULTS_BYTES_MAX,
  resultsFile,
  type CheckOutcome,
  type ResultsFile,
} from '../src/core/decision/results/results-file.ts'
import { redact } from '../src/core/words/text/redact.ts'
import { runWords } from '../src/core/words/run/run-words.ts'
import type { Runner } from './environment.ts'
import type { Subject } from './event.ts'

export type Found = {
  readonly policy: ResultsFile['policy']
  readonly reports: readonly CheckReport[]
  readonly left_out: readonly string[]
  /** Null where one check ran alone. */
  readonly tier1: Tier1Report | null
  readonly warnings: readonly string[]
  readonly secrets: readonly string[]
}

export const OUTPUT_BYTES_MAX = 64 * 1024
/** What a workflow's `results` may hold: a later step gets it through its environment, which takes 128 KiB. */
const RESULTS_OUTPUT_BYTES_MAX = 96 * 1024
const LIST_MAX = 10_000
const TIER1_BYTES_MAX = 3 * 1024 * 1024
const WARNINGS_MAX = 1_000

export function resultsOf({ repository, run }: Runner, subject: Subject, found: Found): ResultsFile {
  const { event, pull, head_sha, base_ref } = subject
  const clean = (text: string, max: number): string => redact(text, found.secrets).slice(0, max)
  const whole: ResultsFile = {
    schema: 'countersign-results/1',
    repository,
    event,
    pull,
    head_sha,
    base_ref,
    run,
    policy: found.policy,
    checks: found.reports.map(({ result }) => result),
    left_out: [...found.left_out],
    tier1: found.tier1 === null ? null : tier1Of(found.tier1, clean),
    warnings: found.warnings.slice(0, WARNINGS_MAX).map((warning) => clean(warning, 2_000)),
    screenshots: [],
  }
  return resultsFile.parse(fitted(whole))
}

function tier1Of(report: Tier1Report, clean: (text: string, max: number) => string): ResultsFile['tier1'] {
  const { passed, checks, findings, feedback } = report
  const all = checks.map(({ name, passed, detail }) => {
    return { name: clean(name, 500), passed, detail: detail === null ? null : clean(detail, 4_000) }
  })
  return {
    passed,
    checks: withinLimits(all),
    findings: findings.slice(0, LIST_MAX).map(({ path, line, severity, category, message }) => {
      return { path: path.slice(0, 4_096), line, severity, category, message: clean(message, 4_000) }
    }),
    feedback: feedback === null ? null : clean(feedback, 20_000),
  }
}

/** Where there are too many, the failed ones are those that count. */
function withinLimits<T extends { readonly passed: boolean }>(checks: readonly T[]): T[] {
  if (checks.length <= LIST_MAX && bytesOf(checks) <= TIER1_BYTES_MAX) return [...checks]
  let left = TIER1_BYTES_MAX
  return checks
    .toSorted((one, other) => Number(one.passed) - Number(other.passed))
    .slice(0, LIST_MAX)
    .filter((check) => {
      left -= bytesOf(check) + 1
      return left >= 0
    })
}

function fitted(results: ResultsFile): ResultsFile {
  const room = RESULTS_BYTES_MAX - 64 * 1024
  let { checks } = results
  for (let bytes = OUTPUT_BYTES_MAX / 2; bytesOf({ ...results, checks }) > room && bytes > 256; bytes /= 2) {
    checks = shortened(results.checks, bytes)
  }
  const isSame = checks === results.checks
  return isSame
    ? results
    : { ...results, checks, warnings: [...results.warnings, runWords.outputsShortened].slice(-WARNINGS_MAX) }
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

function shortened(checks: readonly CheckOutcome[], bytes: number): CheckOutcome[] {
  return checks.map((check) => {
    const output = headAndTail(bytes)
    output.add(check.output)
    return { ...check, output: output.text(), truncated_bytes: check.truncated_bytes + output.omittedBytes() }
  })
}

/** The results as a workflow's output: exactly the six fields of a check's result. */
export function resultsOutput({ checks }: ResultsFile): string {
  const text = (some: readonly CheckOutcome[]): string =>
    JSON.stringify(
      some.map(({ name, passed, exit_code, output, duration_ms, required }) => {
        return { name, passed, exit_code, output, duration_ms, required }
      }),
    )
  let all = text(checks)
  for (let bytes = OUTPUT_BYTES_MAX; Buffer.byteLength(all) > RESULTS_OUTPUT_BYTES_MAX && bytes > 16; bytes /= 2) {
    all = text(shortened(checks, bytes))
  }
  return all
}
