// What a GitHub review means: an approval that may count, a rejection of the commit it was made on, or nothing.
import { effectiveVerdict, isOfHead } from '../decision/gate/facts.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { Review } from './people.ts'
import { grant, solo, type Heard } from './judge.ts'
import { atLeast, leastPermission } from './permission.ts'
import { builderCalled, isIn } from './separation.ts'

export type ReviewSaid = {
  readonly state: 'approved' | 'changes_requested'
  readonly sha: string
  readonly tree_sha: string
  readonly body: string
}

export function judgeReview(heard: Heard, said: ReviewSaid): NewEvent[] {
  const { attempt, saying } = heard
  const whyNot = whyItDoesNotCount(heard, said)
  const counts = whyNot === null
  const event: NewEvent = {
    type: 'ReviewSubmitted',
    attempt_id: attempt.id,
    head_sha: attempt.head_sha,
    data: {
      key: saying.key,
      by: saying.user.login,
      teams: saying.user.teams,
      permission: saying.user.permission,
      ...said,
      counts,
      why_not: whyNot,
      resolves_refer: counts && resolvesRefer(heard, said),
      solo: solo(heard, 'write'),
    },
  }
  return [event, ...takenBack(heard), ...(counts ? actOf(heard, said) : [])]
}

export type WhyNot = 'bot' | 'permission' | 'builder' | 'not_in_role' | 'older_commit'

function whyItDoesNotCount(heard: Heard, said: ReviewSaid): WhyNot | null {
  const { task, attempt, saying } = heard
  const { roles } = attempt.contract.policy
  const { user } = saying
  if (user.kind === 'bot') return 'bot'
  if (!atLeast(user.permission, 'write')) return 'permission'
  if (builderCalled(task.builders, user.login) !== null && !solo(heard, 'write')) return 'builder'
  if (said.state === 'changes_requested') return null
  const roleless = roles.reviewer.length === 0
  if (!roleless && !isIn([...roles.reviewer, ...roles.lead], user)) return 'not_in_role'
  return isOfHead(said, attempt) ? null : 'older_commit'
}

/** A human was asked to look, was shown the referral, and looked. */
function resolvesRefer({ attempt, saying }: Heard, { state, sha }: ReviewSaid): boolean {
  const { review_resolves_refer } = attempt.contract.policy.override_policy
  const shown = attempt.verifier.phase === 'answered' && attempt.verifier.shown
  const referred = shown && effectiveVerdict(attempt)?.verdict.outcome === 'REFER'
  const entitled = atLeast(saying.user.permission, leastPermission(attempt))
  return review_resolves_refer && state === 'approved' && sha === attempt.head_sha && referred && entitled
}

function actOf(heard: Heard, said: ReviewSaid): NewEvent[] {
  const { task, attempt, saying } = heard
  if (said.state === 'changes_requested') {
    const reviewed = task.attempts.filter(({ head_sha }) => head_sha === said.sha)
    return reviewed.map((rejected) => grant({ ...heard, attempt: rejected }, 'REJECTION', [], said.body, false))
  }
  if (said.sha !== attempt.head_sha) return []
  const { direct_approval_allowed, reviews_are_direct_approval, min_permission } =
    attempt.contract.policy.override_policy
  const direct =
    direct_approval_allowed && reviews_are_direct_approval && atLeast(saying.user.permission, min_permission)
  return direct ? [grant(heard, 'DIRECT_APPROVAL', [], said.body, solo(heard, min_permission))] : []
}

/** A newer review replaces what the same person's older one had done to this commit. */
function takenBack({ attempt, saying }: Heard): NewEvent[] {
  const mine = attempt.acts.filter(
    ({ user, source, standing }) => user === saying.user.login && source === 'review' && standing === 'stands',
  )
  return mine.map(({ id }) => ({
    type: 'OverrideRevoked',
    attempt_id: attempt.id,
    head_sha: attempt.head_sha,
    data: { key: saying.key, override_id: id, by: saying.user.login, reason: 'replaced by a newer review' },
  }))
}

/** The newest review of a person that still stands, when it is dismissed. */
export function dismissalOf(heard: Heard, review: Review, by: string): NewEvent[] {
  const { attempt, saying } = heard
  const dismissed: NewEvent = {
    type: 'ReviewDismissed',
    attempt_id: attempt.id,
    head_sha: attempt.head_sha,
    data: { key: saying.key, review_by: review.by, by },
  }
  const author = { ...heard, saying: { ...saying, user: { ...saying.user, login: review.by } } }
  return [dismissed, ...takenBack(author)]
}
