// What the rows of the decision table ask of an attempt, each question answered once.
import { pathFacts, pathRules, type PathFacts } from '../../contract/path-facts.ts'
import { minConfidence, type CheckRule, type Policy } from '../../contract/policy/policy.ts'
import { actId, type Act, type CarriedRejection } from '../../people/act.ts'
import { isAbout, isSameTree, type Subject } from '../subject.ts'
import { isLater } from '../../people/order.ts'
import type { Review } from '../../people/people.ts'
import { strictlyAbove } from '../../people/permission.ts'
import { separationFor } from '../../people/separation.ts'
import { approvalsOf, hasMade, isAfterAll, standingReviews } from './approvals.ts'
import { spentBy } from './history.ts'
import { wantsScreenshots } from '../results/wanted.ts'
import { awaitsItsTask } from './taken-up.ts'
import type { Attempt, CheckRecord, TaskState } from '../model.ts'
import type { Verdict } from '../verdict.ts'
import type { Reason } from '../decision.ts'

export type Rejection = Act | CarriedRejection
export type RuledCheck = { readonly rule: CheckRule; readonly record: CheckRecord | null }
export type Facts = {
  readonly task: TaskState
  readonly attempt: Attempt
  readonly policy: Policy
  /** Human acts in force for this commit. */
  readonly acts: readonly Act[]
  readonly overrides: readonly Act[]
  /** The override that covers this answer of a subject, or null. */
  readonly cover: (subject: string, result: string | null) => Act | null
  readonly invalid: readonly Reason[]
  /** What of ours went wrong. */
  readonly faults: readonly Reason[]
  /** That it is judged by what it proposes itself. */
  readonly proposed: readonly Reason[]
  readonly rejection: Rejection | null
  readonly approval: Act | null
  readonly spent: readonly Reason[]
  readonly guarded: readonly Reason[]
  readonly tier1: { readonly state: 'running' | 'passed' | 'failed'; readonly id: string; readonly reasons: Reason[] }
  /** Required checks that apply to the paths that changed. */
  readonly required: readonly RuledCheck[]
  /** Required checks that failed or never reported, and that no override covers. */
  readonly failing: readonly RuledCheck[]
  readonly verifierOn: boolean
  readonly verdict: { readonly id: string; readonly verdict: Verdict } | null
  readonly awaited: readonly Reason[]
  readonly approvals: readonly Review[]
  readonly resolvingReview: Review | null
}

const demands: readonly Policy['merge_requires'][] = ['success', 'completed', 'verified']

/** A goal may ask more of its tasks than the policy asks of any, never less; so may those of whatever else is closed. */
export function policyOver(task: TaskState, { pull, contract: { policy } }: Attempt): Policy {
  const goals = [...task.goals, ...(task.beside[pull] ?? []).flatMap((one) => one.goals)]
  if (goals.length === 0) return policy
  const asked = [policy, ...goals].map(({ merge_requires }) => demands.indexOf(merge_requires))
  return { ...policy, merge_requires: demands[Math.max(...asked)] ?? policy.merge_requires }
}

export function factsOf(task: TaskState, attempt: Attempt): Facts {
  const policy = policyOver(task, attempt)
  const acts = actsInForce(attempt)
  const overrides = acts.filter(({ type }) => type === 'CHECK_OVERRIDE' || type === 'VERIFIER_OVERRIDE')
  const cover = (subject: string, result: string | null): Act | null =>
    acts.find(({ covers }) =>
      covers.some((one) => one.subject === subject && (one.result === null || one.result === result)),
    ) ?? null
  const tier1 = tier1Of(attempt)
  const required = requiredChecks(attempt)
  const failing = required.filter(({ rule, record }) => hasFailed(record) && !cover(`check:${rule.name}`, idOf(record)))
  const verifierOn = isVerifierOn(attempt)
  const verdict = effectiveVerdict(attempt)
  const rejections = rejectionsOn(task, attempt)
  const approvals = approvalsOf(task, attempt, rejections)
  return {
    task,
    attempt,
    policy,
    acts,
    overrides,
    cover,
    invalid: attempt.invalid.filter((one) => !isOfProposal(one)),
    faults: faultsOf(task, attempt),
    proposed: attempt.invalid.filter(isOfProposal),
    rejection: standingRejection(rejections, acts),
    approval: directApproval(attempt, acts.filter(isAfterAll(rejections)), cover),
    spent: spentBy(task, attempt),
    guarded: guardedReasons(attempt),
    tier1,
    required,
    failing,
    verifierOn,
    verdict,
    awaited: awaitedAnswers(task, attempt, { cover, tier1: tier1.state, required, failing, verifierOn }),
    approvals,
    resolvingReview:
      approvals.find(({ resolves_refer, head_sha }) => resolves_refer && head_sha === attempt.head_sha) ?? null,
  }
}

