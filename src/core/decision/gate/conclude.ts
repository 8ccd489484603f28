// The decision table, and the only place where a decision is made. Rows are tried from top to bottom; the first that
// holds decides. Humans stand above required checks, and required checks above the verifier.
import { aheadReasons } from './ahead.ts'
import { blockedReasons } from './blocked.ts'
import { concludeGroup } from './group.ts'
import { approvalsMissing } from './review.ts'
import { confirmedByVerifier, factsOf, faultKey, unreported, type Facts, type Rejection } from './facts.ts'
import { isForgiven, lastStraw } from './history.ts'
import { unblockers } from './unblock.ts'
import { warningsOf } from './warnings.ts'
import { rowNames, type Authority, type Decision, type DecisionStatus, type Reason, type RowName } from '../decision.ts'
import type { Attempt, GateName, TaskState } from '../model.ts'

type Ruling = { readonly status: DecisionStatus; readonly by: Authority | null; readonly reasons: readonly Reason[] }

const refer = (by: Authority, reasons: readonly Reason[]): Ruling => ({ status: 'refer', by, reasons })
const retry = (by: Authority, reasons: readonly Reason[]): Ruling => ({ status: 'retry', by, reasons })
const failed = (by: Authority, reasons: readonly Reason[]): Ruling => ({ status: 'failed', by, reasons })
const pending = (by: Authority | null, reasons: readonly Reason[]): Ruling => ({ status: 'pending', by, reasons })
const success = (by: Authority, reasons: readonly Reason[]): Ruling => ({ status: 'success', by, reasons })

const table: Record<RowName, (facts: Facts) => Ruling | null> = {
  invalid: ({ invalid, proposed, faults, cover }) => {
    const standing = [
      ...(cover('invalid', null) ? [] : invalid),
      ...(cover('proposal', null) ? [] : proposed),
      ...faults.filter((one) => cover('fault', faultKey(one)) === null),
    ]
    return standing.length > 0 ? refer('policy', standing) : null
  },

  rejected: ({ rejection }) => rejection && failed('human', [...sentBackBy(rejection), said('rejected_by', rejection)]),

  approved: ({ approval }) => approval && success('human', [said('approved_by', approval)]),

  spent: ({ spent, overrides }) => (spent.length > 0 && overrides.length === 0 ? failed('attempts', spent) : null),

  scope: ({ attempt, cover }) =>
    attempt.scope_violations.length > 0 && !cover('scope', null) ? failed('scope', outOfScope(attempt)) : null,

  protected: ({ guarded, cover }) =>
    guarded.length > 0 && !cover('protected', null) ? refer('policy', guarded) : null,

  tier1: ({ tier1, cover }) =>
    tier1.state === 'failed' && !cover('tier1', tier1.id) ? retry('tier1', tier1.reasons) : null,

  pending: (facts) => {
    const blocked = blockedReasons(facts.task, facts.attempt)
    if (blocked.length > 0) return pending(null, [...blocked, ...obstacles(facts.attempt), ...facts.awaited])
    if (facts.awaited.length === 0) return null
    return facts.attempt.waited
      ? refer('checks', facts.awaited.map(neverReported))
      : pending(null, [...obstacles(facts.attempt), ...facts.awaited])
  },

  hard: (facts) => (objects(facts, 'HARD_FAIL') ? failed('verifier', objections(facts)) : null),

  checks: (facts) => {
    if (facts.failing.length === 0) return null
    return retry('checks', [...checkFailures(facts), ...(objects(facts, 'SOFT_FAIL') ? objections(facts) : [])])
  },

  soft: (facts) => (objects(facts, 'SOFT_FAIL') ? retry('verifier', objections(facts)) : null),

  unavailable: ({ attempt, cover, verifierOn, policy }) => {
    const { verifier } = attempt
    if (!verifierOn || verifier.phase !== 'unavailable' || cover('verifier', verifier.id)) return null
    const reasons: Reason[] = [{ code: 'VERIFICATION_CRASH', subject: verifier.reason, detail: verifier.retry_at }]
    if (verifier.retry_at !== null) return pending('verifier', reasons)
    return policy.verification.verifier.on_error === 'retry' ? retry('verifier', reasons) : refer('verifier', reasons)
  },

  refer: (facts) =>
    objects(facts, 'REFER') && facts.resolvingReview === null ? refer('verifier', objections(facts)) : null,

  vacuous: ({ policy, verifierOn, overrides }) =>
    policy.verification.checks.every(({ required }) => !required) && !verifierOn && overrides.length === 0
      ? refer('policy', [{ code: 'USER_INVALID_CONFIG', subject: null, detail: null }])
      : null,

  review: (facts) => {
    const missing = approvalsMissing(facts)
    if (missing.length === 0) return null
    return missing.some(({ code }) => code === 'awaiting_stages')
      ? pending('review', missing)
      : refer('review', missing)
  },

  block: (facts) => gateRuling(facts, 'red_team') ?? gateRuling(facts, 'vision'),

  confirmation: (facts) => {
    const wanted = facts.policy.merge_requires === 'verified'
    if (!wanted || facts.attempt.confirmed_by !== null || confirmedByVerifier(facts)) return null
    return refer('verification', [{ code: 'confirmation_missing', subject: null, detail: null }])
  },

  parallel: (facts) => {
    const ahead = aheadReasons(facts)
    return ahead.length > 0 ? pending('scope', ahead) : null
  },

  success: (facts) => {
    if (!overrideNeeded(facts)) return success('checks', lifted(facts))
    return success('human', responsible(facts.overrides))
  },
}

