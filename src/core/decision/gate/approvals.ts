// Which approvals are about what is judged. Whoever approved a change looked at what it makes of the files that it comes from: the same
// tree on top of other files takes back whatever came to the branch between the two, and nobody looked at that.
import { builderCalled } from '../../people/separation.ts'
import { isLater, type Placed } from '../../people/order.ts'
import type { Review } from '../../people/people.ts'
import type { Attempt, TaskState } from '../model.ts'
import { isAbout } from '../subject.ts'
import type { Rejection } from './facts.ts'

export const standingReviews = (task: TaskState): Review[] =>
  task.reviews.filter(({ standing }) => standing === 'stands')

/** A rejection voids what was allowed before it. */
export const isAfterAll =
  (rejections: readonly Rejection[]) =>
  (allowed: Placed): boolean =>
    rejections.every((one) => isLater(allowed, one))

export const hasMade = ({ builders }: Attempt, id: number | null, login: string): boolean =>
  builderCalled(builders, { id, login }) !== null

export function approvalsOf(task: TaskState, attempt: Attempt, rejections: readonly Rejection[]): Review[] {
  const isStanding = isAfterAll(rejections)
  return standingReviews(task).filter(
    (review) =>
      review.state === 'approved' &&
      review.counts &&
      isStanding(review) &&
      isAbout('approval', review, attempt) &&
      isSameChange(task, review, attempt) &&
      (review.solo || !hasMade(attempt, review.user_id, review.by)),
  )
}

/** Nobody knows that of a commit that was not judged, or where GitHub did not tell; older records tell it of none. */
function isSameChange({ attempts }: TaskState, review: Review, { head_sha, parting }: Attempt): boolean {
  if (review.head_sha === head_sha) return true
  const judged = attempts.filter(
    (one) =>
      one.pull === review.pull &&
      one.head_sha === review.head_sha &&
      one.base_ref === review.base_ref &&
      one.merges_into === review.merges_into,
  )
  return parting !== null && judged.some((one) => one.parting === parting)
}
