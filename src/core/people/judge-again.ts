// Taking back one's own word, and asking the verifier again.
import { leastPermission } from './permission.ts'
import { isVerifierOn, rejectionsOn } from '../decision/gate/facts.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { ReferReason } from '../decision/verdict.ts'
import type { Act, CarriedRejection } from './act.ts'
import { barredFrom, isOwnWord, refuse, type Heard } from './judge.ts'
import { isSame } from './people.ts'

/**
 * The newest thing that this person did to this commit and that still stands; one word may have made two acts. A rejection
 * of the same tree is taken back wherever it was made.
 */
export function judgeRevoke(heard: Heard): NewEvent[] {
  const { task, attempt, saying } = heard
  if (!isOwnWord(heard)) return [refuse(heard, 'OVERRIDE_NOT_PERMITTED', 'through_app', saying.through, [])]
  const isMine = (act: Pick<Act, 'user' | 'user_id' | 'standing'>): boolean =>
    act.standing === 'stands' && isSame({ id: act.user_id, login: act.user }, saying.user)
  const own = attempt.acts.filter(({ type }) => type !== 'RETRY_RESET' && type !== 'REJECTION')
  const mine = [...own, ...rejectionsOn(task, attempt)].filter(isMine).toSorted((one, other) => one.seq - other.seq)
  const newest = mine.at(-1)?.id.split('#')[0]
  if (newest === undefined) return [refuse(heard, 'USER_COMMAND_REFUSED', 'nothing_to_take_back', null, [])]
  return mine
    .filter(({ id }) => id.startsWith(`${newest}#`))
    .map((act) => ('stream' in act ? liftedHere(heard, act) : revoked(heard, act.id, 'taken back by its author')))
}

export const revoked = ({ attempt, saying }: Heard, override_id: string, reason: string): NewEvent => ({
  type: 'OverrideRevoked',
  attempt_id: attempt.id,
  head_sha: attempt.head_sha,
  data: { key: saying.key, override_id, by: saying.user.login, reason },
})

function liftedHere({ attempt }: Heard, { seq: _seq, ...rejection }: CarriedRejection): NewEvent {
  const at = { attempt_id: attempt.id, head_sha: attempt.head_sha }
  return { type: 'RejectionCarried', ...at, data: { ...rejection, standing: 'revoked' } }
}

/** Answers that say nothing about the code may be asked for again; an opinion on the same evidence may not. */
const askedAgain: readonly ReferReason[] = ['refused', 'truncated', 'malformed', 'budget']

export function judgeVerify(heard: Heard): NewEvent[] {
  const { attempt, saying } = heard
  const needs = leastPermission(attempt)
  const barred = barredFrom(heard, needs, true)
  if (barred !== null) return [barred]
  if (!isVerifierOn(attempt)) return [refuse(heard, 'USER_COMMAND_REFUSED', 'verifier_off', null, [])]
  const { verifier } = attempt
  const opinion = verifier.phase === 'answered' && !askedAgain.some((reason) => reason === verifier.verdict.reason_code)
  if (verifier.phase === 'idle' || verifier.phase === 'running' || opinion) {
    return [refuse(heard, 'USER_COMMAND_REFUSED', 'same_evidence', null, [])]
  }
  const data = { key: saying.key, by: saying.user.login }
  return [{ type: 'VerificationReopened', attempt_id: attempt.id, head_sha: attempt.head_sha, data }]
}
