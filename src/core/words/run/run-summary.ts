// The page that a run of the Action leaves behind: what failed first, then everything in one table, then what the failed
// ones printed, folded. What programs printed stands in fences that it cannot leave.
import type { CheckOutcome, ResultsFile } from '../../decision/results/results-file.ts'
import { lastLines, linesOf } from '../text/excerpt.ts'
import { neutralLine } from '../text/neutral.ts'
import { endingWords, verdictWords } from './run-words.ts'
import { cell, codeSpan, fenced, htmlCode } from '../text/untrusted.ts'

export type Summarised = Pick<ResultsFile, 'checks' | 'left_out' | 'tier1' | 'warnings' | 'head_sha'> & {
  readonly passed: boolean
  readonly mode: 'enforce' | 'shadow'
}

const OUTPUT_LINES_MAX = 200
const OUTPUTS_MAX = 20
/** Of all outputs; GitHub takes a page of 1 MiB, and up to three bytes for a character. */
const OUTPUTS_LENGTH_MAX = 240_000
const FINDINGS_MAX = 30
const FAILURES_MAX = 50
const WARNINGS_MAX = 30

export function runSummary(run: Summarised): string {
  const { checks, tier1, warnings, passed, mode } = run
  const words = verdictWords(checks, tier1 === null ? null : tier1.passed)
  const sign = passed ? '✅' : mode === 'shadow' ? '⚠️' : '❌'
  return [
    `### ${sign} Countersign: ${words}`,
    mode === 'shadow' && !passed ? 'The policy says `mode: shadow`, so this stops nothing.' : '',
    table(run),
    tier1Failures(tier1),
    ...outputs(checks.filter((check) => !check.passed)),
    findings(tier1),
    list('Worth knowing', warnings, WARNINGS_MAX),
    `<sub>Judged: ${run.head_sha.slice(0, 7)}. The whole logs are in the artifact of this run.</sub>`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function table({ checks, left_out, tier1 }: Summarised): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [
    '| | check | | time |',
    '|---|---|---|---|',
    ...(tier1 === null ? [] : [row([tier1.passed ? '✅' : '❌', 'built-in checks', countWords(tier1.checks), ''])]),
    ...checks.map((check) => row([signOf(check), nameCell(check), endingWords(check), timeWords(check.duration_ms)])),
    ...left_out.map((name) => row(['⏭️', codeSpan(name), 'left out: none of its paths changed', ''])),
  ].join('\n')
}

function countWords(checks: readonly { readonly passed: boolean }[]): string {
  const failed = checks.filter(({ passed }) => !passed).length
  const all = `${checks.length} built-in ${checks.length === 1 ? 'check' : 'checks'}`
  return failed === 0 ? `${all} passed` : `${failed} of ${all} failed`
}

const nameCell = ({ name, required }: CheckOutcome): string => `${codeSpan(name)}${required ? '' : ' (informs only)'}`

function signOf({ passed, required, exit_code }: CheckOutcome): string {
  if (passed) return '✅'
  if (exit_code < 0) return '⏹️'
  return required ? '❌' : '⚠️'
}

export function timeWords(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/** As many as there is room for, in the order of the policy. */
function outputs(failed: readonly CheckOutcome[]): string[] {
  const all = failed.slice(0, OUTPUTS_MAX).map(folded)
  let left = OUTPUTS_LENGTH_MAX
  return all.filter((text) => {
    left -= text.length
    return left >= 0
  })
}

/** The end of what a check printed, which is where it says why. */
function folded(check: CheckOutcome): string {
  const { text } = lastLines(linesOf(check.output), OUTPUT_LINES_MAX)
  if (text === '') return ''
  const head = `Output of ${htmlCode(check.name)}, which ${endingWords(check)}`
  return `<details><summary>${head}</summary>\n\n${fenced(text, 'text')}\n\n</details>`
}

function tier1Failures(tier1: ResultsFile['tier1']): string {
  const failed = (tier1?.checks ?? []).filter(({ passed }) => !passed)
  return list(
    'Built-in checks that failed',
    failed.map(({ name, detail }) => detail ?? name),
    FAILURES_MAX,
  )
}

function findings(tier1: ResultsFile['tier1']): string {
  const lines = (tier1?.findings ?? []).map(({ path, line, severity, message }) => {
    return `${severity}: ${path} line ${line}: ${message}`
  })
  return list('Worth a look', lines, FINDINGS_MAX)
}

function list(title: string, lines: readonly string[], max: number): string {
  if (lines.length === 0) return ''
  const shown = lines.slice(0, max).map((line) => `- ${neutralLine(line)}`)
  return [`#### ${title}`, '', ...shown, ...(lines.length > max ? [`- and ${lines.length - max} more`] : [])].join('\n')
}
