// What a task waits for: issues that have to be verified first. What was never worked on under our eyes counts once its issue
// is closed; nobody could verify it.
import type { Dependency, TaskState } from '../model.ts'
import type { Reason } from '../decision.ts'

export const isDone = ({ status, open }: Dependency): boolean => status === 'verified' || (status === 'none' && !open)

export const blockersOf = ({ waits_for }: Pick<TaskState, 'waits_for'>): readonly Dependency[] =>
  (waits_for ?? []).filter((one) => !isDone(one))

export const blockedReasons = (task: Pick<TaskState, 'waits_for'>): Reason[] =>
  blockersOf(task).map(({ name, title }) => ({ code: 'awaiting_dependency', subject: name, detail: title }))