/**
 * A voided act keeps counting for the conclusion of the commit that it was made on, never for that commit's return. What
 * somebody allowed who is found to have made the commit is not in force, however late that is found.
 */
export function actsInForce(attempt: Attempt): Act[] {
  return attempt.acts.filter(
    (act) =>
      (act.standing === 'stands' || (act.standing === 'voided' && !attempt.live)) &&
      (act.solo || act.type === 'REJECTION' || !hasMade(attempt, act.user_id, act.user)),
  )
}

/** Every rejection that was ever made of this tree, at this task or at another, in whichever pull request. */
export function rejectionsOn(task: TaskState, subject: Pick<Subject, 'head_sha' | 'tree_sha'>): Rejection[] {
  const here = task.attempts
    .filter((one) => isSameTree(one, subject))
    .flatMap(({ acts }) => acts.filter(({ type }) => type === 'REJECTION'))
  return [...here, ...task.carried.filter((one) => isSameTree(one, subject))]
}

/** Overruled only afterwards, by somebody of strictly higher permission who made no part of the change. */
function standingRejection(rejections: readonly Rejection[], acts: readonly Act[]): Rejection | null {
  const overruling = acts.filter(
    ({ type, solo }) =>
      !solo && (type === 'DIRECT_APPROVAL' || type === 'CHECK_OVERRIDE' || type === 'VERIFIER_OVERRIDE'),
  )
  const isOverruled = (rejection: Rejection): boolean =>
    overruling.some((one) => isLater(one, rejection) && strictlyAbove(one.permission, rejection.permission))
  return rejections.find((one) => one.standing === 'stands' && !isOverruled(one)) ?? null
}

/** Where a maker is not known, anybody who approves may be that maker. */
function directApproval({ builder_known }: Attempt, acts: readonly Act[], cover: Facts['cover']): Act | null {
  if (!builder_known && cover('protected', null) === null) return null
  return acts.find(({ type }) => type === 'DIRECT_APPROVAL') ?? null
}

function faultsOf(task: TaskState, attempt: Attempt): Reason[] {
  const broken = task.invariants_broken.map((detail): Reason => ({
    code: 'SYSTEM_INVARIANT_VIOLATED',
    subject: null,
    detail,
  }))
  return [...broken, ...notedFaults(attempt)]
}

export const notedFaults = ({ faults }: Attempt): Reason[] =>
  Object.entries(faults).map(([subject, detail]) => ({ code: 'SYSTEM_FAULT', subject, detail }))

/** Who says that one fault may be does not say so of the next one. */
export const faultKey = ({ subject, detail }: Reason): string => `${subject ?? ''}: ${detail ?? ''}`

const isOfProposal = ({ code }: Reason): boolean => code === 'policy_proposed'

function guardedReasons(attempt: Attempt): Reason[] {
  const paths = pathsOf(attempt)
  const guarded = (paths?.guarded ?? []).map((path): Reason => ({
    code: 'protected_path',
    subject: path,
    detail: null,
  }))
  if (paths?.known === false) guarded.push({ code: 'paths_unknown', subject: null, detail: null })
  if (!attempt.files_complete) guarded.push({ code: 'too_large', subject: null, detail: null })
  if (!attempt.builder_known) guarded.push({ code: 'builder_unknown', subject: null, detail: null })
  return guarded
}

function tier1Of(attempt: Attempt): Facts['tier1'] {
  if (attempt.files?.length === 0) {
    return { state: 'failed', id: 'empty', reasons: [{ code: 'AGENT_NO_CHANGES', subject: null, detail: null }] }
  }
  const { tier1 } = attempt
  if (tier1 === null) return { state: 'running', id: '', reasons: [] }
  const { id } = tier1
  if (tier1.passed) return { state: 'passed', id, reasons: [] }
  const failed = tier1.checks.filter(({ passed }) => !passed)
  const reasons = failed.map(({ name, detail }): Reason => ({
    code: 'VERIFICATION_TIER1_FAILED',
    subject: name,
    detail,
  }))
  const vague: Reason = { code: 'VERIFICATION_TIER1_FAILED', subject: null, detail: tier1.feedback }
  return { state: 'failed', id, reasons: reasons.length > 0 ? reasons : [vague] }
}

/** A check that its own `paths` leave out is neither passed nor failed. */
function requiredChecks(attempt: Attempt): RuledCheck[] {
  return rulesThatApply(attempt)
    .filter(({ required }) => required)
    .map((rule) => ({ rule, record: attempt.checks[rule.name] ?? null }))
}

