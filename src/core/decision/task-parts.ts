// What a task belongs to, what it waits for, what it was split into, and what a lead decided about it.
import type { Policy } from '../contract/policy/policy.ts'
import type { TaskStatus } from './model.ts'
import type { Account } from '../people/people.ts'

export type Triage = {
  readonly key: string
  readonly by: string
  readonly action: 'reassign' | 'accept' | 'split'
  readonly reason: string
  readonly assignee: Account | null
  /** The titles of what it is split into. */
  readonly parts?: readonly string[]
}
export type TaskPart = { readonly key: string; readonly title: string; readonly by: string }
/** An issue that has to be verified first, and where it stands by its own record: `none` where it has none here. */
export type Dependency = {
  /** `owner/repo#n` */
  readonly name: string
  /** Its number, where it lies in the same repository. */
  readonly number: number | null
  readonly title: string
  readonly open: boolean
  readonly status: TaskStatus
  /** Neither its policy nor a goal asks anybody to confirm it. */
  readonly unasked?: boolean
}
/** An issue that a pull request closes beside its task, and what that asks of it. */
export type Beside = {
  readonly number: number
  readonly goals: readonly TaskGoal[]
  readonly waits_for: readonly Dependency[]
}
export type TaskGoal = { readonly number: number; readonly merge_requires: Policy['merge_requires'] }
