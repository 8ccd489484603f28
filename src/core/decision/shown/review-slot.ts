// What the verifier's review of an attempt shows, given what earlier reviews of the pull request left there.
import { verifierReview, type ShownReview } from '../../words/verifier-review.ts'
import type { Attempt, TaskState } from '../model.ts'
import { reviewIn, reviewSlot, threadsIn, type Threads } from './review-ref.ts'

/** What was said of earlier commits: threads by their finding, and the review that is superseded. */
export type Standing = { readonly threads: Threads; readonly superseded: number | null }

/** What was said there is not said again, and closed once it is fixed. */
function standingBefore({ attempts, slots }: TaskState, { pull, ordinal }: Attempt): Standing {
  const refs = attempts
    .filter((one) => one.pull === pull && one.ordinal < ordinal)
    .map(({ id }) => slots[reviewSlot(id)]?.ref ?? null)
  const superseded = refs.map(reviewIn).findLast((review) => review !== null) ?? null
  return { threads: Object.assign({}, ...refs.map(threadsIn)), superseded }
}

/** Null while the built-in verifier has not answered about it, and where there is nothing to write or to close. */
export function reviewOf(task: TaskState, attempt: Attempt): ({ review: ShownReview } & Standing) | null {
  if (attempt.verifier.phase !== 'answered' || attempt.verifier.examined === undefined) return null
  const before = standingBefore(task, attempt)
  const review = verifierReview(attempt, new Set(Object.keys(before.threads)))
  if (review === null) return null
  const isSilent = review.body === null && review.closings.length === 0 && before.superseded === null
  return isSilent ? null : { review, ...before }
}
