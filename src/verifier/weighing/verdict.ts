// A stage's outcome as it goes on record: confidence from its parts, reasons that are never empty, feedback that can be
// acted on, and what happened on the way.
import type { OnTheWay } from '../../core/decision/record/on-the-way.ts'
import type { Finding, LedgerItem } from '../../core/decision/examined.ts'
import type { ReferReason, VerdictOutcome } from '../../core/decision/verdict.ts'
import { upTo } from '../../core/visible.ts'
import { votesLine } from '../../core/words/timeline/explain-review.ts'
import { confidenceOf, evidenceShare, SINGLE_VOTE_AGREEMENT, type ConfidenceParts } from './confidence.ts'
import type { VoteContext } from './context.ts'
import type { Coverage } from '../change/pack.ts'
import { withNew } from './ledger.ts'
import { divergent, type Tally } from './tally.ts'
import type { Judged } from './testimony.ts'

const UNSEEN_NAMED_MAX = 10
/** Nobody reads more in one piece; what is objected to stands at its lines as well. */
const WORDS_MAX = 30_000

export type Stage = {
  readonly tier: 2 | 3
  readonly outcome: VerdictOutcome
  readonly reason: ReferReason | null
  readonly votes: { readonly pass: number; readonly valid: number } | null
  /** The votes that count, each as it was judged. */
  readonly judged: readonly Judged[]
  /** Which of them is the one that is told in full. */
  readonly told: Judged
}

export type Told = {
  readonly outcome: VerdictOutcome
  readonly reason_code: ReferReason | null
  readonly confidence: number | null
  readonly confidence_parts: Readonly<Record<string, number>>
  readonly reasoning: string
  readonly feedback: string | null
  readonly objections: readonly string[]
  readonly votes: Stage['votes']
  readonly findings: readonly Finding[]
  readonly ledger: readonly LedgerItem[]
  readonly remarks: readonly string[]
}

export function tell(stage: Stage, context: VoteContext): Told {
  const { outcome, reason, votes, told, judged } = stage
  const parts = partsOf(stage, context)
  const objecting = judged.filter((one) => one.outcome !== 'PASS')
  const findings = unique(judged.flatMap(({ weighed }) => weighed.findings))
  const { stated, ...rest } = parts
  const feedback = feedbackOf(stage, context.coverage)
  return {
    outcome,
    reason_code: reason,
    confidence: confidenceOf(parts),
    confidence_parts: stated === null ? rest : { ...rest, stated },
    reasoning: upTo(reasoningOf(told), WORDS_MAX),
    feedback: feedback === null ? null : upTo(feedback, WORDS_MAX),
    objections:
      outcome === 'PASS' ? [] : [...new Set(objecting.flatMap(({ objections }) => objections.map(({ id }) => id)))],
    votes,
    findings,
    ledger:
      outcome === 'PASS'
        ? told.ledger
        : withNew(
            told.ledger,
            objecting.flatMap(({ raised }) => raised),
            context.sha,
          ),
    remarks: [...new Set(judged.flatMap(({ remarks }) => remarks))],
  }
}

/**
 * How sure those are that say what the stage says: their mean, each by its own quotes and its own word. The share of votes
 * has a rule of its own and is no part of it.
 */
function partsOf({ outcome, votes, judged, told }: Stage, { coverage }: VoteContext): ConfidenceParts {
  const agreeing = judged.filter((one) => one.outcome === outcome)
  const said = agreeing.length === 0 ? [told] : agreeing
  const shares = said.map((one) => evidenceShare(one.evidence))
  const stated = said.map((one) => one.stated)
  const known = stated.flatMap((value) => value ?? [])
  return {
    ...(votes === null
      ? { agreement: SINGLE_VOTE_AGREEMENT }
      : { readings: mean(known.map((value, index) => Math.min(value, shares[index] ?? 0))) }),
    evidence: mean(shares),
    coverage: coverage.share,
    // Nothing is known yet of what people made of earlier verdicts of this confidence.
    calibration: 1,
    stated: known.length < stated.length ? null : mean(known),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function reasoningOf({ summary, objections, weighed }: Judged): string {
  const why = objections.map(({ id, text }) => `[${id}] ${text}`)
  const met = weighed.probes.filter(({ answer }) => answer === 'met').length
  const checked = `${met} of ${weighed.probes.length} questions are answered with yes.`
  return [summary, ...why].filter((text) => text !== '').join('\n') || checked
}

/** What was not read, and what would help. */
export function unreadWords({ unseen, cause }: Coverage): string | null {
  if (cause === null) return null
  const named = unseen.slice(0, UNSEEN_NAMED_MAX).join(', ')
  const more = unseen.length > UNSEEN_NAMED_MAX ? ` and ${unseen.length - UNSEEN_NAMED_MAX} more` : ''
  return `Not read: ${named}${more}. A human has to look, or the policy says under \`verifier.unseen_ok\` that this may go unread.`
}

function feedbackOf({ outcome, reason, told, tier }: Stage, coverage: Coverage): string | null {
  if (tier === 3 && reason === 'divergence') return divergent
  if (outcome === 'PASS') return null
  if (reason === 'coverage' || reason === 'too_large') return unreadWords(coverage) ?? told.feedback
  return told.feedback ?? (outcome === 'SOFT_FAIL' || outcome === 'HARD_FAIL' ? reasoningOf(told) : null)
}

const unique = (findings: readonly Finding[]): Finding[] => [...new Map(findings.map((one) => [one.id, one])).values()]

/** The results of the tiers under the names and with the lines that readers of the record know. */
export function tierEvents(stage: Stage, told: Told, session: string): OnTheWay[] {
  const { tier, outcome, votes } = stage
  const passed = outcome === 'PASS'
  const issues = upTo(stage.told.objections.map(({ text }) => text).join('; '), WORDS_MAX)
  const check =
    votes === null
      ? { name: 'llm_assessment', passed, detail: issues === '' ? null : issues }
      : { name: 'voting', passed, detail: votesLine(votes) }
  const { confidence, feedback } = told
  const run = `${session}.${tier}`
  return [{ type: 'TierCompleted', data: { tier, passed, confidence, checks: [check], findings: [], feedback, run } }]
}

export const tallied = (tally: Tally, models: readonly string[], planned: number): OnTheWay => ({
  type: 'VotesTallied',
  data: { n: planned, pass: tally.pass, valid: tally.valid, models },
})
