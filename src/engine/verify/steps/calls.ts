// Steps around a call: who may be asked and from which money, what is done about how it ended, and what it cost.
import { Ended } from '../../../core/chain.ts'
import type { CallRecord } from '../../../core/decision/examined.ts'
import type { Attempt } from '../../../core/decision/model.ts'
import { promptHash } from '../../../verifier/asking/prompt.ts'
import { modelDistance, type ModelDistance } from '../../../verifier/asking/identity.ts'
import { backoffMs, RETRY_AFTER_MS_MAX, triesMax } from '../../../verifier/calls/faults.ts'
import type { Asked } from '../../../verifier/calls/model.ts'
import { dollarsOf, unpriced } from '../../../verifier/calls/money.ts'
import type { Asking, Bend, Outcome, Tried, Try } from '../asking/asking.ts'
import { permitFor } from '../asking/permit.ts'
import type { Failure } from '../failure.ts'
import { tierOf } from '../tier.ts'
import type { VerifierStep } from './step.ts'

/** Who is to be asked about an attempt, the judge first; nobody, where no model is. */
type Panel = {
  readonly attempt: Attempt
  readonly declaredModels: readonly string[]
  readonly models: readonly string[]
  readonly asking: Asking | null
}

/** Whoever is asked has a price, somebody pays it, and no call is made beyond what the policy allows. */
export const policyGate: VerifierStep = {
  name: 'policy_gate',
  beforeAgent: (whole) => {
    const failure = unpaid({ ...whole, attempt: whole.subject.attempt })
    return failure === null ? whole : new Ended(failure)
  },
  beforeModel: (call) => ({ ...call, permit: (request) => permitFor(call.asking, request) }),
}

export function unpaid({ attempt, models, asking }: Panel): Failure | null {
  if (models.length === 0) return null
  if (asking === null) return { kind: 'unavailable', reason: 'no_key' }
  const why = unpriced(models, attempt.contract.policy.budget.prices)
  return why === null ? null : { kind: 'refer', reason: 'budget', detail: why }
}

/** Whoever judges is not of the kind that built, where the policy wants that, and can answer as it is asked to. */
export const approvalGate: VerifierStep = {
  name: 'approval_gate',
  beforeAgent: async (whole) => {
    const { subject, models, declaredModels } = whole
    const { attempt } = subject
    const failure = await unapproved({ ...whole, attempt }, whole.gate === null ? voters(attempt) : [])
    if (failure !== null) return new Ended(failure)
    const { model, require_different_model: demand } = attempt.contract.policy.verification.verifier
    const distance = nearest([models[0] ?? model, ...voters(attempt)], declaredModels)
    if (whole.gate !== null || demand !== 'warn' || distance === 'different') return whole
    return { ...whole, subject: { ...subject, remarks: [distanceRemark[distance], ...subject.remarks] } }
  },
}

/** Whoever's word may let a change pass is held to it: the judge, those who vote, and whoever steps in for one of them. */
export async function unapproved(
  { attempt, models, asking, declaredModels }: Panel,
  votes: readonly string[] = [],
): Promise<Failure | null> {
  const [judge] = models
  if (judge === undefined || asking === null) return null
  const { fallbackModel } = asking
  const instead = fallbackModel === null ? [] : [fallbackModel]
  const distance = nearest([judge, ...votes, ...instead], declaredModels)
  const demand = attempt.contract.policy.verification.verifier.require_different_model
  if (demand === 'enforce' && distance !== 'different')
    return { kind: 'refer', reason: 'same_model', detail: distanceRemark[distance] }
  return (await canJudge(asking, models)) ? null : { kind: 'unavailable', reason: 'capability' }
}

const voters = (attempt: Attempt): readonly string[] =>
  tierOf(attempt) === 3 ? attempt.contract.policy.verification.verifier.votes_models : []

