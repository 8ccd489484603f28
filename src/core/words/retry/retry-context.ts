// The retry context: what the next attempt is told, as data and as Markdown. Facts come first, then the verifier's words,
// quoted and marked as advice, then what repeats and how to go on. As JSON it is part of the document of the attempt.
// The same record gives the same bytes. Over the limit the oldest goes first, and each cut leaves a mark.
import { canonical, digest } from '../../canonical.ts'
import type { Attempt, CheckResult, GateName, TaskState } from '../../decision/model.ts'
import { blockText } from '../gate-review.ts'
import { harmless } from '../text/harmless.ts'
import { neutralLine } from '../text/neutral.ts'
import {
  assemble,
  gather,
  missingExitCode,
  timeoutExitCode,
  verifierUnavailable,
  type AttemptSummary,
  type Material,
  type RetryContext,
} from './retry-material.ts'
import type { AttemptOutcome } from './retry-patterns.ts'
import type { Limits } from '../text/within.ts'
import { codeSpan, fenced, quoted } from '../text/untrusted.ts'

export const CONTEXT_TOKENS_MAX = 4000
const CHARACTERS_PER_TOKEN = 4
const PRIOR_ATTEMPTS_MAX = 3
export const DIFF_LINES_MAX = 500
const OUTPUT_LINES_MAX = 50
const FEEDBACK_CHARACTERS_MAX = 2000
const PASSED_CHECKS_MAX = 200
const LISTED_MAX = 50
const SUMMARY_CHECKS_MAX = 5

const known = new WeakMap<Attempt, { readonly task: TaskState; readonly context: RetryContext }>()

/** What is shown is derived again and again from a state that has not changed. */
export function retryContext(task: TaskState, attempt: Attempt): RetryContext {
  const before = known.get(attempt)
  if (before?.task === task) return before.context
  const context = withinLimits(gather(task, attempt))
  known.set(attempt, { task, context })
  return context
}

function withinLimits(material: Material): RetryContext {
  let context = assemble(material, generous)
  for (const limits of tighter(generous)) {
    if (contextTokens(context) <= CONTEXT_TOKENS_MAX) return context
    context = assemble(material, limits)
  }
  return context
}

const generous: Limits = {
  priorAttempts: PRIOR_ATTEMPTS_MAX,
  diffLines: DIFF_LINES_MAX,
  passedChecks: PASSED_CHECKS_MAX,
  outputLines: OUTPUT_LINES_MAX,
  listed: LISTED_MAX,
  feedbackCharacters: FEEDBACK_CHARACTERS_MAX,
}

const unlimited: Limits = {
  priorAttempts: Infinity,
  diffLines: Infinity,
  passedChecks: Infinity,
  outputLines: Infinity,
  listed: Infinity,
  feedbackCharacters: Infinity,
}

/** Step by step less, the least useful first. Names and exit codes of failed checks are never given up. */
function* tighter(limits: Limits): Generator<Limits> {
  const now: Record<keyof Limits, number> = { ...limits }
  for (const key of [
    'priorAttempts',
    'diffLines',
    'passedChecks',
    'outputLines',
    'listed',
    'feedbackCharacters',
  ] as const) {
    while (now[key] > 0) {
      now[key] = key === 'priorAttempts' ? now[key] - 1 : Math.floor(now[key] / 2)
      yield { ...now }
    }
  }
}

