// The document of an attempt as one run of the Action knows it, without the App: what was checked and what came of it.
// Whatever only the App knows, such as the decision, earlier attempts and what people said, is null or empty.
import type { JudgedDiff } from '../../decision/model.ts'
import type { CheckOutcome, ResultsFile } from '../../decision/results/results-file.ts'
import { problemsIn } from '../../problems/lines.ts'
import { doNot } from './attempt-document.ts'
import { withinBytes } from './attempt-json.ts'
import { ATTEMPT_SCHEMA, type AttemptDocument } from './attempt-schema.ts'
import { PROBLEMS_OUTPUT_MAX, shownProblem } from './document-checks.ts'
import { cutter, type Cutter, type DocumentLimits } from './document-limits.ts'
import { firstLines, lastLines, linesOf, linesOfDiff } from '../text/excerpt.ts'
import { DIFF_LINES_MAX } from '../retry/retry-context.ts'
import { timeoutExitCode } from '../retry/retry-material.ts'
import { runWords, verdictWords } from '../run/run-words.ts'

const OUTPUT_LINES_MAX = 50

export type RunFacts = {
  readonly passed: boolean
  readonly mode: 'enforce' | 'shadow'
  readonly diff: JudgedDiff
  /** Where the checks ran, as an absolute path. */
  readonly root: string
}

export const runDocument = (results: ResultsFile, facts: RunFacts): string =>
  withinBytes((limits) => documentOf(results, facts, limits))

function documentOf(results: ResultsFile, facts: RunFacts, limits: DocumentLimits): AttemptDocument {
  const cut = cutter(limits)
  const { repository, pull, head_sha, base_ref, tier1 } = results
  const { passed, mode, diff } = facts
  const failures = (tier1?.checks ?? []).filter((one) => !one.passed)
  const words = verdictWords(results.checks, tier1 === null ? null : tier1.passed)
  const change = firstLines(linesOfDiff(diff.text), DIFF_LINES_MAX, diff.omitted_lines).text
  const document: Omit<AttemptDocument, 'truncated'> = {
    schema: ATTEMPT_SCHEMA,
    source: 'action',
    repository,
    pull,
    task: null,
    task_status: null,
    head_sha,
    base_ref,
    status: null,
    row: null,
    decided_by: null,
    enforced: mode === 'enforce',
    live: null,
    headline: cut.text('headline', passed ? runWords.passed(words) : runWords.failed(words)),
    reasons: [],
    warnings: cut.list('warnings', results.warnings, (warning) => ({
      code: 'run',
      subject: null,
      text: cut.text('warnings', warning),
    })),
    attempt: null,
    next: 'unknown',
    may_push: { allowed: null, why: 'one run does not decide: the App does, where there is one' },
    waiting_for: { from: null, what: [] },
    unblock: [],
    do_not: doNot,
    failed: cut.list('failed', failedOf(results), (one) => cut.text('failed', one)),
    checks: checksOf(cut, results, facts),
    tier1:
      tier1 === null
        ? null
        : {
            state: tier1.passed ? 'passed' : 'failed',
            failures: cut.list('tier1', failures, ({ name, detail }) => ({
              name: cut.text('tier1', name),
              detail: cut.text('tier1', detail ?? ''),
            })),
            findings: cut.list('tier1', tier1.findings, ({ path, line, severity, message }) => ({
              path: cut.text('tier1', path),
              line,
              severity,
              message: cut.text('tier1', message),
            })),
            unseen: [],
          },
    scope: null,
    verifier: null,
    gates: [],
    stages: null,
    people: null,
    history: null,
    change: passed ? '' : cut.longText('change', change),
    budget: null,
  }
  return { ...document, truncated: cut.cuts([]) }
}

const failedOf = ({ checks, tier1 }: ResultsFile): string[] => [
  ...(tier1?.checks ?? []).flatMap(({ name, passed }) => (passed ? [] : [`tier1:${name}`])),
  ...checks.flatMap(({ name, passed, required }) => (passed || !required ? [] : [`check:${name}`])),
]

function checksOf(cut: Cutter, results: ResultsFile, { root }: RunFacts): AttemptDocument['checks'] {
  const link = `/${results.repository}/actions/runs/${results.run.id}`
  const ran = results.checks.map((check): AttemptDocument['checks'][number] => {
    const output = check.passed ? '' : lastLines(linesOf(check.output), OUTPUT_LINES_MAX).text
    const problems = check.passed ? [] : problemsIn(check.output.slice(-PROBLEMS_OUTPUT_MAX), { root, directory: '.' })
    return {
      name: cut.text('checks', check.name),
      state: stateOf(check),
      required: check.required,
      exit_code: check.exit_code,
      problems: cut.list('checks', problems, (one) => shownProblem(cut, one)),
      output: cut.longText('checks', output),
      link,
    }
  })
  const leftOut = results.left_out.map((name): AttemptDocument['checks'][number] => {
    const state = 'left_out'
    return { name: cut.text('checks', name), state, required: false, exit_code: null, problems: [], output: '', link }
  })
  const failedFirst = ran.toSorted((one, other) => Number(one.state === 'passed') - Number(other.state === 'passed'))
  return cut.list('checks', [...failedFirst, ...leftOut], (one) => one)
}

const stateOf = ({ passed, exit_code }: CheckOutcome): 'passed' | 'failed' | 'timed_out' =>
  passed ? 'passed' : exit_code === timeoutExitCode ? 'timed_out' : 'failed'
