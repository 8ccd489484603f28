// What issues need of GitHub: goals above tasks, requests before them, and what waits for what.
import type { GoalBoard } from './goals/goal-board.ts'
import type { IssueSaid } from './news.ts'
import type { Account, Maker } from './people/people.ts'
import type { RequestBoard } from './requests/request-board.ts'

export interface IssueBoards {
  readonly goals: GoalBoard
  readonly requests: RequestBoard
  /** Who put a label on an issue, or took it off, last, and when; null where GitHub does not tell. */
  readonly labelledBy: (issue: number, label: string, change: 'labeled' | 'unlabeled') => Promise<Labelling | null>
  /** What was said at an issue since then. */
  readonly saidAt: (issue: number, since: string) => Promise<readonly IssueSaid[]>
  /** The pull requests with whose merge this check began to fail at a commit. */
  readonly broughtBy: (sha: string, of: CheckOf) => Promise<readonly number[]>
  /** What GitHub says that an issue is blocked by; null where it shows no issues. */
  readonly blockedBy: (issue: number) => Promise<readonly IssueNamed[] | null>
}
/** A check, by the App that reports it; null where any may. */
export type CheckOf = { readonly check: string; readonly app: string | null }
export type Labelling = { readonly by: Maker; readonly at: string }
/** An open issue that bears the label of goals or requests. */
export type MarkedIssue = { readonly kind: 'goal' | 'request'; readonly number: number; readonly updated_at: string }
export type IssueNamed = {
  readonly name: string
  /** Null where it lies in another repository. */
  readonly number: number | null
  readonly title: string
  readonly open: boolean
}
export type IssueText = {
  readonly number: number
  readonly title: string
  readonly body: string
  /** Null where GitHub does not tell. */
  readonly edited_by: string | null
  readonly edited_by_id: number | null
  /** Who made it the pull request's: whoever wrote that one's text, or somebody by hand; null where GitHub does not tell. */
  readonly linked_by: 'text' | Account | null
  readonly open: boolean
}
