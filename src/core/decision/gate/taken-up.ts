// Pull requests of people who may not write here. One adds nothing to a task that others share until somebody entitled, who
// made no part of it, has taken it up; from then on it is an attempt at the issue that it closed at that moment, for ever.
import { builderCalled } from '../../people/separation.ts'
import type { Attempt, TaskState } from '../model.ts'

/**
 * It is the pull request that was taken up: a push ends what else the word allowed, and not this. Whoever took their word
 * back before it had led anywhere did not take it up.
 */
export function isTakenUp({ attempts, taken_up }: TaskState, { pull }: Pick<Attempt, 'pull'>): boolean {
  return (
    taken_up !== null ||
    attempts.some(
      (attempt) =>
        attempt.pull === pull &&
        attempt.acts.some(
          ({ type, standing, solo, user: login, user_id: id }) =>
            type === 'ACKNOWLEDGMENT' &&
            standing !== 'revoked' &&
            (solo || builderCalled(attempt.builders, { id, login }) === null),
        ),
    )
  )
}

/** Of a guest, and nobody entitled has taken it up. */
export const isUnasked = (task: TaskState, attempt: Attempt): boolean => attempt.guest && !isTakenUp(task, attempt)

/** Somebody took it up, and which task it is an attempt at from now on has not been read yet. */
export const awaitsItsTask = (task: TaskState, attempt: Attempt): boolean =>
  attempt.guest && attempt.live && task.taken_up === null && isTakenUp(task, attempt)

/** The stream at which the pull request of this one is judged by now; null where it is this one. */
export const movedTo = ({ taken_up }: TaskState): string | null => taken_up?.to ?? null