/** The larger of its two forms, by a count that is rather too high than too low for English and code. */
export function contextTokens(context: RetryContext): number {
  const characters = Math.max(renderRetryContext(context).length, canonical(context).length)
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

/** What `ContextTruncated` records, or null when everything had room. */
export function contextTruncation(task: TaskState, attempt: Attempt) {
  const material = gather(task, attempt)
  const context = withinLimits(material)
  if (context.truncated.length === 0) return null
  const whole = assemble(material, unlimited)
  return {
    budget: CONTEXT_TOKENS_MAX,
    original: contextTokens(whole),
    truncated: contextTokens(context),
    sections: context.truncated,
  }
}

/** What `RetryContextAssembled` records: size and hash of the JSON, and which kinds of feedback it holds. */
export function contextSizes(context: RetryContext) {
  const sources = {
    scope: context.scope !== null,
    tier1: context.tier1_failures.length > 0,
    checks: context.check_results.some(({ passed }) => !passed),
    human: context.rejections.length > 0,
    verifier: context.verifier_feedback !== null,
    gates: context.gate_blocks.length > 0,
    patterns: context.patterns.length > 0,
    prior_attempts: context.prior_attempts.length > 0,
    prior_diff: context.prior_diff !== '',
  }
  return {
    bytes: new TextEncoder().encode(canonical(context)).length,
    sources: Object.entries(sources).flatMap(([source, isThere]) => (isThere ? [source] : [])),
    hash: digest(context),
  }
}

/** `review`: where what the verifier says stands already, in words. */
export function renderRetryContext(context: RetryContext, review: string | null = null): string {
  return [
    openingLine(context),
    nextLine(context),
    ...facts(context),
    ...advice(context, review),
    bullets('What repeats', context.patterns),
    bullets('Earlier attempts', context.prior_attempts.map(summaryLine)),
    // Where nobody could review, nothing is known to be wrong.
    context.verifier_feedback === verifierUnavailable ? '' : bullets('How to go on', guidance),
    ...section('The change that was judged', context.prior_diff, (diff) => fenced(diff, 'diff')),
    context.truncated.length === 0 ? '' : `Shortened for want of space: ${context.truncated.join(', ')}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const guidance = [
  'Edit the change that is already on this branch in place, instead of starting over.',
  'Do not weaken, skip or delete tests. If a test is wrong, say so and why, and leave it to a person.',
  'Fix the cause. Do not special-case the checks, their inputs or the environment they run in.',
]

const bullets = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `### ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`

const section = (title: string, text: string, body: (text: string) => string): string[] =>
  text === '' ? [] : [`### ${title}`, body(text)]

/** Whoever was not judged has not failed. */
function openingLine(context: RetryContext): string {
  const parts = failures(context)
  const whose = context.next === 'not_yet' ? 'So far in this attempt' : 'Previous attempt failed verification'
  if (parts.length > 0) return `${whose}: ${parts.join('; ')}.`
  if (context.verifier_outcome === 'UNAVAILABLE')
    return `Not reviewed: ${verifierUnavailable}. Nothing is known to be wrong with this commit.`
  return context.next === 'to_be_granted'
    ? 'Previous attempt failed verification: the task had failed before this commit, and a person must grant new attempts.'
    : 'Nothing has failed verification.'
}

function nextLine({ next, attempt_number, max_attempts }: RetryContext): string {
  switch (next) {
    case 'counted':
      return `Attempt ${attempt_number} of ${max_attempts} comes next.`
    case 'unlimited':
      return 'Attempts are not limited here.'
    case 'to_be_granted':
      return 'No attempt comes next: a person must grant new ones with `/retry`.'
    case 'not_yet':
      return 'This attempt is not over.'
    case 'elsewhere':
      return 'This commit is no longer judged.'
    case 'unknown':
      return ''
  }
}

function failures(context: RetryContext): string[] {
  const failed = context.check_results.filter(({ passed, required }) => !passed && required)
  const more = failed.length - SUMMARY_CHECKS_MAX
  return [
    ...(context.scope !== null ? ['it changes paths outside its scope'] : []),
    ...context.tier1_failures.slice(0, SUMMARY_CHECKS_MAX).map(({ name }) => `built-in check ${codeSpan(name)} failed`),
    ...failed.slice(0, SUMMARY_CHECKS_MAX).map((check) => `${codeSpan(check.name)} ${ending(check)}`),
    ...(more > 0 ? [`${more} more checks failed`] : []),
    ...context.rejections.map((one) => rejected(one)),
    ...(context.verifier_outcome === 'SOFT_FAIL' || context.verifier_outcome === 'HARD_FAIL'
      ? ['the AI review objects']
      : []),
    ...context.gate_blocks.map(({ gate }) => ofGates[gate].blocks),
  ]
}

const rejected = ({ by, stage }: RetryContext['rejections'][number]): string =>
  `${neutralLine(by)} rejected it${stage === undefined ? '' : ` for review stage ${codeSpan(stage)}`}`

function ending({ exit_code }: CheckResult): string {
  if (exit_code === missingExitCode) return 'never reported a result'
  return exit_code === timeoutExitCode ? `timed out (exit code ${exit_code})` : `failed with exit code ${exit_code}`
}

const ofGates = {
  red_team: { blocks: 'the red-team gate blocks it', says: 'What the red-team gate says' },
  vision: { blocks: 'its screenshots are not as expected', says: 'What the screenshots show' },
} as const satisfies Record<GateName, object>

function facts(context: RetryContext): string[] {
  const failed = context.check_results.filter(({ passed }) => !passed)
  const passed = context.check_results.filter((check) => check.passed).map(({ name }) => codeSpan(name))
  const lines = [
    ...scopeLines(context),
    ...context.tier1_failures.map(({ name }) => `Built-in check ${codeSpan(name)} failed.`),
    ...failed.map((check) => `${codeSpan(check.name)} ${ending(check)}${check.required ? '' : ' (informs only)'}.`),
    ...context.rejections.map((one) => `${rejected(one)}${one.reason === '' ? ' without a reason' : ''}.`),
  ]
  return [
    bullets('What failed', lines),
    passed.length === 0 ? '' : `Passed: ${passed.join(', ')}.`,
    ...context.tier1_failures.flatMap(({ name, detail }) =>
      detail === null || detail === '' ? [] : [`${codeSpan(name)}:`, fenced(detail, 'text')],
    ),
    ...failed.flatMap((check) =>
      check.output === '' ? [] : [`Output of ${codeSpan(check.name)}:`, fenced(check.output, 'text')],
    ),
    ...context.rejections.flatMap(({ by, reason }) =>
      reason === '' ? [] : [`${neutralLine(by)} wrote:`, quoted(reason)],
    ),
  ]
}

function scopeLines({ scope }: RetryContext): string[] {
  if (scope === null) return []
  const globs = (patterns: readonly string[]): string => patterns.map(codeSpan).join(', ') || 'nothing'
  const lines = scope.violations.map(({ path, violation_type }) => {
    const why = violation_type === 'denied' ? 'is denied' : 'is outside what this task may write'
    return `${codeSpan(path)} ${why}.`
  })
  return [...lines, `Allowed paths: ${globs(scope.allowed)}. Denied paths: ${globs(scope.denied)}.`]
}

function advice(
  { verifier_feedback: feedback, verifier_outcome: outcome, gate_blocks: blocks }: RetryContext,
  review: string | null,
): string[] {
  const unavailable = outcome === 'UNAVAILABLE'
  const voices = [
    ...(feedback === null || unavailable
      ? []
      : [{ title: 'What the AI review says', text: review ?? quotation(feedback) }]),
    ...blocks.map(({ gate, summary, findings }) => {
      return { title: ofGates[gate].says, text: quotation(findings.length === 0 ? summary : blockText(findings)) }
    }),
  ]
  const note =
    'This is advice and may be wrong. Where it contradicts a check or the task, follow the check and the task.'
  return [
    ...(unavailable ? [`### What the AI review says`, `Nothing: ${verifierUnavailable}.`] : []),
    ...voices.flatMap(({ title, text }) => [`### ${title}`, text, note]),
  ]
}

const quotation = (text: string): string => harmless(text).replaceAll(/^/gm, '> ')

function summaryLine({
  attempt_number,
  outcome,
  check_results,
  verifier_outcome,
  diff_summary,
}: AttemptSummary): string {
  const failed = check_results.filter(({ passed }) => !passed).map(({ name }) => codeSpan(name))
  const checks = failed.length === 0 ? '' : ` Failed: ${failed.join(', ')}.`
  const verifier = verifier_outcome === null ? '' : ` AI review: ${verifier_outcome}.`
  return `Attempt ${attempt_number}: ${outcomeWords[outcome]}.${checks}${verifier} ${sentence(diff_summary)}`
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

const outcomeWords = {
  SCOPE_VIOLATION: 'outside its scope',
  CHECK_FAILURE: 'a check failed',
  VERIFIER_REJECTION: 'the AI review or a gate objected',
  HUMAN_REJECTION: 'a person rejected it',
  CRASH: 'no AI review could be made',
  TIMEOUT: 'a check timed out',
} as const satisfies Record<AttemptOutcome, string>
