// The retry context of one run, for workflows that hand it to an agent without the App: the same words as the App's, but
// without what only the App knows, such as earlier attempts and what people said.
import type { JudgedDiff } from '../../decision/model.ts'
import type { ResultsFile } from '../../decision/results/results-file.ts'
import { allRequiredPassed } from '../../decision/gate/run-verdict.ts'
import { firstLines, lastLines, linesOf, linesOfDiff } from '../text/excerpt.ts'
import { CONTEXT_TOKENS_MAX, contextTokens, DIFF_LINES_MAX, renderRetryContext } from '../retry/retry-context.ts'
import type { RetryContext } from '../retry/retry-material.ts'

const OUTPUT_LINES_MAX = 50
const FAILURES_MAX = 50

/** Empty when there is nothing to repair. */
export function runRetryContext({ checks, tier1, repository, pull }: ResultsFile, diff: JudgedDiff): string {
  const failures = (tier1?.checks ?? []).filter(({ passed }) => !passed)
  if (failures.length === 0 && allRequiredPassed(checks)) return ''
  const task_id = pull === null ? repository : `${repository}#${pull}`
  const withLines = (lines: number, diffLines: number): RetryContext => {
    const change = firstLines(linesOfDiff(diff.text), diffLines, diff.omitted_lines)
    return {
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
      prior_diff: change.text,
      prior_attempts: [],
      patterns: [],
      truncated: [...(lines < OUTPUT_LINES_MAX ? ['check_results'] : []), ...(change.isCut ? ['prior_diff'] : [])],
    }
  }
  let lines = OUTPUT_LINES_MAX
  let diffLines = DIFF_LINES_MAX
  let context = withLines(lines, diffLines)
  // What the change does, whoever made it can see; what a check printed, nobody can.
  while (lines > 0 && contextTokens(context) > CONTEXT_TOKENS_MAX) {
    if (diffLines > 0) diffLines = Math.floor(diffLines / 2)
    else lines = Math.floor(lines / 2)
    context = withLines(lines, diffLines)
  }
  return renderRetryContext(context)
}
