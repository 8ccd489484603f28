// What an input means for a task: new events, or none when it says nothing new. First the facts that it brings, then
// what follows from them. The same input twice changes nothing the second time.
import { kept } from '../record/answers.ts'
import { isFromBefore } from '../../as-of.ts'
import { equal } from '../../canonical.ts'
import { isLimited, keepUnheard, lastAttempt, supersede, toReview, voidActs } from './attempt.ts'
import { consequences } from './consequences.ts'
import { checked, gateAnswered, judged, listed, merged, onTheWay, waited } from './decide-results.ts'
import { hear } from './decide-said.ts'
import { drifted } from './drift.ts'
import { emit, type Draft } from './draft.ts'
import type { EventData, NewEvent } from '../record/events.ts'
import { sameEnd } from '../results/ended-at.ts'
import { jobOf } from '../results/job-of.ts'
import type { Input, OpenAttempt } from './inputs.ts'
import { join, joinGoal, joinRequest, leaveGoal, takeUp } from './joining.ts'
import type { ReasonCode } from '../decision.ts'
import type { Attempt, Dependency, Regression, TaskState } from '../model.ts'
import { checkSlot } from '../shown/slots.ts'
import { isAbout, isSamePlace } from '../subject.ts'

export function decide(task: TaskState, input: Input, at: string): readonly NewEvent[] {
  const draft: Draft = { task, events: [], at }
  if ('attempt_id' in input) reportOn(draft, input)
  else if (input.type === 'open_attempt') open(draft, input)
  else if (input.type === 'carry_rejection') carry(draft, input.rejection)
  else if (input.type === 'note_stranger') strange(draft, input)
  else if (input.type === 'join_goal') joinGoal(draft, input)
  else if (input.type === 'leave_goal') leaveGoal(draft, input.goal)
  else if (input.type === 'join_request') joinRequest(draft, input)
  else if (input.type === 'report_dependencies') follow(draft, input.on)
  else if (input.type === 'take_up') takeUp(draft, input)
  else if (input.type === 'join_task') join(draft, input)
  else if (!task.heard.includes(input.saying.key)) hear(draft, input)
  if (draft.events.length > 0) consequences(draft, 'attempt_id' in input ? input.attempt_id : null)
  return draft.events
}

/**
 * One commit under one policy and for one base is one attempt, whatever happens around it: closing, editing its words
 * and opening it again changes nothing of what it is judged by.
 */
function open(draft: Draft, input: OpenAttempt): void {
  const { repository, pull, head_sha, tree_sha, base_ref, merges_into, policy_source } = input
  const subject = { repository, pull, head_sha, tree_sha, base_ref, policy_hash: input.contract.policy_hash }
  const same = draft.task.attempts.filter((attempt) => attempt.pull === pull && attempt.head_sha === head_sha)
  const isThis = (attempt: Attempt): boolean =>
    isAbout('attempt', attempt, subject) &&
    attempt.merges_into === merges_into &&
    (input.renewed !== true || attempt.contract.contract_hash === input.contract.contract_hash)
  // Where somebody had it judged by a newer task, that one stays.
  const known = same.findLast(isThis)
  if (known?.live === true) return
  const contract = known?.contract ?? input.contract
  const last = lastAttempt(draft.task, pull)
  // Also where this came while the pull request was a draft or closed.
  for (const attempt of draft.task.attempts.filter((other) => other.pull === pull && other.id !== known?.id)) {
    const terms = attempt.policy_hash === subject.policy_hash ? 'task' : 'policy'
    const moved = attempt.base_ref === base_ref && attempt.merges_into === merges_into ? terms : 'retarget'
    const why = attempt.head_sha === head_sha ? moved : 'push'
    if (attempt.live) supersede(draft, attempt, why, head_sha)
    voidActs(draft, attempt, why)
  }
  if (input.group === null) toReview(draft, input.builders[0] ?? null, input.title)
  const name = draft.task.task_id.split('#')[0] ?? ''
  const id = known?.id ?? `${name}#${pull}@${head_sha}${same.length === 0 ? '' : `~${same.length + 1}`}`
  const at = { attempt_id: id, head_sha }
  const { policy_hash, contract_hash } = contract
  const atBase = same.find((attempt) => attempt.base_ref === base_ref && attempt.merges_into === merges_into)
  // This commit had another base just now, or had never this one: what was found out before was about another base.
  const here = same.find(({ live }) => live) ?? atBase
  const moved = same.length > 0 && (here?.base_ref !== base_ref || here.merges_into !== merges_into)
  // Whoever came across it knows not since when. Of a base that it merges into GitHub tells that with each result.
  const isDated = input.found !== true || here?.merges_into === merges_into
  const problems = policy_source.problems
  emit(draft, {
    type: 'PolicyRead',
    ...at,
    data: { policy_hash, source_sha: policy_source.sha, valid: problems.length === 0, problems },
  })
  const { invalid, remarks, builder_known, model_available, census, check_name, protection, head_at } = input
  const { group, builders, guest, sources, merges_base, head_branch } = input
  emit(draft, {
    type: 'AttemptStarted',
    ...at,
    data: {
      attempt_number: known?.ordinal ?? draft.task.attempts.length + 1,
      contract_hash,
      policy_hash,
      repository,
      base_ref,
      merges_into,
      merges_base,
      head_branch,
      ...leftAt(known, same),
      results_since: moved && isDated ? head_at : (atBase?.results_since ?? input.moved_at ?? null),
      guest,
      sources: equal(sources, draft.task.sources) ? null : sources,
      check_name,
      protection,
      ...(input.starter === undefined ? {} : { starter: input.starter }),
      head_at,
      group,
      builder_set: builders,
      pull,
      tree_sha,
      contract,
      invalid,
      remarks,
      policy_unreadable: invalid.some(({ code }) => untrusted.includes(code)),
      builder_known,
      limited: group === null && isLimited(contract.policy, builders),
      model_available,
      census,
    },
  })
  keepUnheard(draft, last, at)
  // In one batch with the attempt: whoever settles next must not show it in a second place.
  const { announced: ref } = input
  if (ref !== null) {
    emit(draft, {
      type: 'SlotShown',
      ...at,
      data: { slot: checkSlot(head_sha, check_name), digest: `announced ${ref}`, ref },
    })
  }
  const from = known?.state ?? 'none'
  if (from === 'none' || from === 'SUPERSEDED') {
    emit(draft, { type: 'TaskExecutionStateChanged', ...at, data: { from, to: 'RUNNING' } })
  }
}

