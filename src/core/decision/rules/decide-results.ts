// What was found out by machines, as events: the changed files with what their paths mean, and how a check ended.
import { pathFacts, pathRules } from '../../contract/path-facts.ts'
import type { Attempt, TaskState } from '../model.ts'
import type { NewEvent } from '../record/events.ts'
import type { Input } from './inputs.ts'

export function listed(attempt: Attempt, input: Extract<Input, { type: 'report_files' }>): NewEvent[] {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const { files, complete, paths = pathFacts(files, pathRules(attempt.contract)), diff } = input
  const found = paths.violations.map((data): NewEvent => ({ type: 'ScopeViolationDetected', ...at, data }))
  const valid: NewEvent = { type: 'ScopeValidated', ...at, data: { files_checked: files.length } }
  const inScope = paths.known ? [valid] : []
  const data = { files, complete, paths, ...(diff === undefined ? {} : { diff }) }
  return [{ type: 'FilesListed', ...at, data }, ...(found.length > 0 ? found : inScope)]
}

export function checked(
  task: TaskState,
  attempt: Attempt,
  input: Extract<Input, { type: 'report_check' }>,
): NewEvent[] {
  const { name, run, state, result, output_ref } = input
  const known = attempt.checks[name]
  if (known?.id === run && known.state === state) return []
  const errors = {
    passed: null,
    failed: 'VERIFICATION_CHECK_FAILED',
    timed_out: 'VERIFICATION_TIMEOUT',
    missing: 'VERIFICATION_CHECK_MISSING',
  } as const satisfies Record<typeof state, string | null>
  const rule = attempt.contract.policy.verification.checks.find((check) => check.name === name)
  const data = {
    check_name: name,
    task_id: task.task_id,
    attempt_id: attempt.id,
    passed: state === 'passed',
    exit_code: result?.exit_code ?? (state === 'passed' ? 0 : 1),
    duration_ms: result?.duration_ms ?? 0,
    required: rule?.required ?? false,
    error_code: errors[state],
    output_ref,
    run,
    result,
  }
  return [{ type: 'CheckCompleted', attempt_id: attempt.id, head_sha: attempt.head_sha, data }]
}
