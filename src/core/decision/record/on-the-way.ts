// What happens on the way to a verdict and is told together with it, or with the results of the checks.
import type { EndedAt } from '../results/ended-at.ts'
import type { Tier1Check, Tier1Finding } from '../model.ts'

export type OnTheWayData = {
  TierCompleted: {
    tier: 1 | 2 | 3
    passed: boolean
    confidence: number | null
    checks: readonly Tier1Check[]
    findings: readonly Tier1Finding[]
    feedback: string | null
    /** What nobody could look at, in words. */
    unseen?: readonly string[]
    run: string
  } & EndedAt
  VoteCast: { n: number; outcome: string; model: string; lens: string }
  VotesTallied: { n: number; pass: number; valid: number; models: readonly string[] }
  VerdictDowngraded: { from: string; to: string; why: string }
  /** Somebody speaks to the reviewer with authority. It is noted and moves nothing. */
  AuthorityDeferenceDetected: { pattern: string; place: string }
  AssumptionViolation: { pattern: string; evidence: string }
  /** An answer uses few of the words of what it should be about. It is noted and moves nothing. */
  SemanticDriftWarning: { similarity: number; threshold: number }
  /** What is going to be asked, and what it costs if all goes well. */
  VerificationPlanned: { tier: 2 | 3; questions: number; calls: number; usd: number }
  /** A step of the verifier threw; what follows is told by the kind of its fault. */
  StepFailed: { step: string; action: 'retry' | 'escalate'; what: string }
  /** The criteria were taken as they are, one question each. */
  DecompositionFellBack: { why: string }
  /** A model that has failed too often in a row is not asked for a while. */
  ModelPaused: { model: string; until: string }
}
export type OnTheWay = {
  [T in keyof OnTheWayData]: { readonly type: T; readonly data: Readonly<OnTheWayData[T]> }
}[keyof OnTheWayData]
