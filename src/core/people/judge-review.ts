// What a GitHub review means: an approval that may count, a rejection of the tree it was made on, or nothing. Of each person
// one review stands for each pull request.
import { effectiveVerdict } from '../decision/gate/facts.ts'
import { stageNaming } from '../decision/gate/stages.ts'
import { bringsTheSame, isAbout, isSameTree } from '../decision/subject.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { Attempt } from '../decision/model.ts'
import { accountOf, hasNewer, isSame, type Review } from './people.ts'
import { isOursBy } from '../decision/results/ended-at.ts'
import { isAtBase } from './at-base.ts'
import { grant, isOfNow, mayLift, solo, type Heard } from './judge.ts'
import { revoked, revokedAtOnce } from './judge-again.ts'
import { isBefore } from './order.ts'
import { atLeast, leastPermission } from './permission.ts'
import { builderCalled, mayReview, separationFor } from './separation.ts'

export type ReviewSaid = {
  readonly state: 'approved' | 'changes_requested'
  readonly head_sha: string
  readonly tree_sha: string
  readonly body: string
}

export function judgeReview(heard: Heard, said: ReviewSaid): NewEvent[] {
  const { task, attempt, saying } = heard
  const whyNot = whyItDoesNotCount(heard, said)
  const counts = whyNot === null
  const event: Extract<NewEvent, { type: 'ReviewSubmitted' }> = {
    type: 'ReviewSubmitted',
    attempt_id: attempt.id,
    head_sha: attempt.head_sha,
    data: {
      key: saying.key,
      by: saying.user.login,
      user_id: saying.user.id,
      teams: saying.user.teams,
      permission: saying.user.permission,
      pull: attempt.pull,
      base_ref: attempt.base_ref,
      ...said,
      counts,
      why_not: whyNot,
      resolves_refer: counts && resolvesRefer(heard, said),
      solo: solo(heard, 'write'),
      at: saying.at,
    },
  }
  const acts = counts ? actOf(heard, said) : []
  const why = 'replaced by a newer review'
  // What is heard late was replaced before anybody heard of it.
  if (hasNewer(task.reviews, event.data)) return [event, ...acts, ...revokedAtOnce(heard, acts, why)]
  const before = counts || said.state === 'approved' ? takenBack(heard, saying.user) : []
  return [event, ...before.map((id) => revoked(heard, id, why)), ...acts]
}

const hasSameChange = (one: Attempt, other: Attempt): boolean =>
  one.base_ref === other.base_ref && bringsTheSame(one, other)

export type WhyNot = 'bot' | 'permission' | 'builder' | 'confirmer' | 'not_in_role' | 'older_commit'

function whyItDoesNotCount(heard: Heard, said: ReviewSaid): WhyNot | null {
  const { task, attempt, saying } = heard
  const { policy } = attempt.contract
  const { user } = saying
  if (user.kind === 'bot') return 'bot'
  if (!atLeast(user.permission, 'write')) return 'permission'
  // Whoever makes a change can name anybody as one of its makers, and must not silence them by it.
  if (said.state === 'changes_requested') return null
  if (builderCalled(task.builders, user) !== null && !solo(heard, 'write')) return 'builder'
  const confirmed = task.confirmers.some((one) => isSame(one, user))
  if (confirmed && separationFor(policy, saying.census, task.builders) === 'triple') return 'confirmer'
  // Whom a stage names may fill that stage, and nothing else.
  if (!mayReview(policy, user) && stageNaming(attempt, user) === null) return 'not_in_role'
  const isOfBase = isAtBase(task, attempt, saying.at, hasSameChange)
  return isOfBase && isAbout('approval', { ...attempt, ...said }, attempt) ? null : 'older_commit'
}

/** A human was asked to look, was shown the referral, and looked. */
function resolvesRefer({ attempt, saying }: Heard, { state, head_sha }: ReviewSaid): boolean {
  const { review_resolves_refer } = attempt.contract.policy.override_policy
  const { verifier } = attempt
  const shown = verifier.phase === 'answered' && verifier.shown && isOursBy(verifier.shown_at, saying.at)
  const referred = shown && effectiveVerdict(attempt)?.verdict.outcome === 'REFER'
  const { user } = saying
  const entitled = atLeast(user.permission, leastPermission(attempt)) && mayReview(attempt.contract.policy, user)
  return review_resolves_refer && state === 'approved' && head_sha === attempt.head_sha && referred && entitled
}

function actOf(heard: Heard, said: ReviewSaid): NewEvent[] {
  const { task, attempt, saying } = heard
  if (said.state === 'changes_requested') {
    const own = task.attempts.filter(({ pull }) => pull === attempt.pull)
    const rejected =
      own.findLast((one) => one.head_sha === said.head_sha) ?? own.findLast((one) => isSameTree(one, said))
    return rejected === undefined ? [] : [grant({ ...heard, attempt: rejected }, 'REJECTION', [], said.body, false)]
  }
  if (said.head_sha !== attempt.head_sha || !isOfNow(heard)) return []
  if (!mayReview(attempt.contract.policy, saying.user)) return []
  const { direct_approval_allowed, reviews_are_direct_approval, min_permission } =
    attempt.contract.policy.override_policy
  const direct =
    direct_approval_allowed && reviews_are_direct_approval && atLeast(saying.user.permission, min_permission)
  return direct ? [grant(heard, 'DIRECT_APPROVAL', [], said.body, solo(heard, min_permission))] : []
}

/** What a person's older reviews of this pull request had done to this tree. */
function takenBack(
  { task, attempt, saying }: Heard,
  author: Heard['saying']['user'] | Pick<Review, 'by' | 'user_id'>,
): string[] {
  const by = 'by' in author ? accountOf(author) : author
  const here = (one: Attempt): boolean => one.pull === attempt.pull && isAbout('rejection', one, attempt)
  return task.attempts
    .filter(here)
    .flatMap(({ acts }) => acts)
    .filter((one) => one.source === 'review' && one.standing === 'stands' && isBefore(one, saying))
    .filter(({ user, user_id }) => isSame({ id: user_id, login: user }, by))
    .map(({ id }) => id)
}

/** It is told in the other order, or was given where nobody listened. */
export function dismissedUnheard({ attempt, saying }: Heard, review: string): NewEvent {
  const { id: attempt_id, head_sha } = attempt
  const data = { key: saying.key, review, review_by: '', by: saying.user.login, lifts: false }
  return { type: 'ReviewDismissed', attempt_id, head_sha, data }
}

/** An approval goes with its dismissal. A request for changes goes only where whoever dismissed it may lift it. */
export function dismissalOf(heard: Heard, review: Review): NewEvent[] {
  const { attempt, saying } = heard
  const lifts = review.state === 'approved' || mayLift(heard, { ...review, user: review.by })
  const dismissed: NewEvent = {
    type: 'ReviewDismissed',
    attempt_id: attempt.id,
    head_sha: attempt.head_sha,
    data: { key: saying.key, review: review.id, review_by: review.by, by: saying.user.login, lifts },
  }
  const gone = lifts ? takenBack(heard, review).filter((id) => id.startsWith(`${review.id}#`)) : []
  return [dismissed, ...gone.map((id) => revoked(heard, id, 'its review was dismissed'))]
}
