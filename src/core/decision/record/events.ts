// Every event that can be on the record, its fields, and the envelope that makes the record a chain.
// A new event is added here; the compiler then leads to `evolve.ts`, which folds it, and `words/explain.ts`, which words it.
import type { PullAhead } from '../ahead.ts'
import type { Contract } from '../../contract/task/contract.ts'
import type { PathFacts } from '../../contract/path-facts.ts'
import type { Act, ActSource, ActType, CarriedRejection, Cover, LabelAct } from '../../people/act.ts'
import type { Cost, Examined, RawAnswer } from '../examined.ts'
import type { GateReport } from '../gate-report.ts'
import type { EndedAt } from '../results/ended-at.ts'
import type { JobOf } from '../results/job-of.ts'
import type { StageResult } from '../stage-result.ts'
import type { CriteriaEventData } from '../../criteria/criteria.ts'
import type { GoalEventData } from '../../goals/events.ts'
import type { GoalTerms } from '../../goals/goal.ts'
import type { RequestEventData } from '../../requests/events.ts'
import type { Assumption } from '../../people/judge-assume.ts'
import type { Account, Builder, Census, Review, Separation } from '../../people/people.ts'
import type { StagePeople } from '../../people/stage-people.ts'
import type { Permission } from '../../people/permission.ts'
// prettier-ignore
import type { Attempt, ChangedFile, CheckResult, CopyProblem, Deployment, Drift, GateRecord, Group, JudgedDiff, Obstacle, Protection, Regression, ScopeViolation, Screenshots, StarterFile, TaskSource, TaskStatus } from '../model.ts'
import type { Beside, Dependency, Triage } from '../task-parts.ts'
import type { AttemptState, PutAside } from '../attempt-state.ts'
import type { UnavailableReason, Verdict } from '../verdict.ts'
import type { Decision, Reason } from '../decision.ts'
import type { OnTheWayData } from './on-the-way.ts'
import type { Refusal } from './refusal.ts'

