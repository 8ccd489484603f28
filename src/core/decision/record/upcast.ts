// The door for stored events: whatever shape they were written in, they come out in today's.
// A step is pure and is never edited once shipped. Identity and hashes pass through untouched, so that the next event
// can still name this one; an event's own hash is verified over the stored form, never over what comes out here.
import { z } from 'zod'
import type { Link } from './chain.ts'
import type { EventType, RecordedEvent } from './events.ts'
import { repositoryIn } from '../../names.ts'

type StoredEvent = Readonly<Record<string, unknown>>
/** Brings an event from one schema version to the next. */
export type Step = (stored: StoredEvent) => StoredEvent

/** The first step takes version 1 to version 2, and so on up to the version that is sealed today. */
export const shippedSteps: readonly Step[] = [boundToSubjects]

export function upcast(stored: unknown, steps: readonly Step[] = shippedSteps): RecordedEvent {
  const current = steps.length + 1
  if (isRecordedEvent(stored) && stored.schema === current) return stored

  const opened = storedEvent.safeParse(stored)
  if (!opened.success) throw unreadable('A stored event', opened.error)
  const { schema, id, stream, version, prev_hash, hash } = opened.data
  if (schema > current) throw newer(id, `schema version ${schema} (this one knows versions up to ${current})`)
  const shape = steps.slice(schema - 1).reduce<StoredEvent>((older, step) => step(older), opened.data)
  const event: unknown = { ...shape, schema: current, id, stream, version, prev_hash, hash }
  if (isRecordedEvent(event)) return event
  if (!isEventType(shape['type'])) throw newer(id, `the event type ${String(shape['type'])}`)
  throw unreadable(`The stored event ${id}`, envelope.safeParse(event).error)
}

/**
 * Version 2 binds each fact to what it is a fact about, and people to their numbers. What an older event does not tell is
 * filled in so that it grants nothing: a review without a base counts for none.
 */
