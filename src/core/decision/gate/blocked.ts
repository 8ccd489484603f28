// What a task waits for: issues that have to be verified first. What nobody is asked to confirm, or was never worked on under our
// eyes, counts once its issue is closed.
import { numberIn } from '../../names.ts'
import type { Attempt, TaskState, TaskStatus } from '../model.ts'
import type { Dependency } from '../task-parts.ts'
import type { Reason } from '../decision.ts'

export const isDone = ({ status, open, unasked = status === 'none' }: Dependency): boolean =>
  status === 'verified' || (unasked && !open && handedIn.includes(status))
const handedIn: readonly TaskStatus[] = ['none', 'review', 'completed']

export const blockersOf = ({ waits_for }: Pick<TaskState, 'waits_for'>): readonly Dependency[] =>
  (waits_for ?? []).filter((one) => !isDone(one))

/** For an attempt: also what the other issues wait for that its pull request closes, but for what it closes with them. */
export function blockedReasons(
  task: Pick<TaskState, 'task_id' | 'waits_for' | 'beside'>,
  { pull }: Pick<Attempt, 'pull'>,
): Reason[] {
  const beside = task.beside[pull] ?? []
  const closed = new Set([numberIn(task.task_id), ...beside.map(({ number }) => number)])
  const others = beside.flatMap(blockersOf).filter(({ number }) => number === null || !closed.has(number))
  const all = [...blockersOf(task), ...others]
  const each = new Map(all.map((one) => [one.name, one]))
  return [...each.values()].map(({ name, title }) => ({ code: 'awaiting_dependency', subject: name, detail: title }))
}
