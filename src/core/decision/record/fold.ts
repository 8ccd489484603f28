// The smallest step of the fold: changing the attempt that an event names.
import type { NewEvent } from './events.ts'
import type { Attempt, TaskState } from '../model.ts'

/** Applies a change to the attempt that the event names. */
export function on(task: TaskState, event: NewEvent, change: (attempt: Attempt) => Partial<Attempt>): TaskState {
  const attempts = task.attempts.map((attempt) =>
    attempt.id === event.attempt_id ? { ...attempt, ...change(attempt) } : attempt,
  )
  return { ...task, attempts }
}

/** A record that asks for an undeclared transition is a fault of ours; it shows as a referral, never as a success. */
export const broken = (task: TaskState, what: string): TaskState => ({
  ...task,
  invariants_broken: [...task.invariants_broken, what],
})
