// What a decision under another policy rests on that the record does not tell, in words that people read.
import { gateNames } from '../decision/gate-report.ts'
import { canonical } from '../canonical.ts'
import type { CheckRule, Policy } from '../contract/policy/policy.ts'
import { isVerifierOn } from '../decision/gate/facts.ts'
import { mustReadStages } from '../decision/gate/stages.ts'
import type { Attempt } from '../decision/model.ts'
import type { RecordedEvent } from '../decision/record/events.ts'
import type { RefusalWhy } from '../decision/record/refusal.ts'
import { codeSpan } from '../words/text/untrusted.ts'
import { checkKey, restsOnAnswers, unaskedOf } from './assumed.ts'

type Seen = { readonly was: Attempt; readonly is: Attempt; readonly events: readonly RecordedEvent[] }

export function unknownsOf(seen: Seen): readonly string[] {
  const { was, is, events } = seen
  const answers = is.decision !== null && restsOnAnswers(is.decision) ? answersUnknown(seen) : []
  return [...answers, ...refusedThen(events, was, was.contract.policy, is.contract.policy)]
}

function answersUnknown({ was, is }: Pick<Seen, 'was' | 'is'>): string[] {
  const [before, after] = [was.contract.policy, is.contract.policy]
  const unasked = unaskedOf(was, is)
  const sameReview = unasked.has('verifier') || !isVerifierOn(is) || !differ(asked, before, after)
  const gates = gateNames.filter((gate) => unasked.has(gate))
  return [
    ...checksUnknown(is, before, unasked),
    ...(unasked.has('verifier') ? ['the AI review was not asked'] : []),
    ...(sameReview ? [] : ['the AI review was asked under other settings']),
    ...(differ(builtIn, before, after) ? ['the built-in checks ran under other settings'] : []),
    ...(after.scope.parallel === 'hold' && before.scope.parallel === 'off' ? [nobodyLookedAhead] : []),
    ...(mustReadStages(is) ? ['whom a review stage asks was not read'] : []),
    ...gates.map((gate) => `the ${gate.replace('_', ' ')} was not asked`),
  ]
}

export const nobodyLookedAhead = 'which other pull requests wrote the same places was not looked at'

const builtIn = ({ verification }: Policy): object => verification.tier1

function checksUnknown({ contract, paths }: Attempt, before: Policy, unasked: ReadonlySet<string>): string[] {
  const applying = contract.policy.verification.checks.filter(
    ({ name, required }) => required && (paths?.applying.includes(name) ?? true),
  )
  return applying.flatMap((rule) => {
    if (unasked.has(checkKey(rule.name))) return [`${codeSpan(rule.name)} was not asked for`]
    const known = before.verification.checks.find(({ name }) => name === rule.name)
    return known === undefined || canonical(source(known)) !== canonical(source(rule))
      ? [`${codeSpan(rule.name)} was another check`]
      : []
  })
}

/** Where a result comes from, which is what makes it the result of this check. */
function source({ required: _required, paths: _paths, ...rule }: CheckRule): object {
  return rule
}

/** What the AI review is told. How its answer counts is judged anew. */
function asked({ verification: { verifier } }: Policy): object {
  const { enabled: _enabled, min_confidence: _minimum, on_error: _onError, review: _review, ...rest } = verifier
  return rest
}

const differ = (part: (policy: Policy) => unknown, before: Policy, after: Policy): boolean =>
  canonical(part(before)) !== canonical(part(after))

/** A word that the old policy did not take may be one that the new one takes. */
// prettier-ignore
const byPolicy: readonly RefusalWhy[] = [
  'permission', 'forbidden_by_policy', 'not_in_role', 'unknown_check', 'nothing_to_override', 'nothing_to_acknowledge',
  'reason_missing',
]

function refusedThen(events: readonly RecordedEvent[], was: Attempt, before: Policy, after: Policy): string[] {
  if (!differ(({ override_policy, roles }) => [override_policy, roles], before, after)) return []
  const refused = events.flatMap((event) => {
    const isRefusal = event.type === 'OverrideDenied' || event.type === 'CommandRefused'
    return isRefusal && event.attempt_id === was.id && byPolicy.includes(event.data.why) ? [event.data.user] : []
  })
  return [...new Set(refused)].map((login) => `what ${codeSpan(login)} asked for was refused, and is not judged again`)
}
