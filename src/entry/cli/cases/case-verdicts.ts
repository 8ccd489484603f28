// What the verifier said in a case, as the reports that the rules hear.
import type { Policy } from '../../../core/contract/policy/policy.ts'
import type { Input } from '../../../core/decision/rules/inputs.ts'
import type { Given } from './case-format.ts'

const at = '2026-01-01T00:00:00Z'

export function verdicts({ verdict }: Given, policy: Policy, attempt_id: string): Input[] {
  const unavailable = (reason: 'no_key' | 'transient', retry_at: string | null): Input[] => [
    { type: 'report_unavailable', attempt_id, session_id: 'session-1', reason, retry_at },
  ]
  if (verdict === 'running') return []
  if (verdict === 'none') return policy.verification.verifier.enabled === true ? unavailable('no_key', null) : []
  if (typeof verdict === 'string') {
    return verdict === 'UNAVAILABLE'
      ? unavailable('transient', null)
      : [{ type: 'report_verdict', attempt_id, verdict: verdictOf(verdict, 1) }]
  }
  const { outcome, confidence, retry_scheduled, votes } = verdict
  if (outcome === 'UNAVAILABLE') return unavailable('transient', retry_scheduled ? at : null)
  return [{ type: 'report_verdict', attempt_id, verdict: { ...verdictOf(outcome, confidence), votes: votes ?? null } }]
}

export function verdictOf(
  outcome: 'PASS' | 'SOFT_FAIL' | 'HARD_FAIL' | 'REFER',
  confidence: number | null,
): Extract<Input, { type: 'report_verdict' }>['verdict'] {
  const evaluator = {
    login: 'countersign[bot]',
    agent_id: 'verifier',
    session_id: 'session-1',
    model_id: 'given',
    model_family: 'given',
  }
  const objects = outcome === 'SOFT_FAIL' || outcome === 'HARD_FAIL'
  return {
    outcome,
    reason_code: null,
    confidence,
    reasoning: 'as the case gives it',
    feedback: objects ? 'an objection, as the case gives it' : null,
    objections: [],
    votes: null,
    evaluator,
  }
}
