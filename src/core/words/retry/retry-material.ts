// What the next attempt should know, gathered from what is on record about this one and those before it. Facts are kept
// apart from opinions, and every list and text has a limit; what the limits cut is named in `truncated`.
import { attemptsUsed, countedBefore, isFinal, usesUp } from '../../decision/gate/history.ts'
import type {
  Attempt,
  CheckRecord,
  CheckResult,
  GateName,
  JudgedDiff,
  ScopeViolation,
  TaskState,
  Tier1Check,
} from '../../decision/model.ts'
import { gravestFirst, type GateFinding, gateNames } from '../../decision/gate-report.ts'
import type { VerdictOutcome } from '../../decision/verdict.ts'
import { firstCharacters, firstLines, firstOf, lastLines, linesOf, linesOfDiff, type Excerpt } from '../text/excerpt.ts'
import {
  failedChecks,
  isRequired,
  orderedChecks,
  outcomeOf,
  patternsIn,
  specificFailures,
  tier1Failures,
  type AttemptOutcome,
} from './retry-patterns.ts'
import { failuresWithin, resultsWithin, scopeWithin, shortName, type Limits, type Output } from '../text/within.ts'

/**
 * What is true of the attempt to come: it is counted, it is not, it takes somebody to grant it, there is none yet since this
 * one is not over, this commit is no longer the head, or only the App could tell.
 */
export type NextAttempt = 'counted' | 'unlimited' | 'to_be_granted' | 'not_yet' | 'elsewhere' | 'unknown'
export type RetryContext = {
  /** The attempt to come, counted since the last `/retry`. */
  readonly attempt_number: number
  readonly next: NextAttempt
  readonly max_attempts: number
  /** Whether the limit binds this attempt; it binds agents unless the policy says otherwise. */
  readonly limited: boolean
  readonly task_id: string
  /** Failed checks with the end of their output, passed ones without. */
  readonly check_results: readonly CheckResult[]
  readonly tier1_failures: readonly Tier1Check[]
  readonly scope: {
    readonly violations: readonly Pick<ScopeViolation, 'path' | 'violation_type'>[]
    readonly allowed: readonly string[]
    readonly denied: readonly string[]
  } | null
  /** `stage`: the review stage that it was made for. */
  readonly rejections: readonly { readonly by: string; readonly reason: string; readonly stage?: string }[]
  readonly gate_blocks: readonly {
    readonly gate: GateName
    readonly summary: string
    readonly findings: readonly GateBlock[]
  }[]
  /** `check:<name>`, `tier1:<name>`, `probe:<id>`, `finding:<id>`, `scope:<path>`. */
  readonly specific_failures: readonly string[]
  readonly verifier_outcome: VerifierOutcome
  readonly verifier_feedback: string | null
  readonly prior_diff: string
  /** Failed attempts before this one, the newest last. */
  readonly prior_attempts: readonly AttemptSummary[]
  readonly patterns: readonly string[]
  /** The fields that do not show everything. */
  readonly truncated: readonly string[]
}
/** What a gate showed, for whoever mends it. */
export type GateBlock = {
  readonly path: string
  readonly line: number
  readonly severity: string
  readonly surface: string
  readonly claim: string
  readonly scenario: string
  readonly fix: string
}
export type VerifierOutcome = VerdictOutcome | 'UNAVAILABLE' | null
export type AttemptSummary = {
  readonly attempt_number: number
  /** How long its checks ran, added up. */
  readonly duration_ms: number
  readonly outcome: AttemptOutcome
  readonly check_results: readonly {
    readonly name: string
    readonly passed: boolean
    readonly output_excerpt: string
  }[]
  readonly verifier_outcome: VerifierOutcome
  readonly verifier_feedback: string | null
  readonly files_modified: readonly string[]
  readonly diff_summary: string
}

export const verifierUnavailable = 'verifier unavailable'
export const timeoutExitCode = 124
/** For a check that never reported: no program ends with it. */
export const missingExitCode = -1
const EXCERPT_LINES_MAX = 10
const EXCERPT_CHARACTERS_MAX = 500
const FILES_MAX = 20

export type Material = {
  readonly task: TaskState
  readonly attempt: Attempt
  readonly checks: readonly Output[]
  readonly diff: JudgedDiff
  readonly prior: readonly AttemptSummary[]
  readonly patterns: readonly string[]
}

