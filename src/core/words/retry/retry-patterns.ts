// What repeats over the failed attempts of a task, found by comparing them: the same failure in a row, the same file
// changed each time. And how each of them ended.
import type { Attempt, CheckRecord, Tier1Check } from '../../decision/model.ts'
import type { Decision } from '../../decision/decision.ts'
import { codeSpan } from '../text/untrusted.ts'

export type AttemptOutcome =
  | 'SCOPE_VIOLATION'
  | 'CHECK_FAILURE'
  | 'VERIFIER_REJECTION'
  | 'HUMAN_REJECTION'
  | 'CRASH'
  | 'TIMEOUT'

const PATTERNS_MAX = 10
const FILE_PATTERNS_MAX = 5

/** How a failed attempt ended; null for one that did not fail, or whose commit was not judged for itself. */
export function outcomeOf({ state, checks, decision }: Attempt): AttemptOutcome | null {
  if (state === 'SUPERSEDED' || decision === null || (decision.status !== 'retry' && decision.status !== 'failed'))
    return null
  const failed = Object.values(checks).filter(hasFailed)
  const timedOut = failed.length > 0 && failed.every((check) => check.state === 'timed_out')
  return outcomeOfRow(decision.row, timedOut)
}

const hasFailed = ({ state }: CheckRecord): boolean =>
  state === 'failed' || state === 'timed_out' || state === 'missing'

function outcomeOfRow(row: Decision['row'], timedOut: boolean): AttemptOutcome | null {
  switch (row) {
    case 'scope':
      return 'SCOPE_VIOLATION'
    case 'tier1':
      return 'CHECK_FAILURE'
    case 'checks':
      return timedOut ? 'TIMEOUT' : 'CHECK_FAILURE'
    case 'hard':
    case 'soft':
    case 'block':
      return 'VERIFIER_REJECTION'
    case 'rejected':
      return 'HUMAN_REJECTION'
    case 'unavailable':
      return 'CRASH'
    case 'invalid':
    case 'approved':
    case 'spent':
    case 'protected':
    case 'pending':
    case 'refer':
    case 'vacuous':
    case 'review':
    case 'confirmation':
    case 'parallel':
    case 'success':
      return null
  }
}

/** What stopped an attempt, by name, facts before opinions. Checks that only inform are not among them. */
export function specificFailures(attempt: Attempt): string[] {
  const { verifier, scope_violations: scope } = attempt
  const required = failedChecks(attempt).filter((check) => isRequired(attempt, check.name))
  const objections =
    verifier.phase === 'answered' && verifier.verdict.outcome !== 'PASS' ? verifier.verdict.objections : []
  return [
    ...scope.map(({ path }) => `scope:${path}`),
    ...tier1Failures(attempt).map(({ name }) => `tier1:${name}`),
    ...required.map(({ name }) => `check:${name}`),
    ...objections.map((id) => (/^c\d+\.p\d+$/.test(id) ? `probe:${id}` : `finding:${id}`)),
  ]
}

export function tier1Failures({ files, tier1 }: Attempt): readonly Tier1Check[] {
  if (files?.length === 0) return [{ name: 'changes', passed: false, detail: 'The pull request changes no files.' }]
  if (tier1 === null || tier1.passed) return []
  const failed = tier1.checks.filter((check) => !check.passed)
  return failed.length > 0 ? failed : [{ name: 'tier1', passed: false, detail: tier1.feedback }]
}

/** In the order of the policy, whatever order the results arrived in. */
export function orderedChecks(attempt: Attempt): CheckRecord[] {
  const names = attempt.contract.policy.verification.checks.map(({ name }) => name)
  const place = (name: string): number => (names.includes(name) ? names.indexOf(name) : names.length)
  return Object.values(attempt.checks).sort(
    (one, other) => place(one.name) - place(other.name) || (one.name < other.name ? -1 : 1),
  )
}

export const failedChecks = (attempt: Attempt): CheckRecord[] => orderedChecks(attempt).filter(hasFailed)

export function isRequired(attempt: Attempt, name: string): boolean {
  const rule = attempt.contract.policy.verification.checks.find((check) => check.name === name)
  return rule?.required ?? attempt.checks[name]?.result?.required ?? true
}

/** `failed` holds the failed attempts in their order, the one in question last. */
export function patternsIn(failed: readonly Attempt[]): string[] {
  const newestFirst = failed.toReversed()
  const failures = newestFirst.map((attempt) => new Set(specificFailures(attempt)))
  const repeated = [...(failures[0] ?? [])].flatMap((name) => {
    const times = lengthOfRun(failures, name)
    return times < 2 ? [] : [`${codeSpan(name.replace(/^check:/, ''))} has failed in ${times} attempts in a row.`]
  })
  const changed = newestFirst.map(({ files }) => new Set((files ?? []).map(({ path }) => path)))
  const isEverywhere = (path: string): boolean => failed.length > 1 && lengthOfRun(changed, path) === failed.length
  const everywhere = [...(changed[0] ?? [])].filter(isEverywhere)
  const files = everywhere
    .sort()
    .map((path) => `${codeSpan(path)} was changed in each of the ${failed.length} attempts.`)
  return [...atMost(repeated, PATTERNS_MAX, 'failures'), ...atMost(files, FILE_PATTERNS_MAX, 'files')]
}

function lengthOfRun(sets: readonly ReadonlySet<string>[], member: string): number {
  const end = sets.findIndex((set) => !set.has(member))
  return end === -1 ? sets.length : end
}

const atMost = (texts: readonly string[], max: number, what: string): string[] =>
  texts.length > max ? [...texts.slice(0, max), `The same holds for ${texts.length - max} more ${what}.`] : [...texts]
