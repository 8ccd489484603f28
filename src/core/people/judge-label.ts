// Acts by label: the label opens an act for this commit, `/reason` by the same person completes it, and taking the
// label away takes the act back. A rejection blocks at once, whether or not a reason follows.
import type { NewEvent } from '../decision/record/events.ts'
import type { LabelAct } from './act.ts'
import { barredFrom, judgeAct, refuse, type Heard } from './judge.ts'
import { sameLogin } from './people.ts'
import { leastPermission } from './permission.ts'

export function judgeLabel(heard: Heard, act: LabelAct, added: boolean): NewEvent[] {
  if (!added) return takenBack(heard)
  const { attempt, saying } = heard
  const { check_override_requires_reason } = attempt.contract.policy.override_policy
  const needs = act === 'reject' ? 'write' : leastPermission(attempt)
  const barred = barredFrom(heard, needs, act === 'reject')
  if (barred !== null) return [barred]
  const { head_sha } = attempt
  const asked: NewEvent = {
    type: 'ActAsked',
    attempt_id: attempt.id,
    head_sha,
    data: { key: saying.key, by: saying.user.login, act, sha: head_sha },
  }
  if (act === 'reject') return [asked, ...judgeAct(heard, commandOf(act, ''))]
  const complete = act === 'override' && !check_override_requires_reason
  return complete ? judgeAct(heard, commandOf(act, '')) : [asked]
}

/** Only whoever set the label can complete it. */
export function judgeReason(heard: Heard, reason: string): NewEvent[] {
  const { attempt, saying } = heard
  const open = attempt.asked.findLast(({ by }) => sameLogin(by, saying.user.login))
  if (open === undefined) return [refuse(heard, 'USER_COMMAND_REFUSED', 'nothing_to_complete', null, [])]
  return judgeAct(heard, commandOf(open.act, reason))
}

function takenBack(heard: Heard): NewEvent[] {
  const { attempt, saying } = heard
  const mine = attempt.acts.filter(
    ({ user, source, standing }) => source === 'label' && standing === 'stands' && sameLogin(user, saying.user.login),
  )
  return mine.map(({ id }) => ({
    type: 'OverrideRevoked',
    attempt_id: attempt.id,
    head_sha: attempt.head_sha,
    data: { key: saying.key, override_id: id, by: saying.user.login, reason: 'its label was taken away' },
  }))
}

function commandOf(act: LabelAct, reason: string): Parameters<typeof judgeAct>[1] {
  const sha = null
  return act === 'override' ? { name: act, checks: [], verifier: false, reason, sha } : { name: act, reason, sha }
}
