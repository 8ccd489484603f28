// One voter's answers about all pieces of a change become one vote: weighed, graded, judged. The same answers always
// become the same vote, which is what makes an answer on record worth as much as a new one.
import { digest } from '../../core/canonical.ts'
import type { Finding, LedgerItem } from '../../core/decision/examined.ts'
import type { VoteContext } from './context.ts'
import type { Coverage } from '../change/pack.ts'
import { leastStated } from './confidence.ts'
import { findEvidence, type Reach } from './evidence.ts'
import { judgeVote, objectionsOf, type Objection, type Proposal, type Ruling } from './judge.ts'
import type { FindReading } from './found.ts'
import { carried, raisedBy } from './ledger.ts'
import { gradesOf, type Graded } from '../asking/rubric.ts'
import { findingId, recordOn, weigh, type Reading, type Weighed } from './weigh.ts'

export type Judged = Ruling & {
  readonly objections: readonly Objection[]
  readonly weighed: Weighed
  readonly graded: Graded
  readonly ledger: readonly LedgerItem[]
  /** What it leaves to the next push, should it count. */
  readonly raised: readonly LedgerItem[]
  readonly summary: string
  readonly feedback: string | null
  readonly remarks: readonly string[]
  readonly stated: number | null
  readonly assumption: string | null
  readonly evidence: { readonly verified: number; readonly given: number }
}

/** What a yes rests on that was not shown; null where that is nothing. */
type Rest = { readonly rests_on: string | null }

export function judgeAnswers(readings: readonly Reading[], context: VoteContext & Rest, reach: Reach): Judged {
  const { probes, rubric, coverage, items, declined, sha, contract_hash: contract } = context
  const own = weigh(readings, { probes, whole: coverage.share === 1, reach, declined })
  const weighed = { ...own, findings: withClaims(context.claims, own.findings) }
  const graded = gradesOf(rubric, weighed.probes)
  const weak = Object.entries(graded.grades).flatMap(([name, grade]) => (grade !== null && grade < 1 ? [name] : []))
  const raised = objectionsOf(weighed.probes, weighed.places, weighed.findings, {
    reached: graded.score,
    needed: rubric.pass_score,
    weak,
  })
  const unread = [...coverage.unseen, ...coverage.ignored, ...coverage.excused]
  const old = carried({ items, readings, reach, unseen: unread, sha, contract }, weighed)
  const proposed = worstProposal(readings)
  const named = [...raised, ...old.standing.filter(({ id }) => !raised.some((one) => one.id === id))]
  const objections =
    named.length > 0 || proposed === 'PASS' || proposed === 'REFER' ? named : objectionsByAdvice(readings)
  const ruling = judgeVote({
    probes: weighed.probes,
    objections,
    proposed,
    hasFeedback: readings.some(({ answer }) => answer.feedback.some(({ instruction }) => instruction.trim() !== '')),
    unfound: weighed.unfound.length > 0,
    hiddenText: context.hiddenText,
    secret: context.secret,
    addressed: !isMentioned(
      context.addressed,
      readings.map(({ answer: { suspicious_text }, presented }) => ({ suspicious_text, presented, reach })),
    ),
    assumes: context.rests_on !== null,
    coverage,
  })
  return {
    ...ruling,
    objections,
    weighed,
    graded,
    ledger: old.ledger,
    raised: raisedBy({ findings: weighed.findings, weighed, objections, readings, sha, contract }),
    assumption: context.rests_on,
    evidence: weighed.evidence,
    stated: leastStated(readings.map(({ answer }) => answer.stated)),
    summary: readings
      .map(({ answer }) => answer.summary.trim())
      .filter((text) => text !== '')
      .join('\n'),
    feedback: feedbackOf(readings, objections, weighed.findings),
    remarks: remarksOf(readings, weighed, coverage),
  }
}

/** What was found before is known, whether or not the judge says it again. */
const withClaims = (claims: readonly Finding[], findings: readonly Finding[]): Finding[] => [
  ...claims,
  ...findings.filter(
    (one) => !claims.some(({ id, level }) => id === one.id && (level === 'blocking' || one.level !== 'blocking')),
  ),
]

const LINES_APART_MAX = 10

