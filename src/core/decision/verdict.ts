// What the AI review said, or why it said nothing.
import type { Examined } from './examined.ts'
import type { EndedAt } from './results/ended-at.ts'

// prettier-ignore
export const referReasons = [
  'low_confidence', 'cannot_tell', 'divergence', 'proven_dissent', 'coverage', 'too_large', 'no_probes',
  'insufficient_evidence', 'hidden_text', 'secret', 'addressed', 'assumption_violation', 'refused', 'truncated', 'malformed', 'budget',
  'same_model', 'no_feedback',
] as const
export type ReferReason = (typeof referReasons)[number]
// prettier-ignore
export const unavailableReasons = [
  'transient', 'ramp', 'money', 'config', 'no_key', 'deadline', 'quorum', 'capability', 'no_result',
] as const
export type UnavailableReason = (typeof unavailableReasons)[number]

export type VerdictOutcome = 'PASS' | 'SOFT_FAIL' | 'HARD_FAIL' | 'REFER'
export type Identity = {
  readonly login: string
  readonly agent_id: string
  readonly session_id: string
  readonly model_id: string
  readonly model_family: string
}
export type Verdict = {
  readonly outcome: VerdictOutcome
  readonly reason_code: ReferReason | null
  readonly confidence: number | null
  readonly reasoning: string
  readonly feedback: string | null
  /** Ids of the findings and probes that object. */
  readonly objections: readonly string[]
  readonly votes: { readonly pass: number; readonly valid: number } | null
  readonly evaluator: Identity
}
/** `ended_at`: when it was on record, by our time. */
export type VerifierRecord =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly session_id: string }
  | ({
      readonly phase: 'answered'
      readonly id: string
      readonly verdict: Verdict
      readonly shown: boolean
      /** Since when; older records do not have it. */
      readonly shown_at?: string
      readonly examined?: Examined
    } & EndedAt)
  | ({
      readonly phase: 'unavailable'
      readonly id: string
      readonly reason: UnavailableReason
      readonly retry_at: string | null
    } & EndedAt)
