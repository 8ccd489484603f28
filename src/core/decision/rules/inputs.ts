// Everything that can be told to the rules, in the imperative. Doors translate what they hear into one of these.
import type { PullAhead } from '../ahead.ts'
import type { Contract } from '../../contract/task/contract.ts'
import type { PathFacts } from '../../contract/path-facts.ts'
import type { CarriedRejection, LabelAct } from '../../people/act.ts'
import type { OnTheWay } from '../record/on-the-way.ts'
import type { Cost, Examined, RawAnswer } from '../examined.ts'
import type { EndedAt } from '../results/ended-at.ts'
import type { JobOf } from '../results/job-of.ts'
import type { Command } from '../../people/command.ts'
import type { ReviewSaid } from '../../people/judge-review.ts'
import type { Saying } from '../../people/saying.ts'
import type { StagePeople } from '../../people/stage-people.ts'
import type { Account, Builder, Census } from '../../people/people.ts'
import type {
  ChangedFile,
  JudgedDiff,
  CheckResult,
  CheckState,
  CopyProblem,
  Deployment,
  GateName,
  GateRecord,
  Group,
  Obstacle,
  Protection,
  Regression,
  Screenshots,
  StarterFile,
  TaskSource,
  TaskState,
  Tier1Check,
  Tier1Finding,
} from '../model.ts'
import type { Beside, Dependency, TaskGoal } from '../task-parts.ts'
import type { UnavailableReason, Verdict } from '../verdict.ts'
import type { Reason } from '../decision.ts'

export type OpenAttempt = {
  readonly type: 'open_attempt'
  readonly repository: string
  readonly pull: number
  readonly title: string
  readonly head_sha: string
  readonly tree_sha: string
  readonly base_ref: string
  readonly merges_into: string
  readonly brings?: string
  readonly merges_base: boolean
  readonly head_branch: string | null
  readonly check_name: string
  readonly guest: boolean
  readonly sources: readonly TaskSource[]
  readonly protection: Protection | null
  readonly starter?: readonly StarterFile[]
  readonly head_at: string
  /** Since when the commit is there, where that is asked for; empty where nobody knows. */
  readonly pushed_at?: string
  /** When a pull request that nobody told us of got the base that it has; null where it has none but that, or was told. */
  readonly moved_at?: string | null
  /** We came across it ourselves. */
  readonly found?: true
  readonly group: Group | null
  readonly contract: Contract
  readonly policy_source: { readonly sha: string; readonly problems: readonly string[] }
  /** Why the policy or the contract cannot be relied on; the built-in policy stands in for an unreadable one. */
  readonly invalid: readonly Reason[]
  /** What the task asks for and does not get, in words. */
  readonly remarks: readonly string[]
  readonly builders: readonly Builder[]
  readonly builder_known: boolean
  readonly model_available: boolean
  readonly census: Census
  /** The check run that says already that this commit will be judged; null where none does. */
  readonly announced: string | null
  /** Somebody entitled wants it judged by what the task asks now. */
  readonly renewed?: boolean
  /** It is a draft or closed: what is said of this commit has a place, and nothing is judged yet. */
  readonly aside?: 'draft' | 'closed'
}
/** `examined` and `raw` are what the built-in verifier adds; one of a caller's own may leave them out. */
export type VerdictReport = {
  readonly verdict: Verdict
  readonly examined?: Examined
  readonly raw?: readonly RawAnswer[]
  readonly happened?: readonly OnTheWay[]
}
export type UnavailableReport = {
  readonly session_id: string
  readonly reason: UnavailableReason
  readonly retry_at: string | null
  readonly cost?: Cost
  /** Answers that came before nobody answered any more: they are not paid for again. */
  readonly raw?: readonly RawAnswer[]
  readonly happened?: readonly OnTheWay[]
}
type OfAttempt<T extends string, Rest> = { readonly type: T; readonly attempt_id: string } & Readonly<Rest>

