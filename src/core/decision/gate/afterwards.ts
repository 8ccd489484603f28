// What becomes of a task once its pull request is merged: GitHub calls it done, and it is not before somebody has confirmed it.
import type { Decision } from '../decision.ts'
import type { Attempt, TaskState } from '../model.ts'
import { policyOver } from './facts.ts'
import { numberIn } from '../../names.ts'

/** Somebody is to confirm it, before the merge or after it. */
export function isToBeConfirmed(task: TaskState, attempt: Attempt): boolean {
  const { merge_requires, tasks } = policyOver(task, attempt)
  return merge_requires === 'verified' || tasks.reopen_unverified || task.goals.length > 0 || task.request !== null
}

/** The merged commit of a pull request. */
export const isMerged = ({ opened }: TaskState, { merged, live, group, pull, id }: Attempt): boolean =>
  merged !== null && !live && group === null && opened[pull] === id

/** The same, where somebody is to confirm it. */
export const isMergedToBeConfirmed = (task: TaskState, attempt: Attempt): boolean =>
  isMerged(task, attempt) && isToBeConfirmed(task, attempt)

/** Nothing but a confirmation is missing any more, or that the way is free. */
export const isThrough = ({ row }: Decision): boolean =>
  row === 'approved' || row === 'confirmation' || row === 'parallel' || row === 'success'

/** The issue of a task; null where its pull request is the task. */
export function issueOfTask({ task_id }: Pick<TaskState, 'task_id'>, { pull }: Pick<Attempt, 'pull'>): number | null {
  const number = numberIn(task_id)
  return number === pull || !Number.isSafeInteger(number) ? null : number
}