/** A referral that somebody's review lifted is theirs to answer for. */
function lifted(facts: Facts): Reason[] {
  const { resolvingReview: review } = facts
  if (review === null || !objects(facts, 'REFER')) return []
  return [{ code: 'referral_lifted_by', subject: review.by, detail: null }]
}

/** What the gate shows for an attempt: total, deterministic, and a function of recorded facts alone. */
export function conclude(task: TaskState, attempt: Attempt): Decision {
  if (attempt.group !== null) return concludeGroup(attempt, attempt.group)
  const facts = factsOf(task, attempt)
  for (const row of rowNames) {
    const ruling = table[row](facts)
    if (ruling !== null) return finish(facts, row, ruling)
  }
  throw new Error('The last row of the decision table did not hold')
}

/** A failure that uses up the last attempt, or makes no progress, fails the task instead of asking for a retry. */
function finish(facts: Facts, row: RowName, ruling: Ruling): Decision {
  const bare: Decision = { ...ruling, row, warnings: [], who_can_unblock: [], evidence: evidence(facts) }
  const straw = lastStraw(facts.task, facts.attempt, bare)
  const status = straw.length > 0 ? 'failed' : invited(facts, bare) ? 'retry' : bare.status
  const decision: Decision = { ...bare, status, reasons: [...bare.reasons, ...straw] }
  return { ...decision, warnings: warningsOf(facts, decision), who_can_unblock: unblockers(facts, decision) }
}

/** Whoever granted new attempts invites a push, also where this commit was stopped with proof. */
const invited = ({ task, attempt }: Facts, { row }: Decision): boolean => row === 'hard' && isForgiven(task, attempt)

function said(code: 'rejected_by' | 'approved_by' | 'overridden_by', act: { user: string; reason: string }): Reason {
  return { code, subject: act.user, detail: act.reason === '' ? null : act.reason }
}

/** A rejection for a stage of the review names the stage first. */
function sentBackBy(rejection: Rejection): Reason[] {
  const { user, reason } = rejection
  const stage = 'stage' in rejection ? rejection.stage : undefined
  if (stage === undefined) return []
  return [{ code: 'stage_rejected', subject: stage, detail: reason === '' ? user : `${user}: ${reason}` }]
}

/** One word of a person may have made two acts; it is one responsibility. */
function responsible(overrides: Facts['overrides']): Reason[] {
  const spoken = new Map(overrides.map((act) => [act.id.split('#')[0], act]))
  return [...spoken.values()].map((act) => said('overridden_by', act))
}

const outOfScope = (attempt: Attempt): Reason[] =>
  attempt.scope_violations.map(({ path, violation_type }) => ({
    code: 'SCOPE_VIOLATION_WRITE',
    subject: path,
    detail: violation_type,
  }))