export type Input =
  | OpenAttempt
  | OfAttempt<'end_attempt', { why: 'draft' | 'closed' }>
  /** What was confirmed broke later. */
  | OfAttempt<'report_regression', Regression>
  | OfAttempt<'report_merge', { by: Account }>
  /** It is a task of a goal, or of one less. */
  | {
      readonly type: 'join_goal'
      readonly goal: number
      readonly merge_requires: TaskGoal['merge_requires']
      readonly title: string
    }
  | { readonly type: 'leave_goal'; readonly goal: number }
  /** What has to be verified before it, as it stands now. */
  | { readonly type: 'report_dependencies'; readonly on: readonly Dependency[] }
  | { readonly type: 'report_beside'; readonly pull: number; readonly issues: readonly Beside[] }
  | { readonly type: 'join_request'; readonly request: number; readonly title: string }
  | OfAttempt<'add_builder', { builder: Builder; sha: string }>
  | OfAttempt<'ask_deployment', Deployment>
  | OfAttempt<'note_fault', { doing: string; what: string | null }>
  /** `paths` is what their paths mean, where whoever reports them has looked already. */
  | OfAttempt<
      'report_files',
      {
        files: readonly ChangedFile[]
        complete: boolean
        paths?: PathFacts
        diff?: JudgedDiff
        parting?: string | null
      }
    >
  /** `effect`: what it would have decided, in words, where that is known. */
  | OfAttempt<'report_policy_copy', { problems: readonly CopyProblem[]; effect?: readonly string[] }>
  | OfAttempt<'note_drift', { contract: Contract; remarks: readonly string[] }>
  | OfAttempt<'report_stages', { people: readonly StagePeople[] }>
  | OfAttempt<'report_ahead', { pulls: readonly PullAhead[] }>
  | OfAttempt<'report_members', { lacking: readonly number[] | null; covers: readonly string[] }>
  | OfAttempt<'report_obstacle', { obstacle: Obstacle | null }>
  | OfAttempt<
      'report_tier1',
      {
        run: string
        passed: boolean
        checks: readonly Tier1Check[]
        findings: readonly Tier1Finding[]
        feedback: string | null
        unseen?: readonly string[]
      } & EndedAt
    >
  | OfAttempt<'report_screenshots', Screenshots>
  /** Results that cannot be believed; `policy_hash` where it is that they were made under another policy. */
  | OfAttempt<'refuse_result', { source: string; why: string; policy_hash: string | null }>
  | OfAttempt<'leave_out_check', { run: string; name: string }>
  | OfAttempt<'start_check', { run: string; name: string } & JobOf>
  | OfAttempt<
      'report_check',
      {
        run: string
        name: string
        state: Exclude<CheckState, 'running' | 'left_out'>
        result: CheckResult | null
        output_ref: string | null
      } & JobOf &
        EndedAt
    >
  | OfAttempt<
      'start_verification',
      { session_id: string; tier: 2 | 3; prompt_hash: string | null; handoff_hash: string | null }
    >
  | OfAttempt<'report_verdict', VerdictReport>
  | OfAttempt<'report_unavailable', UnavailableReport>
  | OfAttempt<
      'report_gate',
      { gate: GateName; run: string; elapsed_ms: number; raw?: readonly RawAnswer[] } & Omit<GateRecord, 'id'>
    >
  | OfAttempt<'end_wait', { what: 'verification.wait' | 'park_wait' }>
  | OfAttempt<'show_slot', { slot: string; digest: string; ref: string | null }>
  /** A guest's pull request was taken up: `to` is the stream of the task that it belongs to, or null where it has its own. */
  | { readonly type: 'take_up'; readonly pull: number; readonly to: string | null }
  /** What its own task knows comes along once it is judged here. */
  | { readonly type: 'join_task'; readonly pull: number; readonly from: string; readonly own: TaskState }
  /** Somebody let the workflow run of a pull request begin. */
  | { readonly type: 'approve_run'; readonly pull: number; readonly saying: Saying }
  /** What stands, or no longer stands, against a tree of this task at another one. */
  | { readonly type: 'carry_rejection'; readonly rejection: Omit<CarriedRejection, 'seq'> }
  | {
      readonly type: 'note_stranger'
      readonly pull: number
      readonly key: string
      readonly user: Account
    }
  | {
      readonly type: 'give_command'
      readonly pull: number
      readonly command: Command
      readonly saying: Saying
      /** The key of the words that took it back before it was heard. */
      readonly taken_back_by?: string
    }
  | {
      readonly type: 'set_label'
      readonly pull: number
      readonly act: LabelAct
      readonly added: boolean
      readonly saying: Saying
    }
  | { readonly type: 'submit_review'; readonly pull: number; readonly review: ReviewSaid; readonly saying: Saying }
  | { readonly type: 'dismiss_review'; readonly pull: number; readonly review_id: string; readonly saying: Saying }
