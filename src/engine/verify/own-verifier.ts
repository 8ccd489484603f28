// A verifier of a caller's own, behind the same port: it says passed or failed with a reason, and everything else about a
// verdict follows. One that breaks down has said nothing about the code.
import type { Attempt, CheckRecord, Identity } from '../../core/decision/model.ts'
import type { Verifier, VerifierAnswer } from '../../ports.ts'
import { refuseSelf } from '../../verifier/asking/identity.ts'
import { tierOf } from './tier.ts'

export type RunResult = {
  readonly ok: boolean
  readonly reason: string | null
  readonly checks: readonly CheckRecord[]
}
export type VerifierInput = {
  readonly build_result: RunResult
  /** What an evaluator said, where there was one. */
  readonly eval_result: RunResult | null
  readonly workspace: { readonly task_id: string; readonly sha: string }
  /** Counts from 0. */
  readonly iteration: number
}
/** Without a confidence, from 0 to 1, the verdict is a referral wherever the policy or its rubric wants a least one. */
export type VerifierVerdict = { readonly confidence?: number } & (
  | { readonly kind: 'Passed' }
  | { readonly kind: 'Failed'; readonly reason: string }
)
export interface OwnVerifier {
  readonly verify: (input: VerifierInput) => Promise<VerifierVerdict>
}

type Options = { readonly identity: Omit<Identity, 'session_id'>; readonly judgeGate: Verifier['judgeGate'] }

export function ownVerifier(own: OwnVerifier, { identity, judgeGate }: Options): Verifier {
  return {
    available: true,
    verify: async (attempt, session_id) => {
      const evaluator = { ...identity, session_id }
      refuseSelf(attempt, evaluator)
      const said = await own.verify(inputOf(attempt)).catch(() => null)
      return said === null
        ? { type: 'report_unavailable', session_id, reason: 'transient', retry_at: null }
        : verdictOf(said, evaluator)
    },
    judgeGate,
  }
}

function inputOf(attempt: Attempt): VerifierInput {
  const checks = Object.values(attempt.checks)
  const failed = checks.filter(({ state }) => state === 'failed' || state === 'timed_out')
  const reason = failed.length === 0 ? null : `failed: ${failed.map(({ name }) => name).join(', ')}`
  return {
    build_result: { ok: failed.length === 0, reason, checks },
    eval_result: null,
    workspace: { task_id: attempt.contract.task_id, sha: attempt.head_sha },
    iteration: attempt.ordinal - 1,
  }
}

function verdictOf(said: VerifierVerdict, evaluator: Identity): VerifierAnswer {
  const reason = said.kind === 'Failed' ? said.reason.trim() || 'it failed without a reason' : null
  const verdict = {
    outcome: reason === null ? 'PASS' : 'SOFT_FAIL',
    reason_code: null,
    confidence: said.confidence ?? null,
    reasoning: reason ?? 'It passed.',
    feedback: reason,
    objections: [],
    votes: null,
    evaluator,
  } as const
  return { type: 'report_verdict', verdict }
}

/** The policy's settings under the names of the tiers. */
export function verificationConfig(attempt: Attempt) {
  const { verifier } = attempt.contract.policy.verification
  const on = verifier.enabled === true || (verifier.enabled === 'auto' && attempt.model_available)
  const tier2_enabled = on && verifier.tier > 1
  const { decomposer, grader, max_probes_per_criterion, min_confidence, votes: tier3_vote_count } = verifier
  return {
    decomposer,
    grader,
    max_probes_per_criterion,
    min_confidence,
    tier2_enabled,
    tier3_enabled: tier2_enabled && tierOf(attempt) === 3,
    tier3_vote_count,
  }
}