/** When the commit left this attempt for another base, where it did since the attempt had last begun. */
function leftAt(
  known: Attempt | undefined,
  same: readonly Attempt[],
): Pick<EventData['AttemptStarted'], 'results_until'> {
  if (known === undefined) return {}
  const isElsewhere = (other: Attempt): boolean =>
    !isSamePlace(other, known) && !isFromBefore(other.head_at, known.head_at)
  const left = same.filter(isElsewhere).map(({ head_at }) => head_at)
  const [first] = left.toSorted()
  return first === undefined ? {} : { results_until: first }
}

/** Where these stand, no policy says who may act, so only an administrator may. */
const untrusted: readonly ReasonCode[] = ['policy_invalid', 'policy_proposed', 'proposal_invalid']

/** Looked at once, it is news only where something of it has changed. */
function follow(draft: Draft, on: readonly Dependency[]): void {
  if (equal(draft.task.waits_for, on)) return
  emit(draft, { type: 'DependenciesSeen', attempt_id: null, head_sha: null, data: { on } })
}

/** What was said of a rejection elsewhere before is not said again. */
function carry(draft: Draft, rejection: Extract<Input, { type: 'carry_rejection' }>['rejection']): void {
  const known = draft.task.carried.find(({ id, stream }) => id === rejection.id && stream === rejection.stream)
  // Here it may have been lifted already; it does not come back by standing where it was made.
  const isNews = known === undefined ? rejection.standing === 'stands' : known.standing !== rejection.standing
  if (!isNews || (known !== undefined && known.standing !== 'stands')) return
  emit(draft, { type: 'RejectionCarried', attempt_id: null, head_sha: rejection.head_sha, data: rejection })
}

function strange(draft: Draft, { key, user, pull }: Extract<Input, { type: 'note_stranger' }>): void {
  if (draft.task.heard.includes(key)) return
  const data = { key, user: user.login, user_id: user.id, pull }
  emit(draft, { type: 'StrangerAnswered', attempt_id: null, head_sha: null, data })
}

/** Nobody has to confirm again what is not confirmed, or what they confirmed although they were told of this. */
function regressed(
  { status, assignee }: TaskState,
  { merged, id, head_sha, regressions }: Attempt,
  regression: Regression,
): NewEvent[] {
  const isKnown = regressions.some((one) => equal(one, regression))
  if (status !== 'verified' || merged === null || isKnown) return []
  const { why, sha } = regression
  const reason = `${why} at ${sha.slice(0, 7)}`
  const data = { by: 'countersign', reason, assignee: assignee?.login ?? null, regression }
  return [{ type: 'TaskReopened', attempt_id: id, head_sha, data }]
}

type Report = Extract<Input, { attempt_id: string }>

/** A report about an attempt that is not open here has nothing to say: what is owed is asked for when one opens. */
function reportOn(draft: Draft, input: Report): void {
  const attempt = draft.task.attempts.find(({ id }) => id === input.attempt_id)
  if (attempt !== undefined) emit(draft, ...reported(draft, attempt, input))
}

