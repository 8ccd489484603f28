// What an AI review said before a push, and how a person reads it.
import { oneLine } from '../../../checks/tier1/one-line.ts'
import type { Finding } from '../../../core/decision/examined.ts'

export type Review = {
  readonly model: string
  readonly outcome: 'PASS' | 'SOFT_FAIL' | 'HARD_FAIL' | 'REFER' | 'UNAVAILABLE'
  readonly confidence: number | null
  readonly why: string
  readonly findings: readonly Pick<Finding, 'path' | 'line' | 'level' | 'claim' | 'failure_scenario' | 'fix'>[]
  readonly lines: { readonly read: number; readonly changed: number }
  readonly usd: number
}

/** As a person reads it, a line each. */
export function reviewLines({ outcome, confidence, why, findings, lines, usd, model }: Review): string[] {
  const sure = confidence === null ? '' : `, confidence ${confidence}`
  const read = `${lines.read} of ${lines.changed} changed lines read, $${usd.toFixed(2)}`
  const told = findings.flatMap(({ path, line, level, claim, failure_scenario, fix }) => [
    `${level === 'blocking' ? 'FAIL ' : 'note '} ${oneLine(path)}:${line}  ${oneLine(claim)} (AI review)`,
    ...(level === 'blocking' ? [`      when: ${oneLine(failure_scenario)}`, `      repair: ${oneLine(fix)}`] : []),
  ])
  switch (outcome) {
    case 'PASS':
      return [...told, `ok    AI review${sure} (${read})`]
    case 'SOFT_FAIL':
    case 'HARD_FAIL':
      return [...told, `FAIL  AI review objects${sure}: ${oneLine(why)} (${read})`]
    case 'REFER':
      return [...told, `note  AI review: a person has to look${sure}: ${oneLine(why)} (${read})`]
    case 'UNAVAILABLE':
      return [`note  not reviewed by ${oneLine(model)}: ${why}`]
  }
}
