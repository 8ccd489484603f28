// The words of the product as types: what one task knows about its attempts, and what the gate concludes from it.
// Everything here is plain readonly JSON; time is ISO text; `null` means known to be absent.
import type { Contract } from '../contract/task/contract.ts'
import type { PathFacts } from '../contract/path-facts.ts'
import type { Decision, Reason } from './decision.ts'
import type { Conversation } from '../people/conversation.ts'
import type { Heads } from '../people/in-front.ts'
import type { Account, Builder, Census, Review, Separation } from '../people/people.ts'
import type { TakenBack } from '../people/taking-back.ts'
import type { StagePeople } from '../people/stage-people.ts'
import type { Assumption } from '../people/judge-assume.ts'
import type { Act, Asked, CarriedRejection } from '../people/act.ts'
import type { Ahead } from './ahead.ts'
import type { GateReport } from './gate-report.ts'
import type { AttemptState, PutAside } from './attempt-state.ts'
import type { StageResult } from './stage-result.ts'
import type { EndedAt } from './results/ended-at.ts'
import type { JobOf } from './results/job-of.ts'
import type { Screenshot } from './results/results-file.ts'
import type { Subject, Target } from './subject.ts'
import type { Beside, Dependency, TaskGoal, TaskPart } from './task-parts.ts'
import type { VerifierRecord } from './verdict.ts'

export type TaskStatus = 'none' | 'pending' | 'assigned' | 'in_progress' | 'review' | 'completed' | 'verified'

export type ChangedFile = {
  readonly path: string
  readonly previous_path: string | null
  readonly status: 'added' | 'modified' | 'removed' | 'renamed'
  /** A commit of another repository, which stands for all that lies below the path. Older records do not say so. */
  readonly submodule?: true
}
/** The beginning of a change as text, and how many of its lines are not in it. */
export type JudgedDiff = { readonly text: string; readonly omitted_lines: number }

/** Outcome of one deterministic, machine-run validation. The field names are those of `results.json`. */
export type CheckResult = {
  readonly name: string
  readonly passed: boolean
  readonly exit_code: number
  readonly output: string
  readonly duration_ms: number
  readonly required: boolean
}
export type CheckState = 'running' | 'passed' | 'failed' | 'timed_out' | 'missing' | 'left_out'
/** `id` tells one run of the check from the next, so that an override covers the failure that its author saw. */
export type CheckRecord = {
  readonly id: string
  readonly name: string
  readonly state: CheckState
  readonly result: CheckResult | null
} & JobOf &
  EndedAt

/** One built-in deterministic check. */
export type Tier1Check = { readonly name: string; readonly passed: boolean; readonly detail: string | null }
/** Something to look at that fails nothing by itself, such as a sign of weakened tests. */
export type Tier1Finding = {
  readonly path: string
  readonly line: number
  readonly severity: 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO'
  readonly category: string
  readonly message: string
}
export type Tier1Record = {
  readonly id: string
  readonly passed: boolean
  readonly checks: readonly Tier1Check[]
  readonly findings: readonly Tier1Finding[]
  readonly feedback: string | null
  /** What nobody could look at, in words. */
  readonly unseen?: readonly string[]
} & EndedAt

export type GateName = 'red_team' | 'vision'
export type GateRecord = {
  readonly id: string
  readonly verdict: 'PASS' | 'PASS_WITH_FINDINGS' | 'BLOCK' | 'REFER' | 'SKIP'
  readonly summary: string
  /** What stands behind it; missing where the record has none. */
  readonly report?: GateReport
} & EndedAt

/** What a run handed over to be looked at; null where it ended without handing anything over. */
export type Screenshots = { readonly run: string; readonly shots: readonly Screenshot[] | null }

/** A job of Actions that waits for our word before it deploys what came of a pull request: in each attempt of its run anew. */
export type Deployment = Readonly<{ run: number; run_attempt: number; environment: string; sha: string }>

/** Why no result can be expected although none failed: said at once, consumes nothing. */
export type Obstacle =
  | 'merge_conflict'
  | 'awaiting_approval'
  | 'missing_workflow'
  | 'unclear_workflow'
  | 'unclear_jobs'
  | 'run_cancelled'
  | 'run_never_started'

