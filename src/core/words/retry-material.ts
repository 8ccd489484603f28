// What the next attempt should know, gathered from what is on record about this one and those before it. Facts are kept
// apart from opinions, and every list and text has a limit; what the limits cut is named in `truncated`.
import { attemptsUsed, consumes, countedBefore } from '../decision/gate/history.ts'
import type {
  Attempt,
  CheckRecord,
  CheckResult,
  GateName,
  ScopeViolation,
  TaskState,
  Tier1Check,
  VerdictOutcome,
} from '../decision/model.ts'
import { firstCharacters, firstLines, firstOf, lastLines, linesOf } from './excerpt.ts'
import type { Excerpt } from './excerpt.ts'
import {
  failedChecks,
  isRequired,
  orderedChecks,
  outcomeOf,
  patternsIn,
  specificFailures,
  tier1Failures,
} from './retry-patterns.ts'
import type { AttemptOutcome } from './retry-patterns.ts'

export type RetryContext = {
  /** The attempt to come, counted since the last `/retry`. */
  readonly attempt_number: number
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
  readonly rejections: readonly { readonly by: string; readonly reason: string }[]
  readonly gate_blocks: readonly { readonly gate: GateName; readonly summary: string }[]
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

export type Limits = {
  readonly priorAttempts: number
  readonly diffLines: number
  readonly passedChecks: number
  readonly outputLines: number
  /** How many paths, objections, patterns and people are listed. */
  readonly listed: number
  readonly feedbackCharacters: number
}

export const verifierUnavailable = 'verifier unavailable'
export const timeoutExitCode = 124
/** For a check that never reported: no program ends with it. */
export const missingExitCode = -1
const EXCERPT_LINES_MAX = 10
const EXCERPT_CHARACTERS_MAX = 500
const FILES_MAX = 20
const NAME_CHARACTERS_MAX = 200

type Output = { readonly result: CheckResult; readonly lines: readonly string[] }
export type Material = {
  readonly task: TaskState
  readonly attempt: Attempt
  readonly checks: readonly Output[]
  readonly diff: readonly string[]
  readonly prior: readonly AttemptSummary[]
  readonly patterns: readonly string[]
}

/** Everything that does not depend on the limits, so that trying several of them is cheap. */
export function gather(task: TaskState, attempt: Attempt, priorDiff: string): Material {
  const failed = countedBefore(task, attempt).flatMap((earlier) => {
    const outcome = outcomeOf(earlier)
    return outcome === null ? [] : [{ earlier, outcome }]
  })
  return {
    task,
    attempt,
    checks: outputsOf(attempt),
    diff: linesOf(priorDiff),
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
  const priorDiff = firstLines(diff, limits.diffLines)
  const kept = limits.priorAttempts === 0 ? [] : prior.slice(-limits.priorAttempts)
  const clip = (text: string): Excerpt => firstCharacters(text, feedbackCharacters)
  const tier1 = tier1Failures(attempt).map(({ name, detail }) => ({ name, detail: clip(detail ?? '') }))
  const rejections = rejectionsOf(attempt).map(({ by, reason }) => ({ by, reason: clip(reason) }))
  const blocks = blocksOf(attempt).map(({ gate, summary }) => ({ gate, summary: clip(summary) }))
  const scope = scopeWithin(attempt.scope_violations, listed)
  const cuts = {
    check_results: results.isCut,
    tier1_failures: tier1.length > listed || tier1.some(({ detail }) => detail.isCut),
    scope: scope?.isCut === true,
    rejections: rejections.length > listed || rejections.some(({ reason }) => reason.isCut),
    gate_blocks: blocks.some(({ summary }) => summary.isCut),
    specific_failures: failures.isCut,
    verifier_feedback: feedback.isCut,
    prior_diff: priorDiff.isCut,
    prior_attempts: kept.length < prior.length,
    patterns: repeated.isCut,
  }
  return {
    attempt_number: attemptsUsed(task, attempt) + (countsHere(task, attempt) ? 2 : 1),
    max_attempts: attempt.contract.policy.verification.retry.max_attempts,
    limited: attempt.limited,
    task_id: task.task_id,
    check_results: results.list,
    tier1_failures: tier1.slice(0, listed).map(({ name, detail }) => ({ name, passed: false, detail: detail.text })),
    scope: scope?.shown ?? null,
    rejections: rejections.slice(0, listed).map(({ by, reason }) => ({ by, reason: reason.text })),
    gate_blocks: blocks.map(({ gate, summary }) => ({ gate, summary: summary.text })),
    specific_failures: failures.list,
    verifier_outcome: verifierOutcome(attempt),
    verifier_feedback: feedback.text,
    prior_diff: priorDiff.text,
    prior_attempts: kept,
    patterns: repeated.list,
    truncated: Object.entries(cuts).flatMap(([field, isCut]) => (isCut ? [field] : [])),
  }
}

const countsHere = (task: TaskState, { ordinal, decision }: Attempt): boolean =>
  ordinal > task.counted_after && consumes(decision)

/** Failed checks keep their name and exit code, however little of their output there is room for. */
function resultsWithin(checks: readonly Output[], { outputLines, passedChecks }: Limits) {
  const passed = checks.filter(({ result }) => result.passed).slice(0, passedChecks)
  const shown = checks
    .filter((check) => !check.result.passed || passed.includes(check))
    .map(({ result, lines }) => ({ result, output: lastLines(lines, outputLines) }))
  return {
    list: shown.map(({ result, output }) => ({ ...result, output: output.text })),
    isCut: shown.length < checks.length || shown.some(({ output }) => output.isCut),
  }
}

/** Every failed check is named; of paths and objections there can be thousands. */
function failuresWithin(failures: readonly string[], max: number): ReturnType<typeof firstOf> {
  const checks = failures.filter((failure) => failure.startsWith('check:'))
  const others = failures.filter((failure) => !failure.startsWith('check:'))
  const { list, isCut } = firstOf(others, max)
  return { list: [...checks, ...list.map(shortName)], isCut }
}

const shortName = (name: string): string => firstCharacters(name, NAME_CHARACTERS_MAX).text

/** The patterns are those of the contract and the same for every path. */
function scopeWithin(all: readonly ScopeViolation[], max: number) {
  const [first] = all
  if (first === undefined) return null
  const allowed = firstOf(first.allowed, max)
  const denied = firstOf(first.denied, max)
  const violations = all.slice(0, max).map(({ path, violation_type }) => ({ path: shortName(path), violation_type }))
  const isCut = violations.length < all.length || allowed.isCut || denied.isCut
  return { shown: { violations, allowed: allowed.list.map(shortName), denied: denied.list.map(shortName) }, isCut }
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
    .map(({ user, reason }) => ({ by: user, reason }))

const gateNames = ['red_team', 'vision'] as const satisfies readonly GateName[]

const blocksOf = ({ gates }: Attempt): RetryContext['gate_blocks'] =>
  gateNames.flatMap((gate) => {
    const record = gates[gate]
    return record?.verdict === 'BLOCK' ? [{ gate, summary: record.summary }] : []
  })

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