export type EventData = TaskEventData & OnTheWayData & GoalEventData & RequestEventData & CriteriaEventData
type TaskEventData = {
  TaskCreated: { title: string; source: string }
  /** Older assignments, like older refusals, know people by their names alone. */
  TaskAssigned: { by: string; assignee: string; assignee_id?: number | null; hat: string; implicit: boolean }
  TaskStarted: { by: string; implicit: boolean }
  TaskSubmitted: { by: string; summary: string; files_changed: readonly string[]; implicit: boolean }
  TaskCompleted: { by: string; approvals: readonly string[] }
  /** `at`: when it was said; left out where nobody said it, and by older records. */
  TaskVerified: { key: string; by: string; user_id: number | null; notes: string; separation: Separation; at?: string }
  TaskSentBack: { from: TaskStatus; by: string; reason: string }
  /** Somebody did not confirm it, for the so-manieth time since it was confirmed or a lead decided. */
  VerificationRejected: { by: string; user_id: number | null; reason: string; count: number }
  /** A lead decides about a task that was sent back twice. */
  TriageDecided: Triage
  /** `regression`: what broke it, and the commit; left out where a person reopens it, and by older records. */
  TaskReopened: { by: string; reason: string; assignee: string | null; regression?: Regression }
  /** It is a sub-issue of a goal, whose tasks need this much to merge; or none any more. */
  TaskOfGoal: { goal: number; merge_requires: GoalTerms['merge_requires'] }
  TaskLeftGoal: { goal: number }
  /** What has to be verified before it, as it stands now. */
  DependenciesSeen: { on: readonly Dependency[] }
  /** What its pull request closes beside it, and what that asks. */
  BesideSeen: { pull: number; issues: readonly Beside[] }
  /** Somebody wished for it, and it was approved. */
  TaskOfRequest: { request: number }

  PolicyRead: { policy_hash: string; source_sha: string; valid: boolean; problems: readonly string[] }
  AttemptStarted: {
    attempt_number: number
    contract_hash: string
    policy_hash: string
    base_ref: string
    builder_set: readonly Builder[]
    repository: string
    pull: number
    tree_sha: string
    merges_into: string
    brings?: string
    merges_base: boolean
    head_branch: string | null
    check_name: string
    results_since: string | null
    /** Taken up again: when it had left for another base, about which results are that ended later. */
    results_until?: string
    guest: boolean
    /** Null where they are those of the attempt before. */
    sources: readonly TaskSource[] | null
    protection: Protection | null
    starter?: readonly StarterFile[]
    head_at: string
    /** Since when the commit is there, where that was asked for; empty where nobody knows. */
    pushed_at?: string
    group: Group | null
    contract: Contract
    invalid: readonly Reason[]
    remarks: readonly string[]
    policy_unreadable: boolean
    builder_known: boolean
    limited: boolean
    model_available: boolean
    census: Census
  }
  AttemptCompleted: { attempt_number: number; outcome: string; consumed: boolean }
  AttemptFailed: { error: Reason }
  AttemptSuperseded: {
    by_sha: string | null
    why: PutAside
  }
  /** Somebody entitled took it up: from now on it is an attempt at the task of this stream, or stays one of its own. */
  GuestTakenUp: { pull: number; to: string | null }
  /** What a guest's pull request brings along from the task that it had to itself. */
  GuestJoined: {
    from: string
    pull: number
    builders: readonly Builder[]
    confirmers: readonly Account[]
    acts: readonly Act[]
    reviews: readonly Review[]
    asked: Attempt['asked']
    heard: readonly string[]
    deeds: number
  }
  MembersJudged: { lacking: readonly number[] | null; covers: readonly string[] }
  /** What the task asks by now is not what this attempt is judged by. */
  DelegationDrift: Drift
  ExternalModificationDetected: { login: string; sha: string; builder: Builder }
  /** Older ones do not say what the policy would have decided. */
  PolicyCopyRead: { problems: readonly CopyProblem[]; effect?: readonly string[] }
  /** Older lists say nothing of what their paths mean under the contract, or of their lines. */
  FilesListed: {
    files: readonly ChangedFile[]
    complete: boolean
    paths?: PathFacts
    diff?: JudgedDiff
    parting?: string | null
  }
  StagesRead: { people: readonly StagePeople[] }
  /** Which pull requests came before it and write the same places, as they are now. */
  AheadSeen: { pulls: readonly PullAhead[] }
  ScopeValidated: { files_checked: number }
  ScopeViolationDetected: ScopeViolation

  CheckStarted: { check_name: string; task_id: string; attempt_id: string; run: string } & JobOf
  CheckCompleted: {
    check_name: string
    task_id: string
    attempt_id: string
    passed: boolean
    exit_code: number
    duration_ms: number
    required: boolean
    error_code: 'VERIFICATION_TIMEOUT' | 'VERIFICATION_CHECK_FAILED' | 'VERIFICATION_CHECK_MISSING' | null
    output_ref: string | null
    run: string
    result: CheckResult | null
  } & JobOf &
    EndedAt
  /** A check that its run left out by its paths: neither passed nor failed. */
  CheckLeftOut: { check_name: string; run: string }
  ResultRefused: { source: string; why: string }
  RunObstructed: { obstacle: Obstacle | null }
  WaitEnded: { what: 'verification.wait' | 'park_wait' }
  VerificationStarted: {
    task_id: string
    attempt_id: string
    session_id: string
    tier: 2 | 3
    prompt_hash: string | null
    handoff_hash: string | null
  }
  /** Verdicts from before the built-in verifier say nothing of what was examined. */
  VerificationCompleted: { task_id: string; attempt_id: string } & Verdict &
    Partial<Examined> & { raw?: readonly RawAnswer[] }
  VerificationUnavailable: {
    task_id: string
    attempt_id: string
    session_id: string
    reason: UnavailableReason
    retry_at: string | null
    cost?: Cost
    raw?: readonly RawAnswer[]
  }
  /** A verdict, or the lack of one, no longer stands and the verifier is asked again. */
  VerificationReopened: { key: string; by: string }
  VerdictOverriddenToRefer: { from: string; confidence: number | null; threshold: number }
  ReviewStageCompleted: StageResult
  ScreenshotsReported: Screenshots
  RedTeamGateCompleted: GateCompleted
  VisionGateCompleted: GateCompleted

  HumanOverride: {
    /** Names the comment, label or review that it came from, so that it is heard once. */
    key: string
    task_id: string
    attempt_id: string
    user: string
    user_id: number | null
    override_type: ActType
    decision: string
    reason: string
    timestamp: string
    head_sha: string
    source: ActSource
    label: LabelAct | null
    covers: readonly Cover[]
    permission: Permission
    solo: boolean
    /** The review stage that a rejection was made for. */
    stage?: string
  }
  /** A rejection that was made at another task is of a tree that is judged here too; or no longer. */
  RejectionCarried: Omit<CarriedRejection, 'seq'>
  OverrideDenied: Refusal
  CommandRefused: Refusal
  /** A label opens an act; the reason that completes it is still to come. */
  ActAsked: { key: string; by: string; user_id: number | null; act: LabelAct; sha: string; at?: string }
  /** The label was taken away before its act was complete. */
  ActWithdrawn: { key: string; by: string; act: LabelAct; at?: string }
  /** `at`: when its author took it back. */
  OverrideRevoked: { key: string; override_id: string; by: string; reason: string; at?: string }
  OverrideVoided: { override_id: string; why: string }
  /** What took it back was about another word of its author, which came late. */
  RejectionRestored: { override_id: string; by: string }
  ReviewSubmitted: {
    key: string
    by: string
    user_id: number | null
    teams: readonly string[]
    state: 'approved' | 'changes_requested'
    pull: number
    base_ref: string
    head_sha: string
    counts: boolean
    why_not: string | null
    tree_sha: string
    body: string
    permission: Permission
    resolves_refer: boolean
    solo: boolean
    at?: string
  }
  /** A dismissal by whoever may not lift it is noted and moves nothing. */
  ReviewDismissed: { key: string; review: string; review_by: string; by: string; lifts: boolean }
  /** What whoever made this commit took for granted. It decides nothing. */
  AssumptionsTold: { key: string; assumed: readonly Assumption[] }
  /** A stranger got an answer, and gets no more. */
  StrangerAnswered: { key: string; user: string; user_id: number | null; pull: number }

  RetryContextAssembled: {
    attempt_number: number
    prior_attempts_count: number
    context_size_bytes: number
    feedback_sources: readonly string[]
    context_hash: string
  }
  ContextTruncated: { budget: number; original: number; truncated: number; sections: readonly string[] }
  RetryLimitReached: { max_attempts: number; cause: 'attempts' | 'no_progress' }
  EscalationRaised: { why: string; to: readonly string[] }
  TaskExecutionStateChanged: { from: AttemptState; to: AttemptState }
  DecisionConcluded: Decision & { conclusion: string; inputs: readonly string[] }
  SlotShown: { slot: string; digest: string; ref: string | null }
  /** Older merges of a success are on no record, and some are only found, with nobody's name. */
  AttemptMerged: { by: string | null; user_id: number | null }
  DeploymentAsked: Omit<Deployment, 'run_attempt'> & { run_attempt?: number }
  MergedWithoutSuccess: { by: string; sha: string; decision: string }
  ErrorOccurred: { error: Reason }
  /** Something of ours went wrong while it was doing this; null once it went well. */
  FaultNoted: { doing: string; what: string | null }
}
type GateCompleted = {
  run: string
  verdict: GateRecord['verdict']
  summary: string
  elapsed_ms: number
  skipped: boolean
  report?: GateReport
  raw?: readonly RawAnswer[]
}
export type EventType = keyof EventData
/** An event before it is sealed: what happened, to which attempt. */
export type NewEvent = {
  [T in EventType]: {
    readonly type: T
    readonly attempt_id: string | null
    readonly head_sha: string | null
    readonly data: Readonly<EventData[T]>
  }
}[EventType]

export type Actor = {
  readonly kind: 'human' | 'app' | 'action' | 'llm' | 'clock'
  readonly login: string
  readonly id: number | null
}
export type Envelope = {
  readonly schema: number
  readonly id: string
  readonly stream: string
  readonly version: number
  readonly prev_hash: string
  readonly hash: string
  readonly at: string
  readonly actor: Actor
  readonly task_id: string
  readonly correlation_id: string
}
export type RecordedEvent = NewEvent & Envelope