/** Whoever reads what speaks to them quotes it, as they are told to, and whoever obeys it does not. */
export const isMentioned = (
  lines: VoteContext['addressed'],
  readings: readonly Pick<FindReading, 'suspicious_text' | 'presented' | 'reach'>[],
): boolean => {
  const quoted = readings.flatMap(({ suspicious_text, presented, reach }) =>
    suspicious_text.flatMap((one) => {
      const { outcome, line } = findEvidence(one, presented, reach)
      return outcome === 'verified' ? [{ path: one.path, line }] : []
    }),
  )
  return lines.every(({ path, line }) =>
    quoted.some((one) => one.path === path && Math.abs(one.line - line) <= LINES_APART_MAX),
  )
}

const fromWorst = ['HARD_FAIL', 'SOFT_FAIL', 'REFER'] as const satisfies readonly Proposal[]

function worstProposal(readings: readonly Reading[]): Proposal {
  const proposed = new Set<Proposal>(readings.map(({ answer }) => answer.proposed_verdict))
  if (readings.length === 0) return 'SOFT_FAIL'
  return fromWorst.find((one) => proposed.has(one)) ?? 'PASS'
}

const adviceOf = (readings: readonly Reading[]) =>
  readings.flatMap(({ answer }) => answer.feedback).filter(({ instruction }) => instruction.trim() !== '')

/** A proposal to fail that names no line still says what to do, and is remembered until that is done. */
const objectionsByAdvice = (readings: readonly Reading[]): Objection[] =>
  adviceOf(readings).map(({ instruction: text }) => {
    return { id: findingId('', text, 'advice'), proven: false, text, category: 'advice', path: null, line: null }
  })

/** Names each objection by its id; what the model advises beyond that follows. */
function feedbackOf(
  readings: readonly Reading[],
  objections: readonly Objection[],
  findings: readonly Finding[],
): string | null {
  const advice = adviceOf(readings)
  const lines = objections.map(({ id, text, path, line }) => {
    const place = path === null || path === '' ? '' : ` ${path}:${line ?? 1}`
    const fix = findings.find((finding) => finding.id === id)?.fix ?? ''
    const told = advice.filter(({ about }) => about === id).map(({ instruction }) => instruction)
    return [`[${id}]${place}: ${text}`, fix, ...told].filter((part) => part.trim() !== '').join(' ')
  })
  const rest = advice
    .filter(({ about, instruction }) => !objections.some(({ id, text }) => id === about || text === instruction))
    .map(({ instruction }) => instruction)
  const all = [...new Set([...lines, ...rest])]
  return all.length === 0 ? null : all.join('\n')
}

function remarksOf(readings: readonly Reading[], { findings, unfound }: Weighed, coverage: Coverage): string[] {
  const questions = findings
    .filter(({ level }) => level === 'question')
    .map(({ path, line, claim }) => `${path}:${line}: ${claim}`)
  const doubted = unfound.map(({ path, line }) => `${path}:${line}: what this claims to quote is not there.`)
  const [first] = readings
  const recorded = findings.flatMap(({ path, line, claim }) => {
    const record = first === undefined ? null : recordOn(claim, first.presented)
    return record === null ? [] : [`${path}:${line}: ${record}, which the objection says otherwise.`]
  })
  const spoken = readings.flatMap(({ answer, presented }) =>
    answer.suspicious_text
      .filter((one) => findEvidence(one, presented).outcome === 'verified')
      .map(({ path, line }) => `${path}:${line} has text that addresses its reviewer.`),
  )
  const ignored = coverage.ignored.map((path) => `${path} is generated and was not read.`)
  const unread = [
    ...coverage.unseen.map((path) => `${path} was not read.`),
    ...coverage.excused.map((path) => `${path} was not read, which the policy allows.`),
  ]
  const clipped = readings.reduce((sum, { answer }) => sum + answer.clipped, 0)
  return [
    ...questions,
    ...doubted,
    ...recorded,
    ...spoken,
    ...ignored,
    ...unread,
    ...(clipped > 0 ? [`${clipped} parts of the answer were too long and were shortened.`] : []),
  ]
}

export type AnswerKey = { readonly purpose: string; readonly n: number; readonly lens: string; readonly model: string }

/** The same question about the same patch under the same contract: its answer on record is good for it. */
export const answerKey = (context: VoteContext, fingerprint: string, { purpose, n, lens, model }: AnswerKey): string =>
  digest([
    fingerprint,
    context.contract_hash,
    digest(context.rubric),
    context.release,
    context.kind,
    context.claims.map(({ id }) => id),
    purpose,
    n,
    lens,
    model,
  ])
