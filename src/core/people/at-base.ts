// Words are about the base that a pull request had when they were said. Where it had another one before, they count from the second
// after the one in which this one came: of the same second nobody knows, and nobody allowed what they may not have seen.
import { isFromBefore } from '../as-of.ts'
import type { Attempt, TaskState } from '../decision/model.ts'
import { isSameBase } from '../decision/subject.ts'

type IsHere = (one: Attempt, attempt: Attempt) => boolean

/** `isSame`: whether an attempt had what words of this kind are about. */
export function isAtBase(
  task: TaskState,
  attempt: Attempt,
  at: string | undefined,
  isSame: IsHere = isSameBase,
): boolean {
  const own = task.attempts.filter(({ pull, group }) => pull === attempt.pull && group === null)
  const isHere = (one: Attempt): boolean => isSame(one, attempt)
  // What was met at the base to which it had gone has its time from GitHub.
  const { results_since: moved } = attempt
  if (own.every((one) => isSameBase(one, attempt))) return moved === null || isFromBefore(moved, at ?? '')
  const isBy = (one: Attempt): boolean => !isFromBefore(attempt.head_at, one.head_at)
  const left = datesOf(own.filter((one) => !isHere(one) && isBy(one))).at(-1)
  if (left === undefined) return own.every((one) => isHere(one))
  const [since] = datesOf(own.filter((one) => isHere(one) && !isFromBefore(one.head_at, left)))
  return isFromBefore(since ?? attempt.head_at, at ?? '')
}

const datesOf = (attempts: readonly Attempt[]): readonly string[] => attempts.map(({ head_at }) => head_at).toSorted()
