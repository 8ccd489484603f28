// News: what can happen around a repository, in our words. Adapters translate what they are told into these. They are hints:
// what counts is read again.
import type { Maker } from './people/people.ts'

/** `key` names the repository by its id, so that a rename changes nothing. */
export type Repository = { readonly key: string; readonly full_name: string }

export type News =
  /** A pull request was opened, pushed to, retargeted, made ready, or is simply to be looked at again. */
  | {
      readonly kind: 'pull_changed'
      readonly pull: number
      readonly head_sha: string
      readonly base_is_default: boolean
      readonly base_ref: string
      /** Whether it is open and no draft, as far as the news knows. */
      readonly ready: boolean
      readonly by: Maker | null
      /** The push that it tells of: by whom, and which commit was the head before. */
      readonly push: { readonly by: Maker; readonly before: string | null } | null
      /** GitHub's time of the change; of the last one that there was, where we came across it ourselves. */
      readonly at: string
      /** Nobody told of it: when it had last changed in the answer that showed it. */
      readonly found?: string
    }
  /** A branch was moved to a commit; perhaps the policy file at its tip is another one now. */
  | {
      readonly kind: 'pushed'
      readonly branch: string
      /** Null where the branch is gone. */
      readonly sha: string | null
      /** What it was at; null where it was not there. */
      readonly before: string | null
      readonly by: Maker
      readonly changes_policy: boolean
    }
  /** The merge queue asks for a commit that it made of a pull request, or lets go of one. */
  | {
      readonly kind: 'group_requested'
      readonly pull: number
      readonly head_sha: string
      /** What it stands on: the branch, or the group before it. */
      readonly base_sha: string
      readonly base_ref: string
      readonly base_is_default: boolean
      readonly at: string
    }
  | { readonly kind: 'group_ended'; readonly head_sha: string }
  | {
      readonly kind: 'pull_ended'
      readonly pull: number
      readonly why: 'draft' | 'closed'
      readonly merged_by: Maker | null
      readonly at: string
    }
  /** Some result for a commit may have changed: `told` are those; `approved_run` names a run that somebody let begin. */
  | {
      readonly kind: 'results_changed'
      readonly sha: string
      readonly told?: readonly ToldResult[]
      readonly approved_run?: number
      readonly failed?: FailedCheck
    }
  /** A job waits for our word before it deploys a commit. */
  | {
      readonly kind: 'deployment_asked'
      readonly sha: string
      readonly run: number
      readonly environment: string
    }
  /** Somebody asks for the check run of a commit to be made again. */
  | { readonly kind: 'run_asked_again'; readonly sha: string; readonly name: string; readonly at: string }
  /** Somebody changed what we show at a pull request: `ref` names the comment. */
  | { readonly kind: 'place_touched'; readonly pull: number; readonly place: 'labels'; readonly by: Maker }
  | {
      readonly kind: 'place_touched'
      readonly pull: number
      readonly place: 'sticky'
      readonly ref: string
      readonly by: Maker
    }
  /** An issue, or its sub-issues, are no longer what they were. */
  | {
      readonly kind: 'issue_changed'
      readonly issue: number
      /** Whether it bears the label of goals now. */
      readonly is_goal: boolean
      readonly is_request: boolean
      /** The label that was put on it just now, where it is one of the two. */
      readonly labelled: 'goal' | 'request' | null
      /** It was closed just now, as something that is done. */
      readonly done: boolean
      /** Its text may hold the block of a task. */
      readonly names_us?: boolean
      readonly by: Maker
    }
  /** What an issue is blocked by is no longer what it was. */
  | { readonly kind: 'dependencies_changed'; readonly issue: number }
  /** Somebody speaks at an issue. */
  | {
      readonly kind: 'issue_said'
      readonly issue: number
      readonly comment: number
      readonly key: string
      readonly body: string
      readonly by: Maker
      readonly through: string | null
      readonly at: string
      /** The same as below. */
      readonly found: 'as it was' | 'edited' | null
    }
  | {
      readonly kind: 'said'
      readonly pull: number
      readonly comment: number
      readonly key: string
      /** As it was written; which commands it gives is read by whoever handles it. */
      readonly body: string
      readonly by: Maker
      /** The App that wrote it with this person's token. */
      readonly through: string | null
      readonly at: string
      /** Null where it was told when it was said; else we came across it, and it may say something else by now. */
      readonly found: 'as it was' | 'edited' | null
    }
  | {
      readonly kind: 'reviewed'
      readonly pull: number
      readonly key: string
      readonly by: Maker
      readonly state: 'approved' | 'changes_requested' | 'commented'
      readonly sha: string
      readonly body: string
      readonly at: string
      /** The same. */
      readonly found: 'as it was' | 'edited' | null
    }
  | {
      readonly kind: 'review_dismissed'
      readonly pull: number
      readonly key: string
      readonly review_key: string
      readonly by: Maker
      readonly at: string
    }
  | {
      readonly kind: 'labelled'
      readonly pull: number
      readonly key: string
      readonly label: string
      readonly added: boolean
      readonly by: Maker
      readonly at: string
    }

