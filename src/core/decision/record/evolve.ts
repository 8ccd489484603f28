// The state of a task as a fold over its events. Nothing is decided here: an event says what happened, and this is
// what it means for the state. Replaying a stream gives the live state, byte for byte.
import { attemptMayMove, taskMayMove } from '../rules/transitions.ts'
// prettier-ignore
import { assigned, broke, closing, made, ofGoal, reopened, sentBack, toDeploy, triaged, verified, waitingFor, withoutConfirmation } from './evolve-task.ts'
import { aheadNow } from './ahead-now.ts'
import { acted, carried, dismissed, guestJoined, reviewed, standing, withdrawn } from './evolve-acts.ts'
import type { EventType, NewEvent, RecordedEvent } from './events.ts'
// prettier-ignore
import { checkCompleted, checkStarted, gateCompleted, screenshotsReported, tierCompleted, waitingAgain, withCheck } from './evolve-results.ts'
import { concluded, shown, started } from './evolve-attempt.ts'
import { broken, on } from './fold.ts'
import type { TaskState, TaskStatus } from '../model.ts'
import { hearing, refusedOnce } from '../../people/conversation.ts'
import { tookBack, tookNothingBack } from '../../people/taking-back.ts'
import { askedAgain } from '../gate/asked-again.ts'
import { answerOf } from '../examined.ts'

/** Somebody who forges one result after the other does not make the page longer. */
const REFUSED_MAX = 5

type Of<T extends EventType> = Extract<NewEvent, { type: T }>

export const emptyTask = (task_id: string): TaskState => ({
  task_id,
  status: 'none',
  assignee: null,
  attempts: [],
  opened: {},
  heads: {},
  counted_after: 0,
  builders: [],
  reviews: [],
  taken_back: [],
  dismissed: {},
  unlabelled: {},
  carried: [],
  deeds: 0,
  confirmers: [],
  taken_up: null,
  joined: [],
  sources: [],
  goals: [],
  parts: [],
  request: null,
  waits_for: null,
  beside: {},
  sent_back: [],
  heard: [],
  refusals: {},
  invariants_broken: [],
  slots: {},
})

export function replay(task: TaskState, events: readonly RecordedEvent[]): TaskState {
  return events.reduce((state, event) => evolve(state, event, event.at), task)
}

