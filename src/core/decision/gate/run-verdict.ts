// What a run of the Action says of a commit by itself: every required check passed, and so did tier 1. The App knows
// more, such as who overrode what; without it this is the gate.
import type { CheckResult, Tier1Record } from '../model.ts'

export type RunFacts = {
  readonly checks: readonly CheckResult[]
  readonly tier1: Pick<Tier1Record, 'passed'> | null
}

export const allRequiredPassed = (checks: readonly CheckResult[]): boolean =>
  checks.every(({ required, passed }) => passed || !required)

/** A job that is one check alone ends as that check does, also where nothing requires it: its end is the result. */
export const checkPassed = ({ checks }: Pick<RunFacts, 'checks'>): boolean =>
  checks.length === 1 && checks[0]?.passed === true

/** What was not looked at is no pass. */
export const runPassed = ({ checks, tier1 }: RunFacts): boolean => tier1?.passed === true && allRequiredPassed(checks)
