// Events to a timeline: who did what, when, in words. The same lines stand in the check run, the log and the web page.
import type { NewEvent, RecordedEvent } from '../../decision/record/events.ts'
import type { Reason, ReasonCode } from '../../decision/decision.ts'
import { spoken } from '../../people/stage-people.ts'
import { plural } from '../text/plural.ts'
import { neutralLine } from '../text/neutral.ts'
import { codeSpan } from '../text/untrusted.ts'
import { isUnclear } from '../../criteria/criteria.ts'
import { blockersOf } from '../../decision/gate/blocked.ts'
import { onTheWaySentence, stepsWords } from './explain-review.ts'
import { goalSentence, isOfGoals } from './explain-goal.ts'
import { isOfRequests, requestSentence } from './explain-request.ts'
import { sayAct, sayDecision, sayReason } from '../say.ts'
import { sayRefusal } from '../say-refusal.ts'
import { numberIn } from '../../names.ts'

export type Moment = { readonly at: string; readonly who: string; readonly text: string }

/** `feedback`: with what the verifier said, which policy may keep from whoever tries again. */
export function explain(events: readonly RecordedEvent[], { feedback = true } = {}): Moment[] {
  return events.flatMap((event) => {
    const text = sentence(feedback ? event : withoutFeedback(event))
    return text === null ? [] : [{ at: event.at, who: whoDid(event), text }]
  })
}

function withoutFeedback(event: RecordedEvent): RecordedEvent {
  if (event.type === 'VerificationCompleted') return { ...event, data: { ...event.data, feedback: null } }
  if (event.type !== 'DecisionConcluded') return event
  return { ...event, data: withoutVerifierWords(event.data) }
}

const ofVerifier: readonly ReasonCode[] = ['VERIFICATION_AGENT_REJECTED', 'referred']

/** A decision that does not repeat what the verifier said. */
export const withoutVerifierWords = <T extends { readonly reasons: readonly Reason[] }>(decision: T): T => ({
  ...decision,
  reasons: decision.reasons.map((one) => (ofVerifier.includes(one.code) ? { ...one, detail: null } : one)),
})

/** A step that a pull request implies was taken by its builder, whoever's act brought it about. */
function whoDid(event: RecordedEvent): string {
  if ('implicit' in event.data && event.data.implicit) return name(event.data.by)
  return ours.includes(event.type) ? 'countersign' : name(event.actor.login)
}

/** What follows from somebody's act is still ours to answer for. */
const ours: readonly NewEvent['type'][] = [
  'DecisionConcluded',
  'TaskSentBack',
  'OverrideVoided',
  'RetryLimitReached',
  'EscalationRaised',
  'ErrorOccurred',
]

export function sayMoment({ at, who, text }: Moment): string {
  return `${at.slice(0, 19).replace('T', ' ')}  ${who.padEnd(14)} ${text}`
}

