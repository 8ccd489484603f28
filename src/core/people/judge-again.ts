// Taking back one's own word, and asking the verifier again.
import { leastPermission } from './permission.ts'
import { gatesToAsk, isOpinion } from '../decision/gate/asked-again.ts'
import { isVerifierOn, rejectionsOn } from '../decision/gate/facts.ts'
import type { NewEvent } from '../decision/record/events.ts'
import { actId, type Act, type CarriedRejection } from './act.ts'
import { barredFrom, isOwnWord, refuse, type Heard } from './judge.ts'
import { isBefore, newestOf } from './order.ts'
import { isSame } from './people.ts'

/**
 * The newest thing that this person did to this commit before and that still stands; one word may have made two acts. A rejection
 * of the same tree is taken back wherever it was made.
 */
export function judgeRevoke(heard: Heard): NewEvent[] {
  const { task, attempt, saying } = heard
  if (!isOwnWord(heard)) return [refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'through_app', saying.through, [])]
  const isMine = (act: Pick<Act, 'user' | 'user_id' | 'standing'>): boolean =>
    act.standing === 'stands' && isSame({ id: act.user_id, login: act.user }, saying.user)
  const own = attempt.acts.filter(({ type }) => type !== 'RETRY_RESET' && type !== 'REJECTION')
  const mine = [...own, ...rejectionsOn(task, attempt)].filter((one) => isMine(one) && isBefore(one, saying))
  const newest = newestOf(mine)?.id.split('#')[0]
  if (newest === undefined) return [refuse(heard, 'USER_COMMAND_REFUSED', 'nothing_to_take_back', null, [])]
  return mine
    .filter(({ id }) => id.startsWith(`${newest}#`))
    .map((act) => ('stream' in act ? liftedHere(heard, act) : takenBack(heard, act.id)))
}

export const revoked = (
  { attempt, saying }: Heard,
  override_id: string,
  reason: string,
): Extract<NewEvent, { type: 'OverrideRevoked' }> => ({
  type: 'OverrideRevoked',
  attempt_id: attempt.id,
  head_sha: attempt.head_sha,
  data: { key: saying.key, override_id, by: saying.user.login, reason },
})

function takenBack(heard: Heard, id: string): NewEvent {
  const { data, ...event } = revoked(heard, id, 'taken back by its author')
  return { ...event, data: { ...data, at: heard.saying.at } }
}

/** Of these acts, what was over before anybody heard of it is on record as said and taken back. */
export function revokedAtOnce(heard: Heard, acts: readonly NewEvent[], reason: string): NewEvent[] {
  const ids = new Set(acts.flatMap((one) => (one.type === 'HumanOverride' ? [actId(one.data)] : [])))
  return Array.from(ids, (id) => revoked(heard, id, reason))
}

function liftedHere({ attempt }: Heard, { seq: _seq, ...rejection }: CarriedRejection): NewEvent {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  return { type: 'RejectionCarried', ...at, data: { ...rejection, standing: 'revoked' } }
}

export function judgeVerify(heard: Heard): NewEvent[] {
  const { attempt, saying } = heard
  const needs = leastPermission(attempt)
  const barred = barredFrom(heard, needs, true)
  if (barred !== null) return [barred]
  const isGateAsked = gatesToAsk(attempt).length > 0
  if (!isVerifierOn(attempt) && !isGateAsked) return [refuse(heard, 'USER_COMMAND_REFUSED', 'verifier_off', null, [])]
  const { phase } = attempt.verifier
  const hasNothing = phase === 'idle' || phase === 'running' || isOpinion(attempt.verifier)
  if (hasNothing && !isGateAsked) return [refuse(heard, 'USER_COMMAND_REFUSED', 'same_evidence', null, [])]
  const data = { key: saying.key, by: saying.user.login }
  return [{ type: 'VerificationReopened', attempt_id: attempt.id, head_sha: attempt.head_sha, data }]
}
