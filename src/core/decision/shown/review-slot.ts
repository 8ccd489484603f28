// What the reviews of an attempt show, the verifier's and the red team's, given what earlier ones of the pull request left there.
import { gateReview } from '../../words/gate-review.ts'
import { verifierReview, type ShownReview } from '../../words/verifier-review.ts'
import type { Attempt, TaskState } from '../model.ts'
import { attackSlot, reviewIn, reviewSlot, threadsIn, type Threads } from './review-ref.ts'

/** What was said of earlier commits: threads by their finding, and the review that is superseded. */
export type Standing = { readonly threads: Threads; readonly superseded: number | null }
export type ReviewWanted = { readonly review: ShownReview } & Standing

/** What was said there is not said again, and closed once it is fixed. */
function standingBefore(
  { attempts, slots }: TaskState,
  { pull, ordinal }: Attempt,
  slotOf: (attemptId: string) => string,
): Standing {
  const refs = attempts
    .filter((one) => one.pull === pull && one.ordinal < ordinal)
    .map(({ id }) => slots[slotOf(id)]?.ref ?? null)
  const superseded = refs.map(reviewIn).findLast((review) => review !== null) ?? null
  return { threads: Object.assign({}, ...refs.map(threadsIn)), superseded }
}

type Write = (shown: ReadonlySet<string>) => ShownReview | null

/** Null while nobody has answered about it, and where there is nothing to write or to close. */
function wanted(before: Standing, write: Write): ReviewWanted | null {
  const review = write(new Set(Object.keys(before.threads)))
  if (review === null) return null
  const isSilent = review.body === null && review.closings.length === 0 && before.superseded === null
  return isSilent ? null : { review, ...before }
}

/** By the slots that they are shown in. */
export function reviewsOf(task: TaskState, attempt: Attempt): ReadonlyMap<string, ReviewWanted> {
  const { verifier, id } = attempt
  const isAnswered = verifier.phase === 'answered' && verifier.examined !== undefined
  const said = isAnswered
    ? wanted(standingBefore(task, attempt, reviewSlot), (shown) => verifierReview(attempt, shown))
    : null
  const attacked = wanted(standingBefore(task, attempt, attackSlot), (shown) => gateReview(attempt, shown))
  return new Map([
    ...(said === null ? [] : [[reviewSlot(id), said] as const]),
    ...(attacked === null ? [] : [[attackSlot(id), attacked] as const]),
  ])
}
