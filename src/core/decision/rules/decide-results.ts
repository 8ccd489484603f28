// What was found out, as events: the changed files with what their paths mean, how a check ended, what the AI review said, that
// a wait is over, and that it was merged.
import { pathFacts, pathRules } from '../../contract/path-facts.ts'
import { minConfidence } from '../../contract/policy/policy.ts'
import { sameLogin, type Account } from '../../people/people.ts'
import type { GateReport } from '../gate-report.ts'
import { effectiveVerdict } from '../gate/facts.ts'
import type { Attempt, TaskState } from '../model.ts'
import { kept } from '../record/answers.ts'
import type { NewEvent } from '../record/events.ts'
import type { OnTheWay } from '../record/on-the-way.ts'
import { sameEnd } from '../results/ended-at.ts'
import { jobOf } from '../results/job-of.ts'
import type { Input } from './inputs.ts'

export function listed(attempt: Attempt, input: Extract<Input, { type: 'report_files' }>): NewEvent[] {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const { files, complete, paths = pathFacts(files, pathRules(attempt.contract)), diff, parting } = input
  const found = paths.violations.map((data): NewEvent => ({ type: 'ScopeViolationDetected', ...at, data }))
  const valid: NewEvent = { type: 'ScopeValidated', ...at, data: { files_checked: files.length } }
  const inScope = paths.known ? [valid] : []
  const more = { ...(diff === undefined ? {} : { diff }), ...(parting === undefined ? {} : { parting }) }
  const data = { files, complete, paths, ...more }
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
    ...jobOf(input),
    ...sameEnd(input),
    result,
  }
  return [{ type: 'CheckCompleted', attempt_id: attempt.id, head_sha: attempt.head_sha, data }]
}

export function merged({ id: attempt_id, head_sha, decision, merged }: Attempt, by: Account): NewEvent[] {
  if (merged !== null) return []
  const at = { attempt_id, head_sha }
  const who: NewEvent = { type: 'AttemptMerged', ...at, data: { by: by.login, user_id: by.id } }
  if (decision?.status === 'success') return [who]
  const data = { by: by.login, sha: head_sha, decision: decision?.row ?? 'pending' }
  return [who, { type: 'MergedWithoutSuccess', ...at, data }]
}

/** The first verdict on the same evidence stands: asking until it pleases is not verification. */
export function judged(
  attempt: Attempt,
  { verdict, examined, raw, happened = [] }: Extract<Input, { type: 'report_verdict' }>,
  ids: { task_id: string; attempt_id: string },
): NewEvent[] {
  if (attempt.verifier.phase === 'answered') return []
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const data = { ...ids, ...verdict, ...examined, ...(raw === undefined ? {} : { raw: raw.map(kept) }) }
  const completed = [...onTheWay(happened, at), { type: 'VerificationCompleted', ...at, data } as const]
  const id = verdict.evaluator.session_id
  const effective = effectiveVerdict({ ...attempt, verifier: { phase: 'answered', id, verdict, shown: false } })
  if (effective === null || effective.verdict.outcome === verdict.outcome) return completed
  const overridden = {
    from: verdict.outcome,
    confidence: verdict.confidence,
    threshold: minConfidence(attempt.contract.policy) ?? 0,
  }
  return [...completed, { type: 'VerdictOverriddenToRefer', ...at, data: overridden }]
}

export const onTheWay = (happened: readonly OnTheWay[], at: Pick<NewEvent, 'attempt_id' | 'head_sha'>): NewEvent[] =>
  happened.map((one) => ({ ...one, ...at }))

export function waited(attempt: Attempt, what: 'verification.wait' | 'park_wait'): NewEvent[] {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const ended: NewEvent = { type: 'WaitEnded', ...at, data: { what } }
  if (what === 'verification.wait') return attempt.waited ? [] : [ended]
  const parked = attempt.live && attempt.decision?.status === 'refer'
  if (!parked || attempt.state === 'CANCELLED') return []
  return [ended, { type: 'TaskExecutionStateChanged', ...at, data: { from: attempt.state, to: 'CANCELLED' } }]
}

/** Nobody attacks their own work, and no gate is asked by what judged before it: such a word is not heard. */
export function gateAnswered(attempt: Attempt, input: Extract<Input, { type: 'report_gate' }>): NewEvent[] {
  const { gate, run, verdict, summary, elapsed_ms, report, raw = [] } = input
  if (attempt.gates[gate]?.id === run || isOwn(attempt, report)) return []
  const data = {
    run,
    verdict,
    summary,
    elapsed_ms,
    skipped: verdict === 'SKIP',
    ...(report === undefined ? {} : { report }),
    ...(raw.length === 0 ? {} : { raw: raw.map(kept) }),
  }
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  return [
    gate === 'red_team' ? { type: 'RedTeamGateCompleted', ...at, data } : { type: 'VisionGateCompleted', ...at, data },
  ]
}

function isOwn({ builders, verifier }: Attempt, report: GateReport | undefined): boolean {
  if (report === undefined) return false
  const { agent_id, session_id, login } = report.evaluator
  const judge = verifier.phase === 'answered' ? verifier.verdict.evaluator : null
  const isBuilder = builders.some((one) => sameLogin(one.login, login) || sameLogin(one.login, agent_id))
  return isBuilder || agent_id === judge?.agent_id || session_id === judge?.session_id
}
