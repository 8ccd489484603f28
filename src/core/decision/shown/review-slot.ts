// The verifier's review of an attempt as a place on GitHub, and the threads that earlier reviews of the pull request have
// opened. Where a review is shown says by which comments: `<review> <finding>=<comment> …`.
import { verifierReview, type ShownReview } from '../../words/verifier-review.ts'
import type { Attempt, TaskState } from '../model.ts'

export const reviewSlot = (attemptId: string): string => `verdict:${attemptId}`

export type Threads = Readonly<Record<string, number>>

export function threadsIn(ref: string | null): Threads {
  const threads = Array.from((ref ?? '').matchAll(/ (\S+)=(\d+)/g), ([, finding = '', comment = '']) => [
    finding,
    Number(comment),
  ])
  return Object.fromEntries(threads)
}

export const reviewRef = (review: number, threads: Threads): string =>
  [review, ...Object.entries(threads).map(([finding, comment]) => `${finding}=${comment}`)].join(' ')

/** Threads of the attempts before this one: what was said there is not said again, and answered once it is fixed. */
function threadsBefore({ attempts, slots }: TaskState, { pull, ordinal }: Attempt): Threads {
  const before = attempts.filter((one) => one.pull === pull && one.ordinal < ordinal)
  return Object.assign({}, ...before.map(({ id }) => threadsIn(slots[reviewSlot(id)]?.ref ?? null)))
}

/** Null while the built-in verifier has not answered about it. */
export function reviewOf(task: TaskState, attempt: Attempt): { review: ShownReview; threads: Threads } | null {
  if (attempt.verifier.phase !== 'answered' || attempt.verifier.examined === undefined) return null
  const threads = threadsBefore(task, attempt)
  const review = verifierReview(attempt, new Set(Object.keys(threads)))
  return review && { review, threads }
}
