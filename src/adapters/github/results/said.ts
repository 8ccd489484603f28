// What one run of the Action says of an attempt: reports, or why there are none. Both ways of running checks, all in one
// job and each in its own, end here.
import { commandRules } from '../../../core/decision/results/wanted.ts'
import { runName, screenshots, tier1Missing, type ActionRun } from '../../../core/decision/results/handed-over.ts'
import type { Attempt, Obstacle } from '../../../core/decision/model.ts'
import type { Input } from '../../../core/decision/rules/inputs.ts'
import { fileOf, type Job, type Run } from './runs.ts'

/** Of several workflows that run the Action the strictest is heard, and one that hands nothing over after those that do. */
export const strictness = ['nothing', 'missing', 'passed', 'running', 'failed'] as const
export type Said = { readonly kind: (typeof strictness)[number]; readonly inputs: readonly Input[] }

export const obstructed = ({ id: attempt_id }: Attempt, obstacle: Obstacle | null): Input => ({
  type: 'report_obstacle',
  attempt_id,
  obstacle,
})

export const stoppedBy = (attempt: Attempt, run: Run, obstacle: Obstacle): Said => {
  return { kind: 'nothing', inputs: [obstructed(attempt, obstacle), ...started(attempt, run)] }
}

/** Something is there that cannot be used: what an older run said counts no more, and another one is waited for. */
export const unusable = (attempt: Attempt, run: Run, why: readonly Input[]): Said =>
  said(attempt, 'nothing', [...started(attempt, run), ...why])

/** With nothing in the way. */
export const said = (attempt: Attempt, kind: Said['kind'], inputs: readonly Input[]): Said => {
  return { kind, inputs: [obstructed(attempt, null), ...inputs] }
}

export const actionRun = (run: Run, attempt = run.run_attempt): ActionRun => ({
  id: run.id,
  attempt,
  workflow: fileOf(run),
  event: run.event,
  head_sha: run.head_sha,
  repository: run.repository.full_name,
  conclusion: run.conclusion,
})

export function started(attempt: Attempt, run: Run): Input[] {
  const name = runName(actionRun(run))
  return commandRules(attempt).map((rule) => ({
    type: 'start_check',
    attempt_id: attempt.id,
    run: name,
    name: rule.name,
  }))
}

/** Its run is over and has said nothing. */
export function missing(attempt: Attempt, run: Run): Input[] {
  const named = { type: 'report_check', attempt_id: attempt.id, run: runName(actionRun(run)) } as const
  const none = { state: 'missing', result: null, output_ref: null } as const
  const checks = commandRules(attempt).map(({ name }): Input => ({ ...named, name, ...none }))
  if (attempt.group !== null) return checks
  const tier1 = checks.length === 0 ? [] : [tier1Missing(attempt.id, actionRun(run))]
  return [...tier1, ...checks, ...screenshots(attempt, actionRun(run), null)]
}

/** A job that failed although none of its steps did lost its machine, which says nothing about the change. */
export const isLost = ({ conclusion, steps }: Job): boolean =>
  conclusion === 'failure' && steps.length > 0 && steps.every((step) => step.conclusion !== 'failure')

const isRefused = ({ type }: Input): boolean => type === 'refuse_result'
const hasFailed = (input: Input): boolean =>
  (input.type === 'report_check' && input.state !== 'passed' && input.result?.required !== false) ||
  (input.type === 'report_tier1' && !input.passed)

export const kindOf = (inputs: readonly Input[]): Said['kind'] =>
  inputs.some(hasFailed) ? 'failed' : inputs.some(isRefused) ? 'nothing' : 'passed'