function boundToSubjects(stored: StoredEvent): StoredEvent {
  const { data, type, stream } = olderEvent.parse(stored)
  const repository = repositoryIn(stream)
  const census =
    data['census'] === undefined ? {} : { census: { ...olderObject.parse(data['census']), complete: true } }
  const makers = olderList
    .catch([])
    .parse(data['builder_set'])
    .map((maker) => ({ id: null, ...maker }))
  const added: Record<string, object> = {
    AttemptStarted: {
      ...census,
      builder_set: makers,
      repository,
      merges_into: data['base_ref'] ?? '',
      merges_base: false,
      head_branch: null,
      results_since: null,
      guest: false,
      sources: null,
    },
    ExternalModificationDetected: { builder: { id: null, ...olderObject.catch({}).parse(data['builder']) } },
    TaskVerified: { user_id: null },
    HumanOverride: { user_id: null, label: null },
    ActAsked: { user_id: null },
    ReviewSubmitted: {
      user_id: null,
      pull: Number(/#(\d+)@/.exec(String(stored['attempt_id']))?.[1] ?? 0),
      base_ref: '',
      head_sha: data['sha'] ?? '',
    },
    ReviewDismissed: { review: '', lifts: true },
  }
  return { ...stored, data: { ...data, ...added[type] } }
}

const olderObject = z.record(z.string(), z.unknown())
const olderList = z.array(olderObject)
const olderEvent = z.looseObject({ type: z.string(), stream: z.string(), data: olderObject })

/** Whether a stored event has what its chain is verified by. */
export const isLink = (stored: unknown): stored is Link => link.safeParse(stored).success

const link = z.object({
  stream: z.string(),
  version: z.int().positive(),
  prev_hash: z.string(),
  hash: z.string(),
})

const storedEvent = link.loose().extend({ schema: z.int().positive(), id: z.string() })

const eventTypes = {
  TaskCreated: true,
  TaskAssigned: true,
  TaskStarted: true,
  TaskSubmitted: true,
  TaskCompleted: true,
  TaskVerified: true,
  TaskSentBack: true,
  TaskReopened: true,
  PolicyRead: true,
  AttemptStarted: true,
  AttemptCompleted: true,
  AttemptFailed: true,
  AttemptSuperseded: true,
  AttemptMerged: true,
  VerificationRejected: true,
  TriageDecided: true,
  TaskOfGoal: true,
  TaskLeftGoal: true,
  TaskOfRequest: true,
  DependenciesSeen: true,
  BesideSeen: true,
  GoalCreated: true,
  GoalSeen: true,
  GoalTaskAsked: true,
  GoalTaskRefused: true,
  GoalTaskLinked: true,
  GoalTaskUnlinked: true,
  GoalTaskMoved: true,
  GoalStateChanged: true,
  GoalVerified: true,
  GoalRejected: true,
  GoalFixMade: true,
  RequestSubmitted: true,
  RequestSeen: true,
  RequestQuestioned: true,
  RequestApproved: true,
  RequestTurnedDown: true,
  RequestTaskMade: true,
  RequestTaskMoved: true,
  RequestStarted: true,
  RequestStateChanged: true,
  CriteriaSeen: true,
  GuestTakenUp: true,
  GuestJoined: true,
  MembersJudged: true,
  ExternalModificationDetected: true,
  PolicyCopyRead: true,
  FilesListed: true,
  StagesRead: true,
  AheadSeen: true,
  DelegationDrift: true,
  ScopeValidated: true,
  ScopeViolationDetected: true,
  CheckStarted: true,
  CheckCompleted: true,
  CheckLeftOut: true,
  ResultRefused: true,
  RunObstructed: true,
  WaitEnded: true,
  TierCompleted: true,
  VerificationStarted: true,
  VerificationCompleted: true,
  VerificationUnavailable: true,
  VerificationReopened: true,
  VerdictOverriddenToRefer: true,
  VerdictDowngraded: true,
  VoteCast: true,
  VotesTallied: true,
  AuthorityDeferenceDetected: true,
  AssumptionViolation: true,
  SemanticDriftWarning: true,
  VerificationPlanned: true,
  StepFailed: true,
  DecompositionFellBack: true,
  ModelPaused: true,
  ReviewStageCompleted: true,
  ScreenshotsReported: true,
  RedTeamGateCompleted: true,
  VisionGateCompleted: true,
  HumanOverride: true,
  OverrideDenied: true,
  CommandRefused: true,
  ActAsked: true,
  ActWithdrawn: true,
  RejectionCarried: true,
  AssumptionsTold: true,
  StrangerAnswered: true,
  FaultNoted: true,
  OverrideRevoked: true,
  OverrideVoided: true,
  RejectionRestored: true,
  ReviewSubmitted: true,
  ReviewDismissed: true,
  RetryContextAssembled: true,
  ContextTruncated: true,
  RetryLimitReached: true,
  EscalationRaised: true,
  TaskExecutionStateChanged: true,
  DecisionConcluded: true,
  SlotShown: true,
  DeploymentAsked: true,
  MergedWithoutSuccess: true,
  ErrorOccurred: true,
} as const satisfies Record<EventType, true>

const isEventType = (type: unknown): type is EventType => typeof type === 'string' && Object.hasOwn(eventTypes, type)

const envelope = link.extend({
  schema: z.int().positive(),
  id: z.string(),
  type: z.custom<EventType>(isEventType),
  at: z.string(),
  actor: z.object({
    kind: z.enum(['human', 'app', 'action', 'llm', 'clock']),
    login: z.string(),
    id: z.number().nullable(),
  }),
  task_id: z.string(),
  attempt_id: z.string().nullable(),
  head_sha: z.string().nullable(),
  correlation_id: z.string(),
  data: z.custom<object>((data) => typeof data === 'object' && data !== null),
})

/** The envelope is checked, the data is trusted: only this product writes it, and its hash says whether somebody else did. */
const isRecordedEvent = (event: unknown): event is RecordedEvent => envelope.safeParse(event).success

function newer(id: string, what: string): Error {
  return new Error(
    `The stored event ${id} was written by a newer Countersign: it has ${what}. ` +
      'Run that version or a later one on this store; nothing was changed.',
  )
}

function unreadable(what: string, problem: z.ZodError | undefined): Error {
  return new Error(
    `${what} is not in a shape that Countersign writes. Verify the record to see whether somebody edited it, ` +
      'and restore it from a backup if so.',
    { cause: problem },
  )
}
