// What a commit of the past comes to where only a part of what was found out then can still be had: the rest is taken as
// passed, and named.
import { codeSpan } from '../words/text/untrusted.ts'
import type { TaskState } from '../decision/model.ts'
import type { NewEvent } from '../decision/record/events.ts'
import { noted, outcomeOf, type Outcome } from './another-policy.ts'
import { assumedOf, checkKey, missingIn, restsOnAnswers } from './assumed.ts'
import { nobodyLookedAhead } from './unknowns.ts'

export type OfThePast = { readonly outcome: Outcome; readonly unknown: readonly string[] }

/** Null where the attempt is not judged. */
export function withRestAssumed(task: TaskState, id: string, at: string): OfThePast | null {
  const attempt = task.attempts.find((one) => one.id === id)
  if (attempt === undefined) return null
  const missing = missingIn(attempt)
  const place = { attempt_id: id, head_sha: attempt.head_sha }
  const told = { tier: 1, passed: true, confidence: null, checks: [], findings: [], feedback: null } as const
  const tier1: NewEvent = { type: 'TierCompleted', ...place, data: { ...told, run: 'not known' } }
  const facts = [...(attempt.tier1 === null ? [tier1] : []), ...assumedOf(attempt, missing)]
  const end = facts.reduce((state, fact) => noted(state, fact, at), task)
  const judged = end.attempts.find((one) => one.id === id)
  if (!judged?.decision) return null
  const applying = judged.paths?.applying ?? null
  const names = [...missing].filter((key) => isAsked(key, applying)).map(sayMissing)
  const ahead = judged.contract.policy.scope.parallel === 'hold' ? [nobodyLookedAhead] : []
  const unknown = restsOnAnswers(judged.decision) ? [...names, ...ahead] : []
  return { outcome: outcomeOf(judged, judged.decision), unknown }
}

const isAsked = (key: string, applying: readonly string[] | null): boolean =>
  !key.startsWith(checkKey('')) || applying === null || applying.includes(key.slice(checkKey('').length))

const sayMissing = (key: string): string => {
  if (key === 'verifier') return 'the AI review was not asked'
  if (!key.startsWith(checkKey(''))) return `the ${key.replace('_', ' ')} was not asked`
  return `no result of ${codeSpan(key.slice(checkKey('').length))} can be had`
}
