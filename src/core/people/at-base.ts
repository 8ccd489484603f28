// Words are about the base that a pull request had when they were said. Where it had another one before, they count from the second
// after the one in which this one came: of the same second nobody knows, and nobody allowed what they may not have seen.
import { isFromBefore } from '../as-of.ts'
import type { Attempt, TaskState } from '../decision/model.ts'

type Part = 'base_ref' | 'merges_into'

/** `parts`: which of a base must have been the same. */
export function isAtBase(
  task: TaskState,
  attempt: Attempt,
  at: string | undefined,
  parts: readonly Part[] = all,
): boolean {
  const own = task.attempts.filter(({ pull, group }) => pull === attempt.pull && group === null)
  const isHere = (one: Attempt, which = parts): boolean => which.every((part) => one[part] === attempt[part])
  // What was met at the base to which it had gone has its time from GitHub.
  const { results_since: moved } = attempt
  if (own.every((one) => isHere(one, all))) return moved === null || isFromBefore(moved, at ?? '')
  const isBy = (one: Attempt): boolean => !isFromBefore(attempt.head_at, one.head_at)
  const left = datesOf(own.filter((one) => !isHere(one) && isBy(one))).at(-1)
  if (left === undefined) return own.every((one) => isHere(one))
  const [since] = datesOf(own.filter((one) => isHere(one) && !isFromBefore(one.head_at, left)))
  return isFromBefore(since ?? attempt.head_at, at ?? '')
}

const all: readonly Part[] = ['base_ref', 'merges_into']

const datesOf = (attempts: readonly Attempt[]): readonly string[] => attempts.map(({ head_at }) => head_at).toSorted()
