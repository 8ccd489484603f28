// From what stands to a verdict: a table from top to bottom, the first row that holds decides. What the model proposes is
// one of many inputs, and a proposal can only make the result worse.
import type { Finding, ProbeGrade } from '../../core/decision/examined.ts'
import type { ReferReason } from '../../core/decision/verdict.ts'

export type Objection = {
  readonly id: string
  readonly proven: boolean
  readonly text: string
  readonly category: Finding['category'] | 'probe' | 'score' | 'advice'
  readonly path: string | null
  readonly line: number | null
}
export type Proposal = 'PASS' | 'REFER' | 'SOFT_FAIL' | 'HARD_FAIL'
export type Testimony = {
  /** Questions of the task come first, then those of the rubric, whose ids begin with r. */
  readonly probes: readonly ProbeGrade[]
  readonly objections: readonly Objection[]
  readonly proposed: Proposal
  readonly hasFeedback: boolean
  /** A claim to block whose quote is nowhere. */
  readonly unfound: boolean
  readonly hiddenText: boolean
  readonly secret: boolean
  /** Lines speak to the reviewer, and it does not say so. */
  readonly addressed: boolean
  readonly assumes: boolean
  readonly coverage: { readonly share: number; readonly cause: 'coverage' | 'too_large' | null }
}
/** HARD_FAIL is a candidate here: it stands only when something else confirms it. */
export type Ruling = {
  readonly outcome: 'PASS' | 'SOFT_FAIL' | 'HARD_FAIL' | 'REFER'
  readonly reason: ReferReason | null
}

const CANNOT_TELL_SHARE_MAX = 1 / 3
const NOT_APPLICABLE_SHARE_MAX = 1 / 2

const refer = (reason: ReferReason): Ruling => ({ outcome: 'REFER', reason })
const objects = (outcome: 'SOFT_FAIL' | 'HARD_FAIL'): Ruling => ({ outcome, reason: null })

type Row = (testimony: Testimony) => Ruling | false

const rows: readonly Row[] = [
  ({ proposed, objections }) =>
    proposed === 'HARD_FAIL' && objections.some(({ proven }) => proven) && objects('HARD_FAIL'),
  ({ objections }) => objections.length > 0 && objects('SOFT_FAIL'),
  ({ proposed, hasFeedback }) => wantsRetry(proposed) && hasFeedback && objects('SOFT_FAIL'),
  ({ proposed }) => wantsRetry(proposed) && refer('no_feedback'),
  ({ unfound }) => unfound && refer('insufficient_evidence'),
  ({ hiddenText }) => hiddenText && refer('hidden_text'),
  ({ secret }) => secret && refer('secret'),
  ({ addressed }) => addressed && refer('addressed'),
  ({ assumes }) => assumes && refer('assumption_violation'),
  ({ coverage }) => coverage.share < 1 && refer(coverage.cause ?? 'coverage'),
  ({ proposed }) => proposed === 'REFER' && refer('cannot_tell'),
  ({ probes }) => probes.some((probe) => isOfTask(probe) && probe.answer === 'cannot_tell') && refer('cannot_tell'),
  ({ probes }) => saysTooLittle(probes) && refer('insufficient_evidence'),
]

const wantsRetry = (proposed: Proposal): boolean => proposed === 'SOFT_FAIL' || proposed === 'HARD_FAIL'

export function judgeVote(testimony: Testimony): Ruling {
  for (const row of rows) {
    const ruling = row(testimony)
    if (ruling !== false) return ruling
  }
  return { outcome: 'PASS', reason: null }
}

export const isOfTask = ({ id }: { readonly id: string }): boolean => !id.startsWith('r')

/** Of a task of which nothing is shown, nothing is known, however its questions are worded. */
function saysTooLittle(probes: readonly ProbeGrade[]): boolean {
  const own = probes.filter(isOfTask)
  const rubric = probes.filter((probe) => !isOfTask(probe))
  const open = rubric.filter(({ answer }) => answer === 'cannot_tell').length
  return (
    !own.some(({ answer, proven }) => answer === 'met' && proven) ||
    open > rubric.length * CANNOT_TELL_SHARE_MAX ||
    [own, probes].some(mostlyApart)
  )
}

const mostlyApart = (probes: readonly ProbeGrade[]): boolean =>
  probes.filter(({ answer }) => answer === 'not_applicable').length > probes.length * NOT_APPLICABLE_SHARE_MAX

/** A question of the task answered with no, or any with proof, a finding that blocks, an open item that still stands, too low a score. */
export function objectionsOf(
  probes: readonly ProbeGrade[],
  places: ReadonlyMap<string, { readonly path: string; readonly line: number }>,
  findings: readonly Finding[],
  score: { readonly reached: number | null; readonly needed: number; readonly weak: readonly string[] },
): Objection[] {
  const unmet = probes
    .filter((probe) => probe.answer === 'not_met' && (isOfTask(probe) || probe.proven))
    .map(({ id, proven, text, why }): Objection => {
      const place = places.get(id) ?? null
      return {
        id,
        proven,
        text: why.trim() === '' ? text : `${text} ${why}`,
        category: 'probe',
        path: place?.path ?? null,
        line: place?.line ?? null,
      }
    })
  const blocking = findings
    .filter(({ level }) => level === 'blocking')
    .map(({ id, proven, claim, category, path, line }): Objection => ({
      id,
      proven,
      text: claim,
      category,
      path,
      line,
    }))
  const low = score.reached !== null && score.reached < score.needed - 1e-9
  const weak: Objection = {
    id: 'score',
    proven: false,
    text: `The score ${Math.floor((score.reached ?? 0) * 100) / 100} is below ${score.needed}: ${score.weak.join(', ')}.`,
    category: 'score',
    path: null,
    line: null,
  }
  return [...unmet, ...blocking, ...(low ? [weak] : [])]
}
