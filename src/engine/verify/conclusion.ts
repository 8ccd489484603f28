// What every way of examining ends in: a verdict with what stands behind it, or the reason why nobody looked.
import type { OnTheWay } from '../../core/decision/record/on-the-way.ts'
import type { Examined, Hashes, RawAnswer } from '../../core/decision/examined.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Identity, ReferReason, UnavailableReason, Verdict } from '../../core/decision/verdict.ts'
import type { Change } from '../../verifier/change/change.ts'
import type { Redactor } from '../../verifier/asking/clean.ts'
import { evaluation, generatorOf } from '../../verifier/asking/identity.ts'
import type { KindResult } from '../../verifier/weighing/kinds.ts'
import type { Packed } from '../../verifier/change/pack.ts'
import { unreadWords } from '../../verifier/weighing/verdict.ts'
import type { Failure } from './failure.ts'
import type { Past } from './recorded.ts'
import type { Steps } from './steps/step.ts'
import { otherThanUsual } from './steps/usual.ts'
import type { Surroundings } from './surroundings.ts'

export type Subject = {
  readonly attempt: Attempt
  readonly change: Change
  readonly packed: Packed
  readonly past: Past
  readonly redact: Redactor
  readonly keyed: (text: string) => string
  readonly evaluator: Identity
  readonly hiddenText: boolean
  /** An added line looks like a secret. */
  readonly secret: boolean
  /** Said with every result, whatever it is. */
  readonly remarks: readonly string[]
  readonly happened: readonly OnTheWay[]
  /** Words of rank in the text of the task. */
  readonly ranked: readonly OnTheWay[]
  /** Of what the verdict is about. */
  readonly hashes: Hashes | null
  readonly steps: Steps
  /** The code around the change; null where nothing but the change is to be had. */
  readonly surroundings: Surroundings | null
}
export type Examination = Omit<Examined, 'cost'>
export type Result =
  | {
      readonly kind: 'unavailable'
      readonly reason: UnavailableReason
      /** Answers that came before nobody answered any more. */
      readonly raw: readonly RawAnswer[]
      readonly happened: readonly OnTheWay[]
    }
  | {
      readonly kind: 'verdict'
      readonly verdict: Verdict
      readonly examined: Examination
      readonly raw: readonly RawAnswer[]
      readonly happened: readonly OnTheWay[]
    }

type Said = Omit<Verdict, 'evaluator'>
type More = Partial<Examination> & { readonly raw?: readonly RawAnswer[]; readonly happened?: readonly OnTheWay[] }

export function concluded(subject: Subject, said: Said, { raw = [], happened = [], ...more }: More = {}): Result {
  const { attempt, packed, evaluator, remarks, hashes } = subject
  const steps = otherThanUsual(subject.steps)
  const { shown, changed, ignored, unseen } = packed.coverage
  const whole = evaluation(evaluator, generatorOf(attempt), {
    findings: [],
    probes: [],
    criterion_grades: {},
    rubric: null,
    score: null,
    coverage: { shown, changed, ignored, unseen },
    ...aroundOf(packed),
    evidence: { verified: 0, given: 0 },
    confidence_parts: {},
    dropped: {},
    ...(hashes === null ? {} : { hashes }),
    ...(steps === null ? {} : { steps }),
    reused: false,
    ledger: [],
    ...more,
    remarks: [...new Set([...remarks, ...(more.remarks ?? [])])],
  })
  const { evaluator: judge, ...examined } = whole
  return {
    kind: 'verdict',
    verdict: { ...said, evaluator: judge },
    examined,
    raw,
    happened: [...subject.happened, ...happened],
  }
}

/** Where the lines stand that were shown around the change. */
function aroundOf({ chunks }: Packed): Pick<Examination, 'around'> {
  const around = chunks.flatMap((chunk) => chunk.around.map(({ path, from, to, why }) => ({ path, from, to, why })))
  return around.length === 0 ? {} : { around }
}

export function referred(subject: Subject, reason: ReferReason, detail: string | null = null, more: More = {}): Result {
  const reasoning = detail ?? `The AI review looked and cannot judge: ${reason.replaceAll('_', ' ')}.`
  return concluded(subject, { ...bare, outcome: 'REFER', reason_code: reason, reasoning, feedback: detail }, more)
}

/** Nobody could make questions of the task: that is told as what it was, and not as a task that asks nothing. */
export const unasked = (subject: Subject, failure: Failure, more: More = {}): Result =>
  failure.kind === 'unavailable'
    ? unavailable(subject, failure.reason, more.happened, more.raw)
    : referred(subject, failure.reason, failure.detail, more)

/** Nobody voted, nothing was objected to by name, and nobody says how sure it is. */
const bare = { reason_code: null, confidence: null, objections: [], votes: null } as const

/** A verdict of a kind that knows no confidence. */
export function plain(subject: Subject, result: KindResult, more: More = {}, passed = 'It passed.'): Result {
  if (result.outcome === 'UNAVAILABLE') return unavailable(subject, result.reason, more.happened, more.raw)
  if (result.outcome === 'REFER') return referred(subject, result.reason, null, more)
  const feedback = result.outcome === 'SOFT_FAIL' ? result.reason : null
  return concluded(subject, { ...bare, outcome: result.outcome, reasoning: feedback ?? passed, feedback }, more)
}

/** Why nothing may pass here, whatever is said of it. */
export function barOf({
  hiddenText,
  secret,
  change,
  packed,
}: Subject): { reason: ReferReason; words: string | null } | null {
  if (hiddenText) return { reason: 'hidden_text', words: null }
  if (secret) return { reason: 'secret', words: null }
  if (change.hits.some(({ kind }) => kind === 'addressed')) return { reason: 'addressed', words: null }
  const { cause } = packed.coverage
  return cause === null ? null : { reason: cause, words: unreadWords(packed.coverage) }
}

export const unavailable = (
  { happened }: Subject,
  reason: UnavailableReason,
  more: readonly OnTheWay[] = [],
  raw: readonly RawAnswer[] = [],
): Result => ({
  kind: 'unavailable',
  reason,
  raw,
  happened: [...happened, ...more],
})
