// What stands behind the word of a gate: what was found, with what it weighs, what was dropped, and what it cost. How much a
// finding weighs follows from its severity and from how freely agents work here, and from nothing that a model says of it.
import type { Policy } from '../contract/policy/policy.ts'
import type { Surface } from '../contract/surfaces.ts'
import type { Cost, Finding, Raised } from './examined.ts'
import type { GateName } from './model.ts'
import type { Identity, ReferReason } from './verdict.ts'

/** In the order in which they are asked. */
export const gateNames = ['red_team', 'vision'] as const satisfies readonly GateName[]

export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const
export type Severity = (typeof severities)[number]
export type Autonomy = NonNullable<Policy['security']['autonomy']>

export type GateFinding = Finding & {
  /** Where it shows: in the change, or on a page. */
  readonly surface: Surface | 'appearance'
  readonly severity: Severity
  /** From 0 to 1, as whoever found it says. */
  readonly confidence: number
  /** What its lines looked like, so that the next attempt's repair can be told from another spelling. */
  readonly raised?: Raised
  readonly first_sha: string
}
export type GateReport = {
  readonly evaluator: Identity
  readonly generator_agent_id: string
  readonly findings: readonly GateFinding[]
  /** Findings of earlier attempts that are no more: their ids. */
  readonly repaired: readonly string[]
  /** Why nobody could be asked; then it finds only what was found before. */
  readonly could_not_run: string | null
  /** Why it is referred to a person, where it could not be judged. */
  readonly referred: ReferReason | null
  /** Findings that do not count, by why. */
  readonly dropped: Readonly<Record<string, number>>
  readonly remarks: readonly string[]
  readonly coverage: { readonly shown: number; readonly changed: number }
  /** What was expected of pages, and what they show. */
  readonly pages?: readonly PageMeasured[]
  readonly reused: boolean
  readonly cost: Cost
}

export type PageMeasured = {
  readonly page: string
  readonly what: string
  readonly expected: string
  readonly measured: string
  /** Null: it could not be held against anything. */
  readonly met: boolean | null
  /** Where in the artifact of the run it is drawn. */
  readonly difference?: string
}

const always = { locked: 'BLOCK', supervised: 'BLOCK', semi: 'BLOCK', full: 'BLOCK' } as const
const never = {
  locked: 'PASS_WITH_FINDINGS',
  supervised: 'PASS_WITH_FINDINGS',
  semi: 'PASS_WITH_FINDINGS',
  full: 'PASS_WITH_FINDINGS',
} as const
/** What one finding means. */
export const weights = {
  CRITICAL: always,
  HIGH: always,
  MEDIUM: { ...never, locked: 'BLOCK', supervised: 'BLOCK' },
  LOW: never,
  INFO: never,
} as const satisfies Record<Severity, Record<Autonomy, 'BLOCK' | 'PASS_WITH_FINDINGS'>>

/** The gravest finding decides. */
export function weighed(
  findings: readonly { readonly severity: Severity }[],
  autonomy: Autonomy = 'supervised',
): 'PASS' | 'PASS_WITH_FINDINGS' | 'BLOCK' {
  if (findings.length === 0) return 'PASS'
  return findings.some(({ severity }) => weights[severity][autonomy] === 'BLOCK') ? 'BLOCK' : 'PASS_WITH_FINDINGS'
}

export const gravestFirst = <T extends { readonly severity: Severity }>(findings: readonly T[]): T[] =>
  findings.toSorted((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity))
