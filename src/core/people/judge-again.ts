// Taking back one's own word, and asking the verifier again.
import { leastPermission } from './permission.ts'
import { isVerifierOn } from '../decision/gate/facts.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { ReferReason } from '../decision/model.ts'
import { barredFrom, refuse, type Heard } from './judge.ts'
import { sameLogin } from './people.ts'

/** The newest thing that this person did to this commit and that still stands; one word may have made two acts. */
export function judgeRevoke(heard: Heard): NewEvent[] {
  const { attempt, saying } = heard
  const mine = attempt.acts.filter(
    ({ user, standing, type }) => sameLogin(user, saying.user.login) && standing === 'stands' && type !== 'RETRY_RESET',
  )
  const newest = mine.at(-1)?.id.split('#')[0]
  if (newest === undefined) return [refuse(heard, 'USER_COMMAND_REFUSED', 'nothing_to_take_back', null, [])]
  return mine
    .filter(({ id }) => id.startsWith(`${newest}#`))
    .map(({ id }) => ({
      type: 'OverrideRevoked',
      attempt_id: attempt.id,
      head_sha: attempt.head_sha,
      data: { key: saying.key, override_id: id, by: saying.user.login, reason: 'taken back by its author' },
    }))
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