/** Whether the rules of the base require our check: from this App, from anybody, or not at all. */
export type Protection = 'pinned' | 'unpinned' | 'none'

/** One subject that is judged. Whatever it carries was found out or said about that subject. */
export type Attempt = Subject &
  Target & {
    readonly id: string
    readonly ordinal: number
    /** GitHub's time at which this commit became the head. */
    readonly head_at: string
    /** The branch that it comes from, where it lies in this repository. */
    readonly head_branch: string | null
    /** This commit does nothing but merge the base, which leaves the change as it was. */
    readonly merges_base: boolean
    /** Name of our check run, which follows from the base. */
    readonly check_name: string
    /** Results from before this time were made for another base; null where this commit never had another. */
    readonly results_since: string | null
    /** When it had gone to another one, as often as it came back. */
    readonly left?: readonly string[]
    /** Opened by somebody who may not write here, before it was taken up: it shows nothing where somebody else's is shown. */
    readonly guest: boolean
    /** Where the base has no policy: files to begin with, and where GitHub lets people create them. */
    readonly starter?: readonly StarterFile[]
    /** As it was when the attempt opened; null where the rules cannot be seen. */
    readonly protection: Protection | null
    /** What the merge queue made of a pull request, or null for the pull request itself. */
    readonly group: Group | null
    readonly contract: Contract
    readonly invalid: readonly Reason[]
    readonly remarks: readonly string[]
    readonly policy_unreadable: boolean
    readonly builder_known: boolean
    /** The makers as they were known when this attempt opened; the task's set only grows. */
    readonly builders: readonly Builder[]
    /** The attempt limit binds what agents made, and everybody where policy says so. */
    readonly limited: boolean
    /** Whether the App has a model to ask. */
    readonly model_available: boolean
    readonly census: Census
    readonly state: AttemptState
    /** Whether this SHA is the head of its open pull request now. */
    readonly live: boolean
    /** Why it was put aside last, if it ever was. */
    readonly aside?: PutAside
    readonly files: readonly ChangedFile[] | null
    /** Whether GitHub named them all: what it did not name may be anywhere. */
    readonly files_complete: boolean
    /** What the paths of these files mean under the contract; null where the record does not say. */
    readonly paths: PathFacts | null
    readonly scope_violations: readonly ScopeViolation[]
    /** Pull requests that came before it and write the same places, where its policy asks for them. */
    readonly ahead: Ahead
    /** Whom the stages of its review ask, as far as that had to be read; null while it was not. */
    readonly stages: readonly StagePeople[] | null
    /** What its stages have come to, by name, as it was last. */
    readonly stage_results: Readonly<Record<string, StageResult>>
    /** How what the task asks has changed since it opened; null while nobody has looked. */
    readonly drift: Drift | null
    /** What it changes, for whoever makes the next attempt; null where the record does not say. */
    readonly diff: JudgedDiff | null
    /** The tree of the commit that it comes from; null where GitHub did not tell, and left out by older records. */
    readonly parting?: string | null
    /** What is wrong with the copy of the policy that the change brings along, or null while that is not known. */
    readonly policy_copy: readonly CopyProblem[] | null
    /** What that copy would have decided about earlier pull requests, in words. */
    readonly policy_effect: readonly string[]
    readonly tier1: Tier1Record | null
    readonly checks: Readonly<Record<string, CheckRecord>>
    readonly obstacle: Obstacle | null
    /** Results that were handed over and not believed, the newest last. */
    readonly refused: readonly { readonly source: string; readonly why: string }[]
    /** `verification.wait` is over, and since when. */
    readonly waited: boolean
    readonly waited_at?: string
    readonly waiting_since: string
    readonly verifier: VerifierRecord
    readonly gates: Readonly<Partial<Record<GateName, GateRecord>>>
    /** Null while no run has said what it has. */
    readonly screenshots: Screenshots | null
    readonly acts: readonly Act[]
    /** What its makers took for granted, as they say. */
    readonly assumed?: readonly Assumption[]
    readonly asked: readonly Asked[]
    /** What of ours went wrong while this was judged, by what was being done; a human must look until it goes well. */
    readonly faults: Readonly<Record<string, string>>
    /** When the last of them was noted. */
    readonly faulted_at?: string
    readonly confirmed_by: Confirmation | null
    /** It was merged, by whom as far as that is known. */
    readonly merged: { readonly by: Account | null } | null
    readonly deployments: readonly Deployment[]
    /** What broke after it had been confirmed, each with the commit. */
    readonly regressions: readonly Regression[]
    /** Who merged it although it was no success. */
    readonly merged_by: string | null
    readonly decision: Decision | null
    /** Since when the decision has been of this status and row. */
    readonly decided_at: string
  }