function reported(draft: Draft, attempt: Attempt, input: Report): NewEvent[] {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const ids = { task_id: draft.task.task_id, attempt_id: attempt.id }
  switch (input.type) {
    case 'end_attempt':
      if (attempt.live) supersede(draft, attempt, input.why, null)
      return []
    case 'report_merge':
      return merged(attempt, input.by)
    case 'report_regression':
      return regressed(draft.task, attempt, { why: input.why, sha: input.sha })
    case 'add_builder':
      return [
        {
          type: 'ExternalModificationDetected',
          ...at,
          data: { login: input.builder.login, sha: input.sha, builder: input.builder },
        },
      ]
    case 'ask_deployment': {
      const { run, environment, sha } = input
      const isKnown = attempt.deployments.some((one) => one.run === run && one.environment === environment)
      return isKnown ? [] : [{ type: 'DeploymentAsked', ...at, data: { run, environment, sha } }]
    }
    case 'note_fault': {
      const { doing, what } = input
      return (attempt.faults[doing] ?? null) === what ? [] : [{ type: 'FaultNoted', ...at, data: { doing, what } }]
    }
    case 'report_files':
      return attempt.files === null ? listed(attempt, input) : []
    case 'report_policy_copy': {
      const { problems, effect } = input
      const data = { problems, ...(effect === undefined ? {} : { effect }) }
      return attempt.policy_copy === null ? [{ type: 'PolicyCopyRead', ...at, data }] : []
    }
    case 'note_drift':
      return drifted(attempt, input)
    case 'report_ahead':
      return equal(attempt.ahead.pulls, input.pulls) ? [] : [{ type: 'AheadSeen', ...at, data: { pulls: input.pulls } }]
    case 'report_stages':
      return equal(attempt.stages, input.people) ? [] : [{ type: 'StagesRead', ...at, data: { people: input.people } }]
    case 'report_members': {
      const { lacking, covers } = input
      const { group, live } = attempt
      // Whoever was asked just before the group ended may answer after it.
      if (!live || group === null || equal(group, { ...group, lacking, covers })) return []
      return [{ type: 'MembersJudged', ...at, data: { lacking, covers } }]
    }
    case 'report_obstacle':
      return attempt.obstacle === input.obstacle
        ? []
        : [{ type: 'RunObstructed', ...at, data: { obstacle: input.obstacle } }]
    case 'report_tier1': {
      const { run, passed, checks, findings, feedback, unseen = [] } = input
      if (attempt.tier1?.id === run) return []
      const found = { passed, checks, findings, feedback, unseen, run, ...sameEnd(input) }
      const data = { tier: 1, confidence: null, ...found } as const
      return [{ type: 'TierCompleted', ...at, data }]
    }
    case 'report_screenshots': {
      const { run, shots } = input
      const data = { run, shots }
      return equal(attempt.screenshots, data) ? [] : [{ type: 'ScreenshotsReported', ...at, data }]
    }
    case 'refuse_result': {
      const { source, why } = input
      return attempt.refused.some((one) => equal(one, { source, why }))
        ? []
        : [{ type: 'ResultRefused', ...at, data: { source, why } }]
    }
    case 'leave_out_check':
      return equal(attempt.checks[input.name], { id: input.run, state: 'left_out', result: null, name: input.name })
        ? []
        : [{ type: 'CheckLeftOut', ...at, data: { check_name: input.name, run: input.run } }]
    case 'start_check':
      if (attempt.checks[input.name]?.id === input.run) return []
      return [
        { type: 'CheckStarted', ...at, data: { check_name: input.name, run: input.run, ...jobOf(input), ...ids } },
      ]
    case 'report_check':
      return checked(draft.task, attempt, input)
    case 'start_verification': {
      const { session_id, tier, prompt_hash, handoff_hash } = input
      if (attempt.verifier.phase !== 'idle' && attempt.verifier.phase !== 'unavailable') return []
      return [{ type: 'VerificationStarted', ...at, data: { ...ids, session_id, tier, prompt_hash, handoff_hash } }]
    }
    case 'report_verdict':
      return judged(attempt, input, ids)
    case 'report_unavailable': {
      const { session_id, reason, retry_at, cost, raw = [], happened = [] } = input
      const { verifier } = attempt
      if (verifier.phase === 'answered' || (verifier.phase === 'unavailable' && verifier.id === session_id)) return []
      const extra = { ...(cost === undefined ? {} : { cost }), ...(raw.length === 0 ? {} : { raw: raw.map(kept) }) }
      const data = { ...ids, session_id, reason, retry_at, ...extra }
      return [...onTheWay(happened, at), { type: 'VerificationUnavailable', ...at, data }]
    }
    case 'report_gate': {
      return gateAnswered(attempt, input)
    }
    case 'end_wait':
      return waited(attempt, input.what)
    case 'show_slot': {
      const { slot, digest, ref } = input
      return draft.task.slots[slot]?.digest === digest
        ? []
        : [{ type: 'SlotShown', ...at, data: { slot, digest, ref } }]
    }
  }
}
