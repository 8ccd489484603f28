// What an attack found, as far as it counts: whoever says that something is grave shows the lines and how it fails, or it is
// dropped and counted. What claims that something is missing weighs as much as it is sure of.
import type { Surface } from '../../core/contract/surfaces.ts'
import type { Finding } from '../../core/decision/examined.ts'
import { gravestFirst, type GateFinding, type Severity } from '../../core/decision/gate-report.ts'
import { findEvidence, type Presented, type Reach } from '../weighing/evidence.ts'
import { isSame } from '../weighing/found.ts'
import { raisedOn } from '../weighing/repair.ts'
import { findingId } from '../weighing/weigh.ts'
import type { Attacked, AttackSaid } from './answer.ts'

export type AttackReading = Attacked & { readonly presented: Presented; readonly reach: Reach }
type Terms = {
  readonly surfaces: readonly Surface[]
  readonly sha: string
  readonly contract: string
  /** What a person has answered already. */
  readonly declined: ReadonlySet<string>
}
export type Found = { readonly findings: readonly GateFinding[]; readonly dropped: Readonly<Record<string, number>> }

const categories = {
  correctness: 'correctness',
  security: 'security',
  requirements: 'contract',
  grounding: 'other',
} as const satisfies Record<Surface, Finding['category']>

export function findingsOf(readings: readonly AttackReading[], terms: Terms): Found {
  const dropped = new Map<string, number>()
  const drop = (why: string): void => void dropped.set(why, (dropped.get(why) ?? 0) + 1)
  const findings: GateFinding[] = []
  for (const { findings: said, presented, reach } of readings) {
    for (const one of said) {
      const read = findingOf(one, presented, reach, terms)
      if (typeof read === 'string') drop(read)
      else if (!terms.declined.has(read.id) && !findings.some((other) => isSame(other, read))) findings.push(read)
    }
  }
  return { findings: gravestFirst(findings), dropped: Object.fromEntries(dropped) }
}

/** The finding with what it weighs, or why it is none. */
function findingOf(
  said: AttackSaid,
  presented: Presented,
  reach: Reach,
  { surfaces, sha, contract }: Terms,
): GateFinding | string {
  const { path, side, quote, claim, failure_scenario, fix, surface, confidence } = said
  if (!surfaces.includes(surface)) return 'not_asked'
  const found = findEvidence(said, presented, reach)
  const proven = found.outcome === 'verified'
  const severity = severityOf(said, proven)
  if (severity === 'unsure') return severity
  if (!proven && severity !== 'LOW' && severity !== 'INFO') return found.outcome
  const category = categories[surface]
  const place = { path, side, line: found.line, quote }
  return {
    ...place,
    id: findingId(path, quote, category),
    category,
    claim,
    failure_scenario,
    fix,
    level: severity === 'LOW' || severity === 'INFO' ? 'question' : 'blocking',
    proven,
    surface,
    severity,
    confidence,
    raised: raisedOn(place, presented, contract),
    first_sha: sha,
  }
}

/** Without a way in which it fails nothing is grave. */
function severityOf(
  { surface, severity, confidence, failure_scenario }: AttackSaid,
  proven: boolean,
): Severity | 'unsure' {
  const isShown = failure_scenario.trim() !== ''
  if (surface !== 'grounding') return isShown || severity === 'INFO' ? severity : 'LOW'
  if (confidence < 0.45) return 'unsure'
  if (confidence < 0.65 || !proven || !isShown) return 'LOW'
  return confidence < 0.85 ? 'MEDIUM' : 'HIGH'
}