/** Everything that does not depend on the limits, so that trying several of them is cheap. */
export function gather(task: TaskState, attempt: Attempt): Material {
  const failed = countedBefore(task, attempt).flatMap((earlier) => {
    const outcome = outcomeOf(earlier)
    return outcome === null ? [] : [{ earlier, outcome }]
  })
  return {
    task,
    attempt,
    checks: outputsOf(attempt),
    diff: attempt.diff ?? { text: '', omitted_lines: 0 },
    prior: failed.map(({ earlier, outcome }) => summaryOf(task, earlier, outcome)),
    patterns: patternsIn([...failed.map(({ earlier }) => earlier), attempt]),
  }
}

function outputsOf(attempt: Attempt): Output[] {
  const { include_check_output: withOutput } = attempt.contract.policy.verification.retry
  const failed = new Set(failedChecks(attempt))
  return orderedChecks(attempt).flatMap((record) => {
    if (record.state === 'running') return []
    const result = resultOf(attempt, record)
    const lines = withOutput && failed.has(record) ? linesOf(result.output) : []
    return [{ result: { ...result, output: '' }, lines }]
  })
}

function resultOf(attempt: Attempt, { name, state, result }: CheckRecord): CheckResult {
  const passed = state === 'passed'
  const required = isRequired(attempt, name)
  if (result !== null) {
    const { exit_code, output, duration_ms } = result
    return { name, passed, exit_code, output, duration_ms, required }
  }
  const exit_code = {
    running: missingExitCode,
    passed: 0,
    failed: 1,
    timed_out: timeoutExitCode,
    missing: missingExitCode,
    left_out: 0,
  }[state]
  return { name, passed, exit_code, output: '', duration_ms: 0, required }
}

export function assemble({ task, attempt, checks, diff, prior, patterns }: Material, limits: Limits): RetryContext {
  const { listed, feedbackCharacters } = limits
  const results = resultsWithin(checks, limits)
  const failures = failuresWithin(specificFailures(attempt), listed)
  const repeated = firstOf(patterns, listed)
  const feedback = feedbackOf(attempt, feedbackCharacters)
  const priorDiff = firstLines(linesOfDiff(diff.text), limits.diffLines, diff.omitted_lines)
  const kept = limits.priorAttempts === 0 ? [] : prior.slice(-limits.priorAttempts)
  const clip = (text: string): Excerpt => firstCharacters(text, feedbackCharacters)
  const tier1 = tier1Failures(attempt).map(({ name, detail }) => ({ name, detail: clip(detail ?? '') }))
  const rejections = rejectionsOf(attempt).map(({ reason, ...who }) => ({ ...who, reason: clip(reason) }))
  const blocks = blocksOf(attempt).map(({ gate, summary, findings }) => {
    return { gate, summary: clip(summary), shown: gateFindings(findings, listed, clip), all: findings.length }
  })
  const scope = scopeWithin(attempt.scope_violations, listed)
  const cuts = {
    check_results: results.isCut,
    tier1_failures: tier1.length > listed || tier1.some(({ detail }) => detail.isCut),
    scope: scope?.isCut === true,
    rejections: rejections.length > listed || rejections.some(({ reason }) => reason.isCut),
    gate_blocks: blocks.some(({ summary, shown, all }) => summary.isCut || shown.isCut || shown.list.length < all),
    specific_failures: failures.isCut,
    verifier_feedback: feedback.isCut,
    prior_diff: priorDiff.isCut,
    prior_attempts: kept.length < prior.length,
    patterns: repeated.isCut,
  }
  return {
    attempt_number: attemptsUsed(task, attempt) + (usesUp(task, attempt, attempt.decision) ? 2 : 1),
    next: nextOf(attempt),
    max_attempts: attempt.contract.policy.verification.retry.max_attempts,
    limited: attempt.limited,
    task_id: task.task_id,
    check_results: results.list,
    tier1_failures: tier1.slice(0, listed).map(({ name, detail }) => ({ name, passed: false, detail: detail.text })),
    scope: scope?.shown ?? null,
    rejections: rejections.slice(0, listed).map(({ reason, ...who }) => ({ ...who, reason: reason.text })),
    gate_blocks: blocks.map(({ gate, summary, shown }) => ({ gate, summary: summary.text, findings: shown.list })),
    specific_failures: failures.list,
    verifier_outcome: verifierOutcome(attempt),
    verifier_feedback: feedback.text,
    prior_diff: priorDiff.text,
    prior_attempts: kept,
    patterns: repeated.list,
    truncated: Object.entries(cuts).flatMap(([field, isCut]) => (isCut ? [field] : [])),
  }
}

