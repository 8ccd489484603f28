// What human acts mean for the state: who did what, whether it still stands, and what follows a commit wherever it goes.
import type { NewEvent } from './events.ts'
import { hear, on } from './fold.ts'
import type { Attempt, TaskState } from '../model.ts'

export function acted(task: TaskState, event: Extract<NewEvent, { type: 'HumanOverride' }>): TaskState {
  const { key, override_type: type, user, permission, reason, timestamp: at, source, covers, solo } = event.data
  const act = {
    id: `${key}#${type}`,
    type,
    user,
    permission,
    reason,
    at,
    source,
    covers,
    solo,
    standing: 'stands',
  } as const
  const recorded = hear(
    on(task, event, ({ acts }) => ({ acts: [...acts, act] })),
    key,
  )
  return type === 'RETRY_RESET' ? { ...recorded, counted_after: task.attempts.length } : recorded
}

/** Wherever the act is: one that follows its commit is in more than one attempt. */
export function standing(task: TaskState, id: string, to: 'revoked' | 'voided'): TaskState {
  const attempts = task.attempts.map((attempt) =>
    attempt.acts.some((act) => act.id === id)
      ? { ...attempt, acts: attempt.acts.map((act) => (act.id === id ? { ...act, standing: to } : act)) }
      : attempt,
  )
  return { ...task, attempts }
}

/** A rejection is of the commit: another base or a newer policy does not lift it. */
export function rejectionsOf(task: TaskState, pull: number, head_sha: string): Attempt['acts'] {
  const before = task.attempts.filter((attempt) => attempt.pull === pull && attempt.head_sha === head_sha)
  const acts = before.flatMap((attempt) => attempt.acts)
  const standing = acts.filter(({ type, standing }) => type === 'REJECTION' && standing === 'stands')
  return [...new Map(standing.map((act) => [act.id, act])).values()]
}
