// What goals need of GitHub: reading an issue with its sub-issues, and changing which issue is whose.
import type { Closing } from '../issue-closing.ts'
import type { Maker } from '../people/people.ts'
import type { StandingCheck } from './judge-goal.ts'

/** The issues above tasks: goals, which have tasks as their sub-issues. */
export interface GoalBoard {
  /** Null where there is no such issue. */
  readonly read: (number: number) => Promise<GoalSeen | null>
  /** Makes an issue a task of a goal, or none any more; in words why GitHub does not, where it never will. */
  readonly link: (goal: number, task: number, linked: boolean) => Promise<string | null>
  /** Makes an issue, unless one with this mark is there already. */
  readonly make: (issue: IssueWish) => Promise<number>
  readonly reopen: (number: number) => Promise<void>
  /** What stands under these names on the head of the default branch now. */
  readonly integration: (checks: readonly string[]) => Promise<readonly StandingCheck[]>
}
export type GoalSeen = {
  readonly title: string
  readonly open: boolean
  /** It bears the label of goals, whoever put that on. */
  readonly is_goal: boolean
  readonly by: Maker
  /** Null where it is open. */
  readonly closing: Closing | null
  /** Its sub-issues in this repository. */
  readonly tasks: readonly TaskSeen[]
  /** Sub-issues of other repositories, by name. */
  readonly elsewhere: readonly string[]
}
/** `is_goal`: it bears the label, whoever put that on. `may_wait`: GitHub says that something blocks it, or does not tell. */
export type TaskSeen = {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly open: boolean
  readonly is_goal: boolean
  readonly may_wait: boolean
}
export type IssueWish = {
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
  readonly mark: string
}
