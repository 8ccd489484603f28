// What issues need of GitHub: goals above tasks, requests before them, and what waits for what.
import type { GoalBoard } from './goals/goal-board.ts'
import type { RequestBoard } from './requests/request-board.ts'

export interface IssueBoards {
  readonly goals: GoalBoard
  readonly requests: RequestBoard
  /** What GitHub says that an issue is blocked by. */
  readonly blockedBy: (issue: number) => Promise<readonly IssueNamed[]>
}
export type IssueNamed = {
  readonly name: string
  /** Null where it lies in another repository. */
  readonly number: number | null
  readonly title: string
  readonly open: boolean
}