const neverReported = ({ subject }: Reason): Reason => ({ code: 'VERIFICATION_CHECK_MISSING', subject, detail: null })

/** What keeps results from coming is said at once, before the list of what is awaited. */
function obstacles({ obstacle }: Attempt): Reason[] {
  if (obstacle === null) return []
  const code = obstacle === 'merge_conflict' ? 'GIT_MERGE_CONFLICT' : obstacle
  return [{ code, subject: null, detail: null }]
}

function objects({ verdict, cover }: Facts, outcome: 'SOFT_FAIL' | 'HARD_FAIL' | 'REFER'): boolean {
  return verdict?.verdict.outcome === outcome && cover('verifier', verdict.id) === null
}

/** What the verifier says of it goes nowhere where policy keeps it from whoever tries again. */
function objections({ verdict, policy, attempt }: Facts): Reason[] {
  if (verdict === null) return []
  const { outcome, reason_code, feedback, reasoning } = verdict.verdict
  const said = feedback ?? (reasoning === '' ? null : reasoning)
  const detail = policy.verification.retry.include_verifier_feedback ? said : null
  if (outcome === 'REFER') return [{ code: reason_code ?? 'referred', subject: 'verifier', detail }]
  return [
    { code: 'VERIFICATION_AGENT_REJECTED', subject: outcome, detail: detail && (firstObjection(attempt) ?? detail) },
  ]
}

/** What and where, for whoever reads one line; all of it stands with the verdict. */
function firstObjection({ verifier }: Attempt): string | null {
  if (verifier.phase !== 'answered') return null
  const [first, ...more] = (verifier.examined?.findings ?? []).filter(({ level }) => level === 'blocking')
  if (first === undefined) return null
  return `${first.path}:${first.line} ${first.claim}${more.length === 0 ? '' : ` and ${more.length} more`}`
}

function checkFailures({ failing }: Facts): Reason[] {
  return failing.map(({ rule, record }) => {
    const detail = record?.result ? String(record.result.exit_code) : null
    if (record?.state === 'timed_out') return { code: 'VERIFICATION_TIMEOUT', subject: rule.name, detail }
    if (record?.state === 'missing') return { code: 'VERIFICATION_CHECK_MISSING', subject: rule.name, detail }
    return { code: 'VERIFICATION_CHECK_FAILED', subject: rule.name, detail }
  })
}

function gateRuling({ policy, attempt, cover }: Facts, gate: GateName): Ruling | null {
  if (!policy.security[gate].enabled) return null
  const answer = attempt.gates[gate]
  if (cover(gate, answer?.id ?? (attempt.waited ? unreported : null))) return null
  if (answer === undefined) return pending(gate, [{ code: 'awaiting_gate', subject: gate, detail: null }])
  if (answer.verdict === 'BLOCK') return retry(gate, [{ code: 'gate_blocked', subject: gate, detail: answer.summary }])
  if (answer.verdict !== 'REFER') return null
  return refer(gate, [{ code: 'gate_could_not_judge', subject: gate, detail: answer.summary }])
}

/** Whether the table would have stopped earlier without an override, so that the success is a human's. */
function overrideNeeded(facts: Facts): boolean {
  if (facts.overrides.length === 0) return false
  const without = factsOf(facts.task, { ...facts.attempt, acts: facts.attempt.acts.filter((act) => !overrides(act)) })
  return rowNames.some((row) => row !== 'success' && table[row](without) !== null)
}

const overrides = ({ type }: { type: string }): boolean => type === 'CHECK_OVERRIDE' || type === 'VERIFIER_OVERRIDE'

/** The recorded answers that the decision rests on, by id. */
function evidence({ attempt, required, verdict }: Facts): string[] {
  const checks = required.flatMap(({ rule, record }) => (record ? [`check:${rule.name}@${record.id}`] : []))
  const tier1 = attempt.tier1 ? [`tier1@${attempt.tier1.id}`] : []
  return [...tier1, ...checks, ...(verdict ? [`verdict@${verdict.id}`] : [])]
}