/** A check that failed on the default branch, and the App that says so. */
type FailedCheck = { readonly check: string; readonly app: string | null; readonly branch: string }
export type IssueSaid = Extract<News, { kind: 'issue_said' }>

/** What people say: a comment, a review and what becomes of it, a label. */
export type Words = Extract<News, { kind: 'said' | 'reviewed' | 'labelled' | 'review_dismissed' }>

/** The same and what is said at issues, where a task is confirmed or sent back as well. */
export type Speech = Words | IssueSaid

/** What tells one of them from the others, wherever GitHub tells it, and when it was said. */
export type Piece = { readonly at: string } & (
  | { readonly kind: 'said' | 'reviewed' | 'issue_said'; readonly key: string }
  | { readonly kind: 'labelled'; readonly label: string; readonly added: boolean }
  | { readonly kind: 'review_dismissed'; readonly review_key: string }
)

/** Everything that was said since then, or since ever where that is empty, by its names and without its words. */
export type LastSaid = { readonly pieces: readonly Piece[]; readonly since: string }
/** A piece of what was said, as a webhook would tell it; `told` is null where nobody is left who said it. */
export type Saying = {
  readonly piece: Piece
  readonly told: { readonly event: string; readonly payload: object } | null
  /** By whom, under which key it is heard, and of a comment its words as they are now. */
  readonly said?: { readonly by: Maker; readonly key: string; readonly body: string }
}
/** Where something may have been said about a task, and what of it is on record. */
export type PlaceHeard = {
  readonly is: 'pull' | 'issue'
  readonly number: number
  /** What was said before counts for nothing there; empty where everything counts. */
  readonly since: string
  /** GitHub's time of its last change; empty where it was not asked for. */
  readonly updated_at: string
  /** The keys of what is on record as heard. */
  readonly heard: readonly string[]
}

export const wordsKinds = [
  'said',
  'reviewed',
  'labelled',
  'review_dismissed',
] as const satisfies readonly Words['kind'][]

export const isWords = (news: News): news is Words => wordsKinds.some((kind) => kind === news.kind)

export const speechKinds = [...wordsKinds, 'issue_said'] as const satisfies readonly Speech['kind'][]

export const isSpeech = (news: News): news is Speech => speechKinds.some((kind) => kind === news.kind)

/** A result that is there, as a webhook told of it: a list that lacks it is from before. */
export type ToldResult = {
  readonly kind: 'check_run' | 'status' | 'workflow_run'
  readonly id: number
  readonly name: string
  /** Of a workflow run: what it answers. */
  readonly event?: string
  /** What came of it; null where it is not over. */
  readonly conclusion: string | null
  /** When it was over; empty where nobody says so. */
  readonly at: string
}
