// A verifier of a caller's own, behind the same port: it says passed or failed with a reason, and everything else about a
// verdict follows. One that breaks down has said nothing about the code. Three kinds come along for whoever builds one.
import { compiled } from '../../core/linear-pattern.ts'
import type { Attempt, CheckRecord } from '../../core/decision/model.ts'
import type { Identity } from '../../core/decision/verdict.ts'
import type { Verifier, VerifierAnswer } from '../../ports.ts'
import { refuseSelf } from '../../verifier/asking/identity.ts'
import { compose } from '../../verifier/weighing/kinds.ts'
import { defaultFail, defaultPass, readByPatterns } from '../../verifier/weighing/pattern.ts'
import { tierOf } from './tier.ts'
import { repositoryIn } from '../../core/names.ts'

export type RunResult = {
  readonly ok: boolean
  /** Null where it went well. */
  readonly reason: string | null
  /** What it printed, as far as that is on record. */
  readonly text: string
  readonly checks: readonly CheckRecord[]
}
export type VerifierInput = {
  /** Every check but the evaluator's. */
  readonly build_result: RunResult
  /** The check that `verifier.evaluator` names, for this very commit; null where none is named or none has ended. */
  readonly eval_result: RunResult | null
  readonly workspace: { readonly repository: string; readonly task_id: string; readonly sha: string }
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
  /** After so many failures the task ends, within what `retry.max_attempts` allows; left out, that alone counts. */
  readonly max_iterations?: () => number
}
type Looped = { readonly max_iterations?: number }

const failed = (reason: string): VerifierVerdict => ({ kind: 'Failed', reason })
const passed: VerifierVerdict = { kind: 'Passed', confidence: 1 }
const limitOf = ({ max_iterations: max }: Looped): Pick<OwnVerifier, 'max_iterations'> =>
  max === undefined ? {} : { max_iterations: () => max }

type Patterns = { readonly pass_pattern?: string; readonly fail_pattern?: string }

/** Reads the last line of what the evaluator printed by two patterns of RE2 syntax. */
export function evaluatorResponseVerifier(options: Patterns & Looped = {}): OwnVerifier {
  const { pass_pattern = defaultPass, fail_pattern = defaultFail } = options
  const [pass, fail] = [compiled(pass_pattern), compiled(fail_pattern)]
  if (pass === null || fail === null) throw new Error('A pattern is no regular expression of RE2 syntax')
  return {
    ...limitOf(options),
    verify: async ({ build_result, eval_result }) => {
      if (!build_result.ok) return failed(build_result.reason ?? 'the build failed')
      if (eval_result === null) throw new Error('The evaluator has not answered')
      if (!eval_result.ok) return failed(eval_result.reason ?? 'the evaluation failed')
      const read = readByPatterns(eval_result.text, pass, fail)
      return read.passed ? passed : failed(read.reason)
    },
  }
}

/** Takes the recorded result of one check for the verdict, whatever the evaluator says. */
export function testSuiteVerifier({ check, ...options }: Looped & { readonly check: string }): OwnVerifier {
  return {
    ...limitOf(options),
    verify: async ({ build_result, eval_result }) => {
      const all = [...build_result.checks, ...(eval_result?.checks ?? [])]
      const record = all.find(({ name }) => name === check)
      if (record?.state === 'passed') return passed
      const ran = record?.state === 'failed' || record?.state === 'timed_out'
      if (!ran) throw new Error(`There is no result of ${check}`)
      return failed(reasonOf([record]) ?? `failed: ${check}`)
    },
  }
}

/** Passes when all of them pass; all are asked, and each that fails is named by its place. Its limit counts, not theirs. */
export function compositeVerifier(verifiers: readonly OwnVerifier[], options: Looped = {}): OwnVerifier {
  if (verifiers.length === 0) throw new Error('A verifier made of none passes nothing')
  return {
    ...limitOf(options),
    verify: async (input) => {
      const said = await Promise.all(verifiers.map((one) => one.verify(input)))
      const whole = compose(
        said.map((one) => (one.kind === 'Passed' ? { outcome: 'PASS' } : { outcome: 'SOFT_FAIL', reason: one.reason })),
      )
      const sure = said.map(({ confidence }) => confidence)
      if (whole.outcome === 'SOFT_FAIL') return failed(whole.reason)
      const known = sure.flatMap((one) => one ?? [])
      return known.length < sure.length ? { kind: 'Passed' } : { kind: 'Passed', confidence: Math.min(...known) }
    },
  }
}

type Options = { readonly identity: Omit<Identity, 'session_id'>; readonly judgeGate: Verifier['judgeGate'] }

export function ownVerifier(own: OwnVerifier, { identity, judgeGate }: Options): Verifier {
  return {
    available: true,
    verify: async (attempt, session_id) => {
      const evaluator = { ...identity, session_id }
      refuseSelf(attempt, evaluator)
      const input = inputOf(attempt)
      const said = await own.verify(input).catch(() => null)
      if (said === null) return { type: 'report_unavailable', session_id, reason: 'transient', retry_at: null }
      const max = own.max_iterations?.() ?? Infinity
      return verdictOf(said, evaluator, { nth: input.iteration + 1, max })
    },
    judgeGate,
  }
}

export function inputOf(attempt: Attempt): VerifierInput {
  const { contract, head_sha, ordinal } = attempt
  const { evaluator } = contract.policy.verification.verifier
  const checks = Object.values(attempt.checks)
  const own = checks.find(({ name }) => name === evaluator)
  return {
    build_result: resultOf(checks.filter((one) => one !== own)),
    eval_result: own === undefined || !hasEnded(own) ? null : resultOf([own]),
    workspace: { repository: repositoryIn(contract.task_id), task_id: contract.task_id, sha: head_sha },
    iteration: ordinal - 1,
  }
}

const hasEnded = ({ state }: CheckRecord): boolean => ['passed', 'failed', 'timed_out'].includes(state)

function resultOf(checks: readonly CheckRecord[]): RunResult {
  const reason = reasonOf(checks)
  return { ok: reason === null, reason, text: checks.map(({ result }) => result?.output ?? '').join('\n'), checks }
}

function reasonOf(checks: readonly CheckRecord[]): string | null {
  const bad = checks.filter(({ state }) => state === 'failed' || state === 'timed_out')
  return bad.length === 0 ? null : `failed: ${bad.map(({ name }) => name).join(', ')}`
}

type Round = { readonly nth: number; readonly max: number }

/** A loop that its verifier no longer believes in ends with the task. */
function verdictOf(said: VerifierVerdict, evaluator: Identity, { nth, max }: Round): VerifierAnswer {
  const reason = said.kind === 'Failed' ? said.reason.trim() || 'it failed without a reason' : null
  const isLast = reason !== null && nth >= max
  const feedback = isLast ? `${reason} (attempt ${nth} of the ${max} that this verifier allows)` : reason
  const verdict = {
    outcome: reason === null ? 'PASS' : isLast ? 'HARD_FAIL' : 'SOFT_FAIL',
    reason_code: null,
    confidence: said.confidence ?? null,
    reasoning: feedback ?? 'It passed.',
    feedback,
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
