// What a plain override lifts: what had failed, was missing or objected at the moment it was written, and nothing later.
import { aheadSubject, waitedFor } from '../decision/gate/ahead.ts'
import { gateNames } from '../decision/gate-report.ts'
import { hasFailed, isRunning, unreported, type Facts } from '../decision/gate/facts.ts'
import { isOursBy, isThereBy } from '../decision/results/ended-at.ts'
import type { Cover } from './act.ts'

export type Covering = { readonly checks: Cover[]; readonly verifier: Cover[] }

/** `at`: when it was written, however late it is heard. */
export function plainCover(facts: Facts, at: string): Covering {
  const waited = facts.attempt.waited && isOursBy(facts.attempt.waited_at, at)
  return { checks: failedChecks(facts, at, waited), verifier: objections(facts, at, waited) }
}

/** What an override lifts by being there at all: it names no check and no verdict. */
export function vagueCover(facts: Facts, at: string, overrulesRejection: boolean): Cover[] {
  const { spent, policy, verifierOn, overrides } = facts
  const vacuous = policy.verification.checks.every(({ required }) => !required) && !verifierOn
  const subjects = [
    ...(spent.length > 0 && overrides.length === 0 ? ['spent'] : []),
    ...(vacuous && overrides.length === 0 ? ['vacuous'] : []),
    ...(overrulesRejection ? ['rejection'] : []),
    ...(isAsItWas(facts, at) ? waitedFor(facts) : [])
      .filter(({ pull }) => isOursBy(facts.attempt.ahead.since?.[pull], at))
      .map(aheadSubject),
  ]
  return subjects.map((subject) => ({ subject, result: null }))
}

/** Nothing has answered since: what has may have failed before, and then these words were about that. */
const isAsItWas = ({ attempt, required }: Facts, at: string): boolean =>
  isThereBy(attempt.tier1 ?? {}, at) &&
  required.every(({ record }) => isThereBy(record ?? {}, at)) &&
  isOursBy('id' in attempt.verifier ? attempt.verifier.ended_at : undefined, at) &&
  Object.values(attempt.gates).every(({ ended_at }) => isOursBy(ended_at, at))

function failedChecks({ attempt, tier1, required, cover }: Facts, at: string, waited: boolean): Cover[] {
  const covers: Cover[] = []
  const isSeen = isThereBy(attempt.tier1 ?? {}, at)
  if (tier1.state === 'failed' && isSeen && !cover('tier1', tier1.id))
    covers.push({ subject: 'tier1', result: tier1.id })
  if (tier1.state === 'running' && waited) covers.push({ subject: 'tier1', result: unreported })
  for (const { rule, record } of required) {
    const subject = `check:${rule.name}`
    if (record !== null && hasFailed(record) && isThereBy(record, at) && !cover(subject, record.id))
      covers.push({ subject, result: record.id })
    if (isRunning(record) && waited) covers.push({ subject, result: unreported })
  }
  return covers
}

/** Each by when its answer was on record, since nobody can have seen it before. */
function objections(
  { attempt, policy, verifierOn, verdict, cover, awaited }: Facts,
  at: string,
  waited: boolean,
): Cover[] {
  const covers: Cover[] = []
  const { verifier } = attempt
  const isSeen = 'id' in verifier && isOursBy(verifier.ended_at, at)
  if (isSeen && verdict !== null && verdict.verdict.outcome !== 'PASS')
    covers.push({ subject: 'verifier', result: verdict.id })
  if (isSeen && verifierOn && verifier.phase === 'unavailable')
    covers.push({ subject: 'verifier', result: verifier.id })
  if (waited && awaited.some(({ code }) => code === 'awaiting_verifier')) {
    covers.push({ subject: 'verifier', result: unreported })
  }
  if (waited && awaited.some(({ code }) => code === 'awaiting_screenshots')) {
    covers.push({ subject: 'vision', result: unreported })
  }
  for (const gate of gateNames) {
    const answer = policy.security[gate].enabled ? attempt.gates[gate] : undefined
    const objects = answer?.verdict === 'BLOCK' || answer?.verdict === 'REFER'
    if (answer !== undefined && objects && isOursBy(answer.ended_at, at))
      covers.push({ subject: gate, result: answer.id })
  }
  return covers.filter(({ subject, result }) => !cover(subject, result))
}