/** Bookkeeping between our own parts has no sentence; every event that somebody might ask about has one. */
function sentence(event: NewEvent): string | null {
  if (isOfGoals(event)) return goalSentence(event)
  if (isOfRequests(event)) return requestSentence(event)
  switch (event.type) {
    case 'CriteriaSeen':
      return isUnclear(event.data)
        ? `found its criteria too unclear to be judged by: ${neutralLine(event.data.lacking[0] ?? '')}`
        : 'found nothing unclear in its criteria that would have to be told'
    case 'TaskCreated':
      return `opened the task “${neutralLine(event.data.title)}”`
    case 'TaskAssigned':
      return `assigned the task to ${name(event.data.assignee)}${implied(event.data)}`
    case 'TaskStarted':
      return `started work${implied(event.data)}`
    case 'TaskSubmitted':
      return `submitted the work${implied(event.data)}`
    case 'TaskCompleted':
      return `completed the task, approved by ${event.data.approvals.map(name).join(', ')}`
    case 'TaskVerified':
      return `confirmed the task${event.data.separation === 'solo' ? ' (solo)' : ''}${quoted(event.data.notes)}`
    case 'TaskSentBack':
      return `sent the task back to work: ${neutralLine(event.data.reason)}`
    case 'TaskReopened':
      return `reopened the task${quoted(event.data.reason)}`
    case 'PolicyRead':
      return event.data.valid
        ? null
        : `found the policy invalid: ${event.data.problems.map((one) => neutralLine(one)).join('; ')}`
    case 'AttemptStarted':
      return `began attempt ${event.data.attempt_number} at ${short(event.head_sha)} for ${name(event.data.base_ref)}`
    case 'AttemptSuperseded':
      return `ended ${short(event.head_sha)}: ${ending(event.data)}`
    case 'GuestTakenUp':
      return event.data.to === null
        ? 'was taken up, and is a task of its own'
        : `was taken up as an attempt at #${numberIn(event.data.to)}`
    case 'GuestJoined':
      return `joined this task as #${event.data.pull}, with what was said there`
    case 'MembersJudged':
      if (event.data.lacking === null)
        return 'found something said at a pull request in the group that is to be heard first'
      return event.data.lacking.length === 0
        ? 'found every pull request in the group a success at the queued head'
        : `found no success at the queued head: ${event.data.lacking.map((pull) => `#${pull}`).join(', ')}`
    case 'ExternalModificationDetected':
      return `counts ${name(event.data.login)} as a builder for ${short(event.data.sha)}`
    case 'ScopeValidated':
      return `found every changed file within the scope: ${event.data.files_checked}`
    case 'ScopeViolationDetected':
      return `found ${codeSpan(event.data.path)} ${event.data.violation_type === 'denied' ? 'denied' : 'outside the scope'}`
    case 'CheckStarted':
      return `started check ${codeSpan(event.data.check_name)}`
    case 'CheckCompleted':
      return checkEnded(event.data)
    case 'CheckLeftOut':
      return `left out check ${codeSpan(event.data.check_name)} by its paths`
    case 'ResultRefused':
      return `did not believe ${name(event.data.source)}: ${neutralLine(event.data.why)}`
    case 'RunObstructed':
      return event.data.obstacle === null
        ? 'found the way for results free again'
        : `cannot get results: ${event.data.obstacle.replaceAll('_', ' ')}`
    case 'DeploymentAsked':
      return `was asked whether ${name(event.data.sha.slice(0, 7))} may be deployed to ${codeSpan(event.data.environment)}`
    case 'WaitEnded':
      return event.data.what === 'park_wait' ? 'gave up waiting for a person' : 'gave up waiting for results'
    case 'VerificationStarted':
      return 'asked for an AI review'
    case 'VerificationCompleted':
      return `the AI review said ${event.data.outcome}${quoted(event.data.feedback ?? '')}${stepsWords(event.data.steps)}`
    case 'VerificationUnavailable':
      return `no AI review could be made (${name(event.data.reason)})`
    case 'TierCompleted':
    case 'VoteCast':
    case 'VotesTallied':
    case 'VerdictDowngraded':
    case 'AuthorityDeferenceDetected':
    case 'AssumptionViolation':
    case 'SemanticDriftWarning':
    case 'VerificationPlanned':
    case 'StepFailed':
    case 'DecompositionFellBack':
    case 'ModelPaused':
      return onTheWaySentence(event)
    case 'VerificationReopened':
      return 'asked for another AI review'
    case 'VerdictOverriddenToRefer':
      return `made ${event.data.from} a referral: confidence ${event.data.confidence ?? 'missing'}, ${event.data.threshold} needed`
    case 'ReviewStageCompleted':
      return stageLine(event.data)
    case 'ScreenshotsReported':
      return event.data.shots === null
        ? 'a run of the Action ended without screenshots'
        : `got ${plural(event.data.shots.length, 'screenshot', 'screenshots')}`
    case 'RedTeamGateCompleted':
      return `red team: ${event.data.verdict}${quoted(event.data.summary)}`
    case 'VisionGateCompleted':
      return `vision: ${event.data.verdict}${quoted(event.data.summary)}`
    case 'HumanOverride':
      return sayAct({ ...event.data, type: event.data.override_type, standing: 'stands' })
    case 'OverrideDenied':
    case 'CommandRefused':
      return `said ${neutralLine(event.data.command, 80)}. ${sayRefusal(event.data)}`
    case 'ActAsked':
      return `set a label to ${event.data.act}, with a reason to come`
    case 'ActWithdrawn':
      return `took the label \`countersign:${event.data.act}\` away`
    case 'RejectionCarried':
      return event.data.standing === 'stands'
        ? `rejected this tree in another pull request${quoted(event.data.reason)}`
        : 'took back the rejection of this tree'
    case 'FaultNoted':
      return event.data.what === null
        ? `is no longer failing at ${event.data.doing}`
        : `failed by a fault of its own at ${event.data.doing}: ${neutralLine(event.data.what)}`
    case 'AssumptionsTold':
      return `took for granted: ${event.data.assumed.map(({ text }) => neutralLine(text)).join('; ')}`
    case 'StrangerAnswered':
      return null
    case 'OverrideRevoked':
      return `took an act back: ${neutralLine(event.data.reason)}`
    case 'RejectionRestored':
      return `the rejection by ${name(event.data.by)} stands: what it was taken back by was about another word`
    case 'OverrideVoided':
      return `an act on ${short(event.head_sha)} ended with the ${event.data.why}`
    case 'ReviewSubmitted':
      return reviewed(event.data)
    case 'ReviewDismissed':
      return event.data.review_by === ''
        ? 'dismissed a review that was not heard yet'
        : `dismissed the review by ${name(event.data.review_by)}`
    case 'RetryLimitReached':
      return event.data.cause === 'attempts'
        ? `used up all ${event.data.max_attempts} attempts`
        : 'stopped for lack of progress'
    case 'EscalationRaised':
      return `escalated to ${event.data.to.map(name).join(', ')}: ${event.data.why.replaceAll('_', ' ').toLowerCase()}`
    case 'DecisionConcluded':
      return `decided: ${sayDecision(event.data)}`
    case 'VerificationRejected':
      return `did not confirm the task (${event.data.count} in a row)${quoted(event.data.reason)}`
    case 'TriageDecided': {
      const { action, assignee, reason } = event.data
      return action === 'accept'
        ? `let the task go on as it is${quoted(reason)}`
        : `gave the task to ${name(assignee?.login ?? '')}`
    }
    case 'AttemptMerged':
      return event.data.by === null ? 'was merged' : `merged ${short(event.head_sha)}`
    case 'TaskOfGoal':
      return `is a task of the goal #${event.data.goal}`
    case 'DependenciesSeen': {
      const open = blockersOf({ waits_for: event.data.on }).map(({ name }) => neutralLine(name))
      return open.length === 0 ? null : `waits for ${open.join(', ')}`
    }
    case 'BesideSeen': {
      const { pull, issues } = event.data
      const closed = issues.map(({ number }) => `#${number}`).join(', ')
      return closed === '' ? `#${pull} closes nothing beside this task` : `#${pull} closes ${closed} as well`
    }
    case 'TaskOfRequest':
      return `comes from the request #${event.data.request}`
    case 'TaskLeftGoal':
      return `is no task of the goal #${event.data.goal} any more`
    case 'MergedWithoutSuccess':
      return `merged ${short(event.data.sha)} although it was no success: ${event.data.decision}`
    case 'ErrorOccurred':
      return `error: ${sayReason(event.data.error)}`
    case 'DelegationDrift':
      return `found that the task asks for something else by now: ${event.data.added.length} new, ${event.data.gone.length} gone`
    case 'AheadSeen': {
      const before = event.data.pulls.map(({ pull }) => `#${pull}`)
      return before.length === 0 ? 'found the way free' : `found ${before.join(', ')} before it in the same places`
    }
    case 'StagesRead':
      return stagesLine(event.data)
    case 'PolicyCopyRead':
    case 'FilesListed':
    case 'AttemptCompleted':
    case 'AttemptFailed':
    case 'RetryContextAssembled':
    case 'ContextTruncated':
    case 'TaskExecutionStateChanged':
    case 'SlotShown':
      return null
  }
}

