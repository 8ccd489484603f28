// Which approvals are about what is judged. Whoever approved a change looked at what it makes of the files that it comes from: the same
// tree on top of other files takes back whatever came to the branch between the two, and nobody looked at that.
import { builderCalled } from '../../people/separation.ts'
import { isLater } from '../../people/order.ts'
import type { Review } from '../../people/people.ts'
import type { Attempt, TaskState } from '../model.ts'
import { isAbout } from '../subject.ts'
import type { Rejection } from './facts.ts'

export const standingReviews = (task: TaskState): Review[] =>
  task.reviews.filter(({ standing }) => standing === 'stands')

/** A rejection voids what was approved before it. */
export function approvalsOf(task: TaskState, attempt: Attempt, rejections: readonly Rejection[]): Review[] {
  return standingReviews(task).filter(
    (review) =>
      review.state === 'approved' &&
      review.counts &&
      rejections.every((one) => isLater(review, one)) &&
      isAbout('approval', review, attempt) &&
      isSameChange(task, review, attempt) &&
      (review.solo || builderCalled(attempt.builders, { id: review.user_id, login: review.by }) === null),
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
