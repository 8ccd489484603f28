// What a plain override lifts: what had failed, was missing or objected at the moment it was written, and nothing later.
import { aheadSubject, waitedFor } from '../decision/gate/ahead.ts'
import { gateNames } from '../decision/gate-report.ts'
import { hasFailed, isRunning, unreported, type Facts } from '../decision/gate/facts.ts'
import { isThereBy } from '../decision/results/ended-at.ts'
import type { Cover } from './act.ts'

export type Covering = { readonly checks: Cover[]; readonly verifier: Cover[] }

/** `at`: when it was written, however late it is heard. */
export function plainCover(facts: Facts, at: string): Covering {
  return { checks: failedChecks(facts, at), verifier: objections(facts) }
}

/** What an override lifts by being there at all: it names no check and no verdict. */
export function vagueCover(facts: Facts, overrulesRejection: boolean): Cover[] {
  const { spent, policy, verifierOn, overrides } = facts
  const vacuous = policy.verification.checks.every(({ required }) => !required) && !verifierOn
  const subjects = [
    ...(spent.length > 0 && overrides.length === 0 ? ['spent'] : []),
    ...(vacuous && overrides.length === 0 ? ['vacuous'] : []),
    ...(overrulesRejection ? ['rejection'] : []),
    ...waitedFor(facts).map(aheadSubject),
  ]
  return subjects.map((subject) => ({ subject, result: null }))
}

function failedChecks({ attempt, tier1, required, cover }: Facts, at: string): Cover[] {
  const covers: Cover[] = []
  const isSeen = isThereBy(attempt.tier1 ?? {}, at)
  if (tier1.state === 'failed' && isSeen && !cover('tier1', tier1.id))
    covers.push({ subject: 'tier1', result: tier1.id })
  if (tier1.state === 'running' && attempt.waited) covers.push({ subject: 'tier1', result: unreported })
  for (const { rule, record } of required) {
    const subject = `check:${rule.name}`
    if (record !== null && hasFailed(record) && isThereBy(record, at) && !cover(subject, record.id))
      covers.push({ subject, result: record.id })
    if (isRunning(record) && attempt.waited) covers.push({ subject, result: unreported })
  }
  return covers
}

function objections({ attempt, policy, verifierOn, verdict, cover, awaited }: Facts): Cover[] {
  const covers: Cover[] = []
  const { verifier } = attempt
  if (verdict !== null && verdict.verdict.outcome !== 'PASS') covers.push({ subject: 'verifier', result: verdict.id })
  if (verifierOn && verifier.phase === 'unavailable') covers.push({ subject: 'verifier', result: verifier.id })
  if (attempt.waited && awaited.some(({ code }) => code === 'awaiting_verifier')) {
    covers.push({ subject: 'verifier', result: unreported })
  }
  if (attempt.waited && awaited.some(({ code }) => code === 'awaiting_screenshots')) {
    covers.push({ subject: 'vision', result: unreported })
  }
  for (const gate of gateNames) {
    const answer = policy.security[gate].enabled ? attempt.gates[gate] : undefined
    const objects = answer?.verdict === 'BLOCK' || answer?.verdict === 'REFER'
    if (answer !== undefined && objects) covers.push({ subject: gate, result: answer.id })
  }
  return covers.filter(({ subject, result }) => !cover(subject, result))
}