type DataOf<T extends NewEvent['type']> = Extract<NewEvent, { type: T }>['data']

function stageLine({ stage, verdict, by, reason }: DataOf<'ReviewStageCompleted'>): string {
  const who = by.map((one) => neutralLine(one)).join(', ')
  const words = { PASS: `passed by ${who}`, FAIL: `sent back by ${who}${quoted(reason)}`, SKIP: 'does not apply' }
  return `review stage ${codeSpan(stage)}: ${words[verdict]}`
}

const stagesLine = ({ people }: DataOf<'StagesRead'>): string =>
  people
    .map(({ stage, groups, trouble }) => {
      const names = groups.map((group) => group.map((one) => name(spoken(one))).join(', ')).join(' and ')
      return `${codeSpan(stage)} asks ${trouble === null ? names : 'nobody that can be told'}`
    })
    .join('; ')
const name = (text: string): string => neutralLine(text, 120)
const short = (sha: string | null): string => sha?.slice(0, 7) ?? 'no commit'
const implied = ({ implicit }: { implicit: boolean }): string => (implicit ? ' (implied by the pull request)' : '')
const quoted = (text: string): string => (text.trim() === '' ? '' : `: ${neutralLine(text)}`)

function ending({ why, by_sha }: DataOf<'AttemptSuperseded'>): string {
  const endings = {
    push: `${short(by_sha)} was pushed`,
    retarget: 'the base branch was changed',
    policy: 'the policy on the base branch is a newer one',
    draft: 'it became a draft',
    closed: 'it was closed',
    taken_up: 'it is an attempt at another task now',
    task: 'somebody wants it judged by what the task asks now',
  } as const satisfies Record<typeof why, string>
  return endings[why]
}

function checkEnded({ check_name, passed, exit_code, error_code, duration_ms }: DataOf<'CheckCompleted'>): string {
  const name = `check ${codeSpan(check_name)}`
  if (passed) return `${name} passed in ${(duration_ms / 1000).toFixed(1)} s`
  if (error_code === 'VERIFICATION_TIMEOUT') return `${name} timed out`
  return error_code === 'VERIFICATION_CHECK_MISSING'
    ? `${name} never reported`
    : `${name} failed with exit code ${exit_code}`
}

function reviewed({ state, counts, why_not, head_sha: sha }: DataOf<'ReviewSubmitted'>): string {
  const verb = state === 'approved' ? 'approved' : 'requested changes on'
  return `${verb} ${short(sha)}${counts ? '' : `, which does not count: ${why_not?.replaceAll('_', ' ') ?? ''}`}`
}