function nextOf({ live, group, limited, decision }: Attempt): NextAttempt {
  if (!live || group !== null) return 'elsewhere'
  if (decision === null || (decision.status !== 'retry' && decision.status !== 'failed')) return 'not_yet'
  if (isFinal(decision)) return 'to_be_granted'
  return limited ? 'counted' : 'unlimited'
}

function verifierOutcome({ verifier }: Attempt): VerifierOutcome {
  switch (verifier.phase) {
    case 'idle':
    case 'running':
      return null
    case 'answered':
      return verifier.verdict.outcome
    case 'unavailable':
      return 'UNAVAILABLE'
  }
}

function feedbackOf(attempt: Attempt, max: number): { readonly text: string | null; readonly isCut: boolean } {
  const { verifier, contract } = attempt
  if (verifier.phase === 'unavailable') return { text: verifierUnavailable, isCut: false }
  const wanted = contract.policy.verification.retry.include_verifier_feedback
  if (verifier.phase !== 'answered' || verifier.verdict.outcome === 'PASS' || !wanted)
    return { text: null, isCut: false }
  const { feedback, reasoning } = verifier.verdict
  const text = (feedback ?? reasoning).trim()
  return text === '' ? { text: null, isCut: false } : firstCharacters(text, max)
}

const rejectionsOf = ({ acts }: Attempt): RetryContext['rejections'] =>
  acts
    .filter(({ type, standing }) => type === 'REJECTION' && standing === 'stands')
    .map(({ user, reason, stage }) => ({ by: user, reason, ...(stage === undefined ? {} : { stage }) }))

const blocksOf = ({ gates }: Attempt) =>
  gateNames.flatMap((gate) => {
    const record = gates[gate]
    return record?.verdict === 'BLOCK'
      ? [{ gate, summary: record.summary, findings: gravestFirst(record.report?.findings ?? []) }]
      : []
  })

function gateFindings(
  findings: readonly GateFinding[],
  listed: number,
  clip: (text: string) => Excerpt,
): { readonly list: GateBlock[]; readonly isCut: boolean } {
  let isCut = false
  const cut = (text: string): string => {
    const clipped = clip(text)
    isCut ||= clipped.isCut
    return clipped.text
  }
  const list = findings.slice(0, listed).map(({ path, line, severity, surface, claim, failure_scenario, fix }) => {
    return { path, line, severity, surface, claim: cut(claim), scenario: cut(failure_scenario), fix: cut(fix) }
  })
  return { list, isCut }
}

function summaryOf(task: TaskState, attempt: Attempt, outcome: AttemptOutcome): AttemptSummary {
  const results = outputsOf(attempt)
  const files = attempt.files ?? []
  return {
    attempt_number: attemptsUsed(task, attempt) + 1,
    duration_ms: results.reduce((sum, { result }) => sum + result.duration_ms, 0),
    outcome,
    check_results: results.map(({ result: { name, passed }, lines }) => ({
      name,
      passed,
      output_excerpt: lastLines(lines, EXCERPT_LINES_MAX).text,
    })),
    verifier_outcome: verifierOutcome(attempt),
    verifier_feedback: feedbackOf(attempt, EXCERPT_CHARACTERS_MAX).text,
    files_modified: firstOf(
      files.map(({ path }) => shortName(path)),
      FILES_MAX,
    ).list,
    diff_summary: diffSummary(files),
  }
}

function diffSummary(files: readonly { readonly status: string }[]): string {
  const kinds = ['added', 'modified', 'removed', 'renamed'].flatMap((kind) => {
    const count = files.filter(({ status }) => status === kind).length
    return count === 0 ? [] : [`${count} ${kind}`]
  })
  const noun = files.length === 1 ? 'file' : 'files'
  return kinds.length === 0 ? 'no files changed' : `${files.length} ${noun} changed: ${kinds.join(', ')}`
}