export function evolve(task: TaskState, event: NewEvent, at: string): TaskState {
  if (isOfAnIssue(event)) return broken(task, `${event.type} is no event of a task`)
  if (isTold(event)) return task
  switch (event.type) {
    case 'TaskCreated':
      return moveTask(task, 'pending')
    case 'TaskAssigned':
      return assigned(moveTask(task, 'assigned'), event)
    case 'TaskStarted':
      return moveTask(task, 'in_progress')
    case 'TaskSubmitted':
      return moveTask(task, 'review')
    case 'TaskCompleted':
      return moveTask(task, 'completed')
    case 'TaskVerified':
      return verified(moveTask(task, 'verified'), event, at)
    case 'TaskSentBack':
      return sentBack(moveTask(task, 'in_progress'), event)
    case 'TaskReopened':
      return broke(reopened(withoutConfirmation(moveTask(task, 'in_progress'))), event)
    case 'VerificationRejected': {
      const { by: login, user_id: id } = event.data
      return { ...task, sent_back: [...task.sent_back, { id, login }] }
    }
    case 'TriageDecided':
      return triaged(task, event.data)
    case 'TaskOfGoal':
      return ofGoal(task, event.data)
    case 'DependenciesSeen':
      return waitingFor(task, event.data.on, at)
    case 'BesideSeen':
      return closing(task, event.data, at)
    case 'TaskOfRequest':
      return { ...task, request: event.data.request }
    case 'TaskLeftGoal':
      return { ...task, goals: task.goals.filter(({ number }) => number !== event.data.goal) }
    case 'AttemptMerged': {
      const { by: login, user_id: id } = event.data
      return on(task, event, () => ({ merged: { by: login === null ? null : { id, login } } }))
    }
    case 'AttemptStarted':
      return started(task, event, at)
    case 'AttemptSuperseded':
      return on(task, event, () => ({ live: false, aside: event.data.why }))
    case 'GuestTakenUp':
      return { ...task, taken_up: { to: event.data.to } }
    case 'GuestJoined':
      return guestJoined(task, event)
    case 'MembersJudged':
      return on(task, event, ({ group }) => ({ group: group && { ...group, ...event.data } }))
    case 'ExternalModificationDetected':
      return made(task, event)
    case 'DeploymentAsked':
      return toDeploy(task, event)
    case 'DelegationDrift':
      return on(task, event, () => ({ drift: event.data }))
    case 'PolicyCopyRead':
      return on(task, event, () => ({ policy_copy: event.data.problems, policy_effect: event.data.effect ?? [] }))
    case 'FilesListed':
      return on(task, event, () => ({
        files: event.data.files,
        files_complete: event.data.complete,
        paths: event.data.paths ?? null,
        diff: event.data.diff ?? null,
        ...(event.data.parting === undefined ? {} : { parting: event.data.parting }),
        scope_violations: [],
      }))
    case 'AheadSeen':
      return on(task, event, ({ ahead }) => ({ ahead: aheadNow(ahead, event.data.pulls, at) }))
    case 'StagesRead':
      return on(task, event, () => ({ stages: event.data.people }))
    case 'ScopeViolationDetected':
      return on(task, event, ({ scope_violations }) => ({ scope_violations: [...scope_violations, event.data] }))
    case 'CheckStarted':
      return waitingAgain(checkStarted(task, event), event, at)
    case 'CheckCompleted':
      return waitingAgain(checkCompleted(task, event), event, at)
    case 'CheckLeftOut':
      return withCheck(task, event, event.data.check_name, { id: event.data.run, state: 'left_out', result: null })
    case 'ResultRefused':
      return on(task, event, ({ refused }) => ({ refused: [...refused.slice(1 - REFUSED_MAX), event.data] }))
    case 'RunObstructed':
      return on(task, event, () => ({ obstacle: event.data.obstacle }))
    case 'WaitEnded':
      return event.data.what === 'park_wait' ? task : on(task, event, () => ({ waited: true, waited_at: at }))
    case 'TierCompleted':
      return waitingAgain(tierCompleted(task, event), event, at)
    case 'VerificationStarted':
      return on(task, event, () => ({ verifier: { phase: 'running', session_id: event.data.session_id } }))
    case 'VerificationCompleted':
      return on(task, event, () => ({
        verifier: {
          phase: 'answered',
          id: event.data.evaluator.session_id,
          ...answerOf(event.data),
          shown: false,
          ended_at: at,
        },
      }))
    case 'VerificationUnavailable':
      return on(task, event, () => {
        const { session_id: id, reason, retry_at } = event.data
        return { verifier: { phase: 'unavailable', id, reason, retry_at, ended_at: at } }
      })
    case 'VerificationReopened':
      return hearing(waitingAgain(on(task, event, askedAgain), event, at), event.data.key)
    case 'ReviewStageCompleted':
      return on(task, event, ({ stage_results: of }) => ({ stage_results: { ...of, [event.data.stage]: event.data } }))
    case 'ScreenshotsReported':
      return waitingAgain(screenshotsReported(task, event), event, at)
    case 'RedTeamGateCompleted':
    case 'VisionGateCompleted':
      return gateCompleted(task, event, at)
    case 'HumanOverride':
      return acted(task, event)
    case 'OverrideDenied':
    case 'CommandRefused': {
      const { user: login, user_id: id = null, key } = event.data
      const refused = hearing(refusedOnce(task, { id, login }), key)
      return event.type === 'CommandRefused' ? tookNothingBack(refused, event) : refused
    }
    case 'ActAsked': {
      const { key, sha: _sha, ...said } = event.data
      return hearing(
        on(task, event, ({ asked }) => ({ asked: [...asked, said] })),
        key,
      )
    }
    case 'ActWithdrawn':
      return withdrawn(task, event, at)
    case 'RejectionCarried':
      return carried(task, event)
    case 'OverrideRevoked':
      return hearing(standing(tookBack(task, event), event.data.override_id, 'revoked'), event.data.key)
    case 'OverrideVoided':
      return standing(task, event.data.override_id, 'voided')
    case 'RejectionRestored':
      return standing(task, event.data.override_id, 'stands')
    case 'ReviewSubmitted':
      return reviewed(task, event)
    case 'ReviewDismissed':
      return dismissed(task, event)
    case 'AssumptionsTold':
      return hearing(
        on(task, event, () => ({ assumed: event.data.assumed })),
        event.data.key,
      )
    case 'StrangerAnswered':
      return hearing(refusedOnce(task, { id: event.data.user_id, login: event.data.user }), event.data.key)
    case 'FaultNoted': {
      const { doing, what } = event.data
      return on(task, event, ({ faults: { [doing]: _before, ...faults } }) =>
        what === null ? { faults } : { faults: { ...faults, [doing]: what }, faulted_at: at },
      )
    }
    case 'TaskExecutionStateChanged':
      return moveAttempt(task, event, at)
    case 'DecisionConcluded':
      return concluded(task, event, at)
    case 'SlotShown':
      return shown(task, event, at)
    case 'MergedWithoutSuccess':
      return on(task, event, () => ({ merged_by: event.data.by }))
    case 'ErrorOccurred': {
      const { code, detail } = event.data.error
      return code === 'SYSTEM_INVARIANT_VIOLATED' ? broken(task, detail ?? code) : task
    }
  }
}