/** Of several the one that is nearest to whoever built the change. */
function nearest(judges: readonly string[], declaredModels: readonly string[]): ModelDistance {
  const distances = judges.map((model) => modelDistance(model, declaredModels))
  return (['same', 'unknown'] as const).find((one) => distances.includes(one)) ?? 'different'
}

const distanceRemark = {
  same: 'A model that judges is of the family that built the change.',
  unknown: 'Which model built the change is not declared.',
} as const

async function canJudge({ model, breakers, fallbackModel }: Asking, ids: readonly string[]): Promise<boolean> {
  const able = async (id: string): Promise<boolean> => {
    // Nobody could say now. Answers on record are good all the same.
    if (breakers.pausedUntil(id) !== null) return true
    const can = await model.describe(id)
    return can === 'unknown' || (can !== null && !can.retired && can.structured_outputs)
  }
  const known = await Promise.all([...new Set(ids)].map(able))
  // Whoever steps in is asked as it can be asked, too.
  if (fallbackModel !== null) await able(fallbackModel)
  return known.every(Boolean)
}

/** Whoever repeats oftener than this chases its own tail, whatever the table says. */
const ROUNDS_MAX = 10

/** What went wrong with a call is tried again as the table of faults says, each time with what was wrong before. */
export const classification: VerifierStep = {
  name: 'classification',
  wrapModelCall: (ask) => async (first) => {
    const { asking } = first
    const tries = new Map<Outcome, number>()
    let { bend } = first
    for (let round = 1; ; round += 1) {
      const tried = await ask({ ...first, bend })
      if (tried.kind === 'denied' || tried.outcome === 'read' || asking.signal.aborted) return tried
      const { outcome, asked, errors } = tried
      const times = (tries.get(outcome) ?? 0) + 1
      tries.set(outcome, times)
      const changed = changedBy(tried, bend, asking)
      if (times >= triesMax[outcome] || changed === null || round === ROUNDS_MAX) return tried
      bend = errors.length > 0 ? { ...changed, remarks: errors } : changed
      if (outcome === 'transient' && !(await waited(asking, asked, times))) return tried
    }
  },
}

/** What is different the next time; null where the same would only happen again. */
function changedBy(
  { outcome, request }: Extract<Tried, { kind: 'asked' }>,
  bend: Bend,
  { fallbackModel }: Asking,
): Bend | null {
  if (outcome === 'refused') return fallbackModel === null ? null : { ...bend, model: fallbackModel }
  if (outcome === 'truncated')
    return { ...bend, tokens: bend.tokens * 2, effort: request.effort === 'high' ? 'medium' : 'low' }
  return outcome === 'grammar' ? { ...bend, plain: true } : bend
}

async function waited({ pause, chance, signal }: Asking, asked: Asked, nth: number): Promise<boolean> {
  const asks = asked.kind === 'failed' ? asked.retry_after_ms : null
  if (asks !== null && asks > RETRY_AFTER_MS_MAX) return false
  await pause(asks ?? chance() * (backoffMs[nth - 1] ?? backoffMs[2]), signal)
  return !signal.aborted
}

/** Every call stands on record, whatever came of it. */
export const costRecording: VerifierStep = {
  name: 'cost_recording',
  wrapModelCall: (ask) => async (once) => {
    const tried = await ask(once)
    if (tried.kind === 'asked') once.asking.calls.push(recordOf(once, tried))
    return tried
  },
}

function recordOf(
  { asking: { budget }, purpose }: Try,
  { request, asked, outcome }: Extract<Tried, { kind: 'asked' }>,
): CallRecord {
  const { usage, model, request_id, ms } = asked
  return {
    purpose,
    model,
    prompt_hash: promptHash(request),
    request_id,
    outcome,
    input: usage.input,
    cache_write: usage.cache_write_5m + usage.cache_write_1h,
    cache_read: usage.cache_read,
    output: usage.output,
    thinking: usage.thinking,
    usd: dollarsOf(request.model, usage, budget.prices),
    ms,
  }
}