export function rulesThatApply(attempt: Attempt): CheckRule[] {
  const { checks } = attempt.contract.policy.verification
  const paths = pathsOf(attempt)
  // What GitHub did not list may be anywhere, so no check is left out for what it did list.
  if (paths === null || !attempt.files_complete) return checks
  const applying = new Set(paths.applying)
  return checks.filter(({ name }) => applying.has(name))
}

/** On record since patterns are held against paths once; what is older is computed as it was then. */
function pathsOf({ files, paths, contract }: Attempt): PathFacts | null {
  return paths ?? (files === null ? null : pathFacts(files, pathRules(contract)))
}

export const idOf = (record: CheckRecord | null): string | null => record?.id ?? null
export const isRunning = (record: CheckRecord | null): boolean => record === null || record.state === 'running'
export const hasFailed = (record: CheckRecord | null): boolean => !isRunning(record) && record?.state !== 'passed'

export function isVerifierOn(attempt: Attempt): boolean {
  const { enabled, tier } = attempt.contract.policy.verification.verifier
  return tier > 1 && (enabled === true || (enabled === 'auto' && attempt.model_available))
}

/** Whether what the Action handed over is to be looked at, and nobody has yet. */
const looksAtScreenshots = (attempt: Attempt): boolean =>
  wantsScreenshots(attempt) && attempt.gates.vision === undefined

/** Too little confidence, or none where a minimum applies, is a referral whatever the verdict said. */
export function effectiveVerdict(attempt: Attempt): Facts['verdict'] {
  if (!isVerifierOn(attempt) || attempt.verifier.phase !== 'answered') return null
  const { id, verdict } = attempt.verifier
  const minimum = minConfidence(attempt.contract.policy)
  const confident = minimum === null || (verdict.confidence !== null && verdict.confidence >= minimum)
  if (confident || verdict.outcome === 'REFER') return { id, verdict }
  return { id, verdict: { ...verdict, outcome: 'REFER', reason_code: 'low_confidence' } }
}

/** The result that an override covers when it is given for an answer that never came. */
export const unreported = 'unreported'

type Pipeline = Pick<Facts, 'cover' | 'required' | 'failing' | 'verifierOn'> & { tier1: Facts['tier1']['state'] }

/** Answers of the stages up to the verifier that are still to come. What an override names is not waited for. */
function awaitedAnswers(
  task: TaskState,
  attempt: Attempt,
  { cover, tier1, required, failing, verifierOn }: Pipeline,
): Reason[] {
  const awaited: Reason[] = []
  const excused = (subject: string): boolean => cover(subject, attempt.waited ? unreported : null) !== null
  if (awaitsItsTask(task, attempt)) awaited.push({ code: 'awaiting_task', subject: null, detail: null })
  if (attempt.files === null) awaited.push({ code: 'awaiting_files', subject: null, detail: null })
  if (tier1 === 'running' && !excused('tier1')) {
    awaited.push({ code: 'awaiting_tier1', subject: 'tier1', detail: null })
  }
  for (const { rule, record } of required) {
    if (isRunning(record) && !excused(`check:${rule.name}`)) {
      awaited.push({ code: 'awaiting_check', subject: rule.name, detail: null })
    }
  }
  if (looksAtScreenshots(attempt) && attempt.screenshots === null && !excused('vision')) {
    awaited.push({ code: 'awaiting_screenshots', subject: 'screenshots', detail: null })
  }
  const { run_when_checks_fail } = attempt.contract.policy.verification.verifier
  const willRun = verifierOn && (failing.length === 0 || run_when_checks_fail)
  const silent = attempt.verifier.phase === 'idle' || attempt.verifier.phase === 'running'
  if (willRun && silent && !excused('verifier')) {
    awaited.push({ code: 'awaiting_verifier', subject: 'verifier', detail: null })
  }
  return awaited
}

/** Changes that were requested on another commit of this pull request; on this one they are a rejection, where it was known then. */
export function changesRequestedBefore(task: TaskState, attempt: Attempt): Review[] {
  return standingReviews(task).filter(
    (review) =>
      review.state === 'changes_requested' &&
      review.counts &&
      isAbout('change_request', review, attempt) &&
      (review.head_sha !== attempt.head_sha || !isRejection(task, review)),
  )
}

function isRejection({ attempts }: TaskState, { id: key }: Review): boolean {
  const id = actId({ key, override_type: 'REJECTION' })
  return attempts.some(({ acts }) => acts.some((act) => act.id === id))
}

/** Where one person may be everything, the built-in verifier's pass together with passed checks confirms. */
export function confirmedByVerifier({ policy, attempt, required, verdict, task }: Facts): boolean {
  const passed = required.length > 0 && required.every(({ record }) => record?.state === 'passed')
  const solo = separationFor(policy, attempt.census, task.builders) === 'solo'
  return solo && passed && verdict?.verdict.outcome === 'PASS'
}
