// Acts by label: the label opens an act for this commit, `/reason` by the same person completes it, and taking the
// label away takes that act back and nothing else. A rejection blocks at once, whether or not a reason follows.
import type { NewEvent } from '../decision/record/events.ts'
import type { LabelAct } from './act.ts'
import { barredFrom, isOfNow, judgeAct, mayLift, refuse, takenUp, toAcknowledge, type Heard } from './judge.ts'
import { revoked } from './judge-again.ts'
import { isBefore } from './order.ts'
import { accountOf, isSame } from './people.ts'
import { leastPermission } from './permission.ts'

export function judgeLabel(heard: Heard, act: LabelAct, added: boolean): NewEvent[] {
  if (!added) return takenAway(heard, act)
  const { attempt, saying } = heard
  const { override_policy } = attempt.contract.policy
  const needs = act === 'reject' ? 'write' : leastPermission(attempt)
  const barred = barredFrom(heard, needs, act === 'reject')
  if (barred !== null) return [barred]
  const forbidden = forbiddenBy(act, override_policy)
  if (forbidden !== null) return [refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'forbidden_by_policy', forbidden, [])]
  const { head_sha } = attempt
  // A label is about the commit that it was set on, however late it is heard.
  if (saying.sha !== head_sha || !(act === 'reject' || isOfNow(heard)))
    return act === 'reject'
      ? judgeAct(heard, commandOf(act, ''))
      : [refuse(heard, 'HEAD_MOVED', 'head_moved', head_sha, [])]
  const { id: user_id, login: by } = saying.user
  const asked: NewEvent = {
    type: 'ActAsked',
    attempt_id: attempt.id,
    head_sha,
    data: { key: saying.key, by, user_id, act, sha: head_sha, at: saying.at },
  }
  const labelled = { ...heard, label: act }
  if (act === 'reject') return [asked, ...judgeAct(labelled, commandOf(act, ''))]
  if (act === 'ack') return acknowledged(labelled, asked)
  const complete = act === 'override' && !override_policy.check_override_requires_reason
  return complete ? judgeAct(labelled, commandOf(act, '')) : [asked]
}

/** Taking a guest up needs no reason; what else is acknowledged does. */
function acknowledged(heard: Heard, asked: NewEvent): NewEvent[] {
  const needs = leastPermission(heard.attempt)
  const taken = takenUp(heard, '', needs)
  const isAll = toAcknowledge(heard, needs).every(({ subject }) => subject === 'guest')
  return taken.length > 0 && isAll ? taken : [...taken, asked]
}

type OverridePolicy = Heard['attempt']['contract']['policy']['override_policy']

/** The key that stands against every act of this kind. */
function forbiddenBy(act: LabelAct, policy: OverridePolicy): string | null {
  if (act === 'approve') return policy.direct_approval_allowed ? null : 'override_policy.direct_approval_allowed'
  const may = act === 'reject' || act === 'ack' || policy.check_override_allowed || policy.verifier_override_allowed
  return may ? null : 'override_policy.check_override_allowed'
}

/** Only whoever set the label can complete it. */
export function judgeReason(heard: Heard, reason: string): NewEvent[] {
  const { attempt, saying } = heard
  const open = attempt.asked.findLast((one) => isSame(accountOf(one), saying.user) && isBefore(one, saying))
  if (open === undefined) return [refuse(heard, 'USER_COMMAND_REFUSED', 'nothing_to_complete', null, [])]
  return judgeAct({ ...heard, label: open.act }, commandOf(open.act, reason))
}

/** Whoever takes the label away, what it allowed is over; what it rejected is lifted only by those who may. */
function takenAway(heard: Heard, act: LabelAct): NewEvent[] {
  const { attempt, saying } = heard
  // A no that was said since is another one. What a label allows goes with it, whenever that was complete.
  const isSaid = (one: { readonly at?: string }): boolean => act !== 'reject' || isBefore(one, saying)
  const made = attempt.acts.filter((one) => one.label === act && one.standing === 'stands' && isSaid(one))
  const liftable = made.filter((one) => one.type !== 'REJECTION' || mayLift(heard, one))
  const kept = made.find((one) => !liftable.includes(one))
  if (kept !== undefined) return [refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'not_its_author', kept.user, [kept.user])]
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  const data = { key: saying.key, by: saying.user.login, act, at: saying.at }
  const withdrawn: NewEvent = { type: 'ActWithdrawn', ...at, data }
  return [...liftable.map(({ id }) => revoked(heard, id, 'its label was taken away')), withdrawn]
}

function commandOf(act: LabelAct, reason: string): Parameters<typeof judgeAct>[1] {
  const sha = null
  return act === 'override' ? { name: act, checks: [], verifier: false, reason, sha } : { name: act, reason, sha }
}
