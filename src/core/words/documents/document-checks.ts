// What the machines found, in the document of an attempt: each check with the end of what it printed, the places that this
// names and where GitHub shows it, and the built-in checks.
import { isRunning, rulesThatApply } from '../../decision/gate/facts.ts'
import type { Attempt, CheckRecord, TaskState } from '../../decision/model.ts'
import { problemsIn } from '../../problems/lines.ts'
import type { Problem } from '../../problems/problem.ts'
import type { AttemptDocument } from './attempt-schema.ts'
import type { Cutter } from './document-limits.ts'
import type { RetryContext } from '../retry/retry-material.ts'
import { isRequired, orderedChecks } from '../retry/retry-patterns.ts'
import { repositoryIn } from '../../names.ts'

export const PROBLEMS_OUTPUT_MAX = 8_000

export function checksOf(
  cut: Cutter,
  task: TaskState,
  attempt: Attempt,
  context: RetryContext,
): AttemptDocument['checks'] {
  const silent = rulesThatApply(attempt).filter(({ name }) => attempt.checks[name] === undefined)
  const shown = new Map(context.check_results.map((one) => [one.name, one]))
  const known = orderedChecks(attempt).map((record): AttemptDocument['checks'][number] => {
    const { name, state } = record
    const isOver = !isRunning(record)
    const { exit_code = null, output = '' } = shown.get(name) ?? {}
    return {
      name: cut.text('checks', name),
      state,
      required: isRequired(attempt, name),
      exit_code: isOver && state !== 'left_out' && state !== 'missing' ? exit_code : null,
      problems: output === '' ? [] : cut.list('checks', problemsOf(task, record), (one) => shownProblem(cut, one)),
      output: cut.longText('checks', output),
      link: linkOf(task, attempt, record),
    }
  })
  const waiting = silent.map(({ name, required }): AttemptDocument['checks'][number] => {
    const state = 'waiting'
    return { name: cut.text('checks', name), state, required, exit_code: null, problems: [], output: '', link: null }
  })
  // What failed goes first, so that it is what stays where there is no room for all.
  const rank = ({ state }: { readonly state: string }): number => (state === 'passed' || state === 'left_out' ? 1 : 0)
  return cut.list(
    'checks',
    [...known, ...waiting].toSorted((one, other) => rank(one) - rank(other)),
    (one) => one,
  )
}

export const shownProblem = (cut: Cutter, { path, line, level, message }: Problem) => ({
  path,
  line,
  level,
  message: cut.text('checks', message),
})

const read = new WeakMap<CheckRecord, readonly Problem[]>()

/** In the end of what it printed. GitHub's own runners have a checkout there; other tools name places from its root. */
function problemsOf({ task_id }: TaskState, record: CheckRecord): readonly Problem[] {
  const before = read.get(record)
  if (before !== undefined) return before
  const name = /\/([^#]*)/.exec(task_id)?.[1] ?? ''
  const folders = { root: `/home/runner/work/${name}/${name}`, directory: '.' }
  const found = problemsIn((record.result?.output ?? '').slice(-PROBLEMS_OUTPUT_MAX), folders)
  read.set(record, found)
  return found
}

/** A run of the Action is named by its number and its attempt, an adopted check run by its number and its time. */
function linkOf({ task_id }: TaskState, attempt: Attempt, { id, name }: CheckRecord): string | null {
  const repository = repositoryIn(task_id)
  const rule = attempt.contract.policy.verification.checks.find((one) => one.name === name)
  const number = /^\d+/.exec(id)?.[0]
  if (number === undefined || rule === undefined || 'status' in rule) return null
  return 'check_run' in rule ? `/${repository}/runs/${number}` : `/${repository}/actions/runs/${number}`
}

export function tier1Of(cut: Cutter, { tier1 }: Attempt, { tier1_failures }: RetryContext): AttemptDocument['tier1'] {
  const failures = cut.list('tier1', tier1_failures, ({ name, detail }) => ({
    name: cut.text('tier1', name),
    detail: cut.text('tier1', detail ?? ''),
  }))
  if (tier1 === null) return { state: failures.length > 0 ? 'failed' : 'waiting', failures, findings: [], unseen: [] }
  return {
    state: tier1.passed && failures.length === 0 ? 'passed' : 'failed',
    failures,
    findings: cut.list('tier1', tier1.findings, ({ path, line, severity, message }) => ({
      path: cut.text('tier1', path),
      line,
      severity,
      message: cut.text('tier1', message),
    })),
    unseen: cut.list('tier1', tier1.unseen ?? [], (one) => cut.text('tier1', one)),
  }
}
