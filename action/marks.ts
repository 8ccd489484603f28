// Annotations: the few places that GitHub shows beside the files of a change, the worst first. A step may leave ten
// errors and ten warnings; the rest is on the summary page and in the results.
// https://docs.github.com/en/rest/checks/runs#limitations
import { error, warning } from '@actions/core'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { problemsIn } from '../src/core/problems/lines.ts'
import type { Folders, Problem } from '../src/core/problems/problem.ts'
import { reportProblems } from '../src/checks/problems/report-files.ts'
import type { CommandRule } from '../src/checks/runner/plan.ts'
import type { CheckReport } from '../src/checks/runner/run-check.ts'
import type { Tier1Report } from '../src/checks/tier1/report.ts'
import type { PolicyProblem } from '../src/core/contract/problem.ts'
import { policyFile } from '../src/core/contract/scope.ts'
import { redact } from '../src/core/words/text/redact.ts'
import { endingWords } from '../src/core/words/run/run-words.ts'

export type Mark = {
  readonly level: 'error' | 'warning'
  readonly title: string
  readonly message: string
  readonly path: string | null
  readonly line: number
  readonly column: number | null
}

const MARKS_MAX = 10
const MESSAGE_LENGTH_MAX = 4_000

/** In the order given, as many of each level as GitHub takes. */
export function showMarks(marks: readonly Mark[], secrets: readonly string[]): void {
  for (const level of ['error', 'warning'] as const) {
    for (const mark of marks.filter((one) => one.level === level).slice(0, MARKS_MAX)) {
      const { path, line, column, title } = mark
      const place =
        path === null ? {} : { file: path, startLine: line, ...(column === null ? {} : { startColumn: column }) }
      const message = redact(mark.message, secrets).slice(0, MESSAGE_LENGTH_MAX)
      if (level === 'error') error(message, { title, ...place })
      else warning(message, { title, ...place })
    }
  }
}

/** About no place in the files. */
const unplaced = (level: Mark['level'], title: string, message: string): Mark => {
  return { level, title, message, path: null, line: 1, column: null }
}

export const warningMark = (message: string): Mark => unplaced('warning', 'Countersign', message)

/** Errors before warnings; each keeps its place among its own. */
export const gravestFirst = (marks: readonly Mark[]): Mark[] =>
  marks.toSorted((one, other) => Number(one.level === 'warning') - Number(other.level === 'warning'))

export function policyMarks(problems: readonly PolicyProblem[]): Mark[] {
  return problems.map(({ file, line, column, message }) => ({
    level: 'error',
    title: 'Countersign: the policy on the base branch',
    message: `${file}:${line}:${column} ${message}`,
    path: file === policyFile ? file : null,
    line,
    column,
  }))
}

/** No file of the change holds them: a block stands in the text of an issue or a pull request. */
export function blockMarks(problems: readonly PolicyProblem[]): Mark[] {
  return problems.map(({ file, line, message }) =>
    unplaced('error', 'Countersign: the block of the task', `${file}:${line} ${message}`),
  )
}

/** Failures first, then what is only worth a look. */
export function tier1Marks({ annotations, checks }: Tier1Report): Mark[] {
  const told = new Set(annotations.map(({ message }) => message))
  const placed = annotations
    .filter(({ level }) => level !== 'notice')
    .map(({ path, line, level, message }): Mark => {
      const title = 'Countersign: tier 1'
      return { level: level === 'failure' ? 'error' : 'warning', title, message, path, line, column: null }
    })
  const others = checks
    .filter(({ passed, detail }) => !passed && !told.has(detail ?? ''))
    .map(({ name, detail }) => unplaced('error', `Countersign: ${name}`, detail ?? name))
  return gravestFirst([...placed, ...others])
}

export type CheckMarks = { readonly marks: readonly Mark[]; readonly warnings: readonly string[] }

/** Where a check says that something is wrong: in what it printed, if it failed, and in the reports that it wrote. */
export async function checkMarks(check: CommandRule, { result, log }: CheckReport, root: string): Promise<CheckMarks> {
  const folders: Folders = { root, directory: check.working_dir ?? '.' }
  const report =
    result.exit_code < 0 ? { problems: [], warnings: [] } : await reportProblems(check, folders, result.started_at)
  const printed = result.passed ? [] : problemsIn(log, folders)
  const found = await inCheckout([...report.problems, ...printed], root)
  const isGrave = !result.passed && check.required
  const title = `Countersign: ${check.name}`
  const marks = gravestFirst(
    found.map((problem): Mark => ({ ...problem, level: isGrave ? problem.level : 'warning', title })),
  )
  if (result.passed || marks.some(({ level }) => level === 'error')) return { marks, warnings: report.warnings }
  const whole = unplaced(isGrave ? 'error' : 'warning', title, `\`${check.name}\` ${endingWords(result)}.`)
  return { marks: [whole, ...marks], warnings: report.warnings }
}

/** Much of what looks like a place is none. */
async function inCheckout(problems: readonly Problem[], root: string): Promise<Problem[]> {
  const known = await Promise.all(
    problems.map(async ({ path }) => {
      try {
        return (await lstat(join(root, path))).isFile()
      } catch {
        return false
      }
    }),
  )
  return problems.filter((_, index) => known[index] === true)
}