export type Regression = { readonly why: string; readonly sha: string }
/** The contract stays; this is what another attempt would be judged by. */
export type Drift = {
  readonly contract_hash: string
  /** Criteria. */
  readonly added: readonly string[]
  readonly gone: readonly string[]
  /** What of the edits does not count, in words. */
  readonly remarks: readonly string[]
}
export type StarterFile = { readonly path: string; readonly url: string }
/** The copy governs nothing; its mistakes are shown where they were made. */
export type CopyProblem = { readonly line: number; readonly message: string }
export type Group = {
  readonly pull: number
  /** The others that its commit brings to its branch: put in with it, or in the groups that it stands on. */
  readonly beside: readonly number[]
  /** The commit that it stands on: the tip of the branch, or another group, which merges with it. */
  readonly base_sha: string
  /** Those in it and beneath it that are no success at the head that is queued; null while nobody has looked. */
  readonly lacking: readonly number[] | null
  /** Checks that overrides of the members name. */
  readonly covers: readonly string[]
}
export type ScopeViolation = {
  readonly violation_type: 'outside_write' | 'denied'
  readonly path: string
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
}
export type Confirmation = {
  readonly by: string
  readonly user_id: number | null
  readonly notes: string
  readonly separation: Separation
  /** When it was said. */
  readonly at: string
}

/** A text that says what the task asks, as it counts: later edits by a builder change nothing. */
export type TaskSource = {
  readonly number: number
  readonly title: string
  readonly body: string
  /** Whether it was written last by somebody who made no part of the task, and who may loosen what the policy asks. */
  readonly edited_by: 'builder' | 'trusted' | 'other'
  readonly may_run: boolean
}

/** The state of one stream. Pull requests for the same issue share it, and with it one attempt count. */
export type TaskState = Conversation &
  Heads &
  TakenBack & {
    readonly task_id: string
    readonly status: TaskStatus
    readonly assignee: Account | null
    readonly attempts: readonly Attempt[]
    /** By pull request: the attempt that was opened last, which is an earlier one where its commit came back. */
    readonly opened: Readonly<Record<string, string>>
    /** Attempts with an ordinal up to this one no longer count: `/retry` or a reopening came after them. */
    readonly counted_after: number
    readonly builders: readonly Builder[]
    readonly reviews: readonly Review[]
    /** Rejections of trees of this task that were made at other tasks. */
    readonly carried: readonly CarriedRejection[]
    /** How many acts and reviews there were; what came later has the higher number. */
    readonly deeds: number
    /** Everybody who ever confirmed an attempt, whatever became of it. */
    readonly confirmers: readonly Account[]
    /** The pull request of a guest that had this task to itself was taken up: it is judged at that stream now, or still here. */
    readonly taken_up: { readonly to: string | null } | null
    /** The streams of guests' pull requests whose deeds are here by now. */
    readonly joined: readonly string[]
    /** What states the task, as it counts now. */
    readonly sources: readonly TaskSource[]
    /** Who did not confirm it, since it was confirmed or a lead decided. */
    readonly sent_back: readonly Account[]
    /** The goals that it is a task of. */
    readonly goals: readonly TaskGoal[]
    /** What has to be verified before it; null while nobody has looked. */
    readonly waits_for: readonly Dependency[] | null
    /** By pull request: what that closes beside it. */
    readonly beside: Readonly<Record<string, readonly Beside[]>>
    /** What it was split into: each part gets an issue. */
    readonly parts: readonly TaskPart[]
    /** The request that it was approved as. */
    readonly request: number | null
    readonly invariants_broken: readonly string[]
    readonly slots: Readonly<Record<string, Slot>>
  }
export type Slot = { readonly digest: string; readonly ref: string | null }