/** What is on record for people to read, and changes nothing. */
// prettier-ignore
const told = [
  'PolicyRead', 'ScopeValidated', 'AttemptCompleted', 'AttemptFailed', 'VerdictOverriddenToRefer', 'VerdictDowngraded', 'VoteCast', 'VotesTallied',
  'AuthorityDeferenceDetected', 'AssumptionViolation', 'SemanticDriftWarning', 'VerificationPlanned', 'StepFailed', 'DecompositionFellBack',
  'ModelPaused', 'RetryContextAssembled', 'ContextTruncated', 'RetryLimitReached', 'EscalationRaised',
] as const satisfies readonly EventType[]
type Told = Extract<NewEvent, { type: (typeof told)[number] }>
const toldTypes: ReadonlySet<string> = new Set(told)
const isTold = (event: NewEvent): event is Told => toldTypes.has(event.type)

/** Goals, requests and what is unclear in a task have streams of their own. */
type OfAnIssue = Extract<NewEvent, { type: `Goal${string}` | `Request${string}` | `Criteria${string}` }>
const isOfAnIssue = (event: NewEvent): event is OfAnIssue => /^(?:Goal|Request|Criteria)/.test(event.type)

function moveTask(task: TaskState, to: TaskStatus): TaskState {
  if (taskMayMove(task.status, to)) return { ...task, status: to }
  return broken(task, `the task cannot go from ${task.status} to ${to}`)
}

function moveAttempt(task: TaskState, event: Of<'TaskExecutionStateChanged'>, at: string): TaskState {
  const { from, to } = event.data
  const current = task.attempts.find(({ id }) => id === event.attempt_id)
  if (current?.state === from && attemptMayMove(from, to)) {
    return on(task, event, ({ decided_at }) => ({ state: to, decided_at: from === 'CANCELLED' ? at : decided_at }))
  }
  return broken(task, `the attempt cannot go from ${current?.state ?? 'none'} to ${to}`)
}
