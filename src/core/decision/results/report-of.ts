// What a check that ended in CI says, as the rules are told of it.
import type { CheckRule } from '../../contract/policy/policy.ts'
import type { CheckResult } from '../model.ts'
import type { Input } from '../rules/inputs.ts'
import { endedAt } from './ended-at.ts'

export type Ended = {
  readonly run: string
  readonly state: 'passed' | 'failed' | 'timed_out'
  readonly output?: string
  readonly duration_ms?: number
  readonly at?: string | null | undefined
}

const exitCodes = { passed: 0, failed: 1, timed_out: 124 } as const

export function reportOf(
  attempt_id: string,
  { name, required }: Pick<CheckRule, 'name' | 'required'>,
  { run, state, output = '', duration_ms = 0, at }: Ended,
): Extract<Input, { type: 'report_check' }> {
  const exit_code = exitCodes[state]
  const result: CheckResult = { name, passed: state === 'passed', exit_code, output, duration_ms, required }
  return { type: 'report_check', attempt_id, run, name, state, result, output_ref: null, ...endedAt(at) }
}
