// The retry context of one run, for workflows that hand it to an agent without the App: the same words as the App's, but
// without what only the App knows, such as earlier attempts and what people said.
import type { ResultsFile } from '../decision/results/results-file.ts'
import { allRequiredPassed } from '../decision/gate/run-verdict.ts'
import { lastLines, linesOf } from './excerpt.ts'
import { CONTEXT_TOKENS_MAX, contextTokens, renderRetryContext } from './retry-context.ts'
import type { RetryContext } from './retry-material.ts'

const OUTPUT_LINES_MAX = 50
const FAILURES_MAX = 50

/** Empty when there is nothing to repair. */
export function runRetryContext({ checks, tier1, repository, pull }: ResultsFile): string {
  const failures = (tier1?.checks ?? []).filter(({ passed }) => !passed)
  if (failures.length === 0 && allRequiredPassed(checks)) return ''
  const task_id = pull === null ? repository : `${repository}#${pull}`
  const withLines = (lines: number): RetryContext => ({
    attempt_number: 1,
    next: 'unknown',
    max_attempts: 1,
    limited: false,
    task_id,
    check_results: checks.map(({ name, passed, exit_code, output, duration_ms, required }) => {
      const text = passed || lines === 0 ? '' : lastLines(linesOf(output), lines).text
      return { name, passed, exit_code, output: text, duration_ms, required }
    }),
    tier1_failures: failures.slice(0, Math.min(FAILURES_MAX, lines)),
    scope: null,
    rejections: [],
    gate_blocks: [],
    specific_failures: [],
    verifier_outcome: null,
    verifier_feedback: null,
    prior_diff: '',
    prior_attempts: [],
    patterns: [],
    truncated: lines < OUTPUT_LINES_MAX ? ['check_results'] : [],
  })
  let lines = OUTPUT_LINES_MAX
  while (lines > 0 && contextTokens(withLines(lines)) > CONTEXT_TOKENS_MAX) lines = Math.floor(lines / 2)
  return renderRetryContext(withLines(lines))
}
