// What a model said, after its proof was looked for: each question has one answer, each finding stands or is dropped with
// a reason. Repairs only make an answer worse.
import { digest } from '../../core/canonical.ts'
import type { Finding, ProbeGrade } from '../../core/decision/examined.ts'
import type { Answer, Evidence } from './answer.ts'
import { findEvidence, normal, type Found, type Outcome, type Presented, type Reach } from './evidence.ts'
import type { AtomicProbe } from '../asking/probes.ts'

export type Reading = { readonly answer: Answer; readonly presented: Presented }
export type Weighing = {
  readonly probes: readonly AtomicProbe[]
  /** Whether every changed line was shown. */
  readonly whole: boolean
  readonly reach: Reach
  /** Findings that a human declined are not raised again. */
  readonly declined: ReadonlySet<string>
}
/** Where something that was quoted stands. */
export type Place = Evidence
export type Weighed = {
  readonly probes: readonly ProbeGrade[]
  /** Where the proof of a probe stands, for those that have one. */
  readonly places: ReadonlyMap<string, Place>
  readonly findings: readonly Finding[]
  readonly dropped: Readonly<Record<string, number>>
  readonly evidence: { readonly verified: number; readonly given: number }
}

export function weigh(readings: readonly Reading[], weighing: Weighing): Weighed {
  const tally = new Map<Outcome | 'contradicted' | 'declined', number>()
  const count = (what: Outcome | 'contradicted' | 'declined'): void => void tally.set(what, (tally.get(what) ?? 0) + 1)
  const places = new Map<string, Place>()
  const look = (one: Evidence, presented: Presented): Found => {
    const found = findEvidence(one, presented, weighing.reach)
    count(found.outcome)
    return found
  }
  const probes = weighing.probes.map((probe) => {
    const grades = readings.map(({ answer, presented }): ProbeGrade => {
      const given = answer.probes.filter(({ id }) => id === probe.id)
      const graded = given.map((one) =>
        gradeOf(probe, one, presented, weighing.whole, (item) => look(item, presented), places),
      )
      return worst(graded) ?? { ...unanswered, id: probe.id, text: probe.text }
    })
    return merged(probe, grades)
  })
  const findings = readings.flatMap(({ answer, presented }) =>
    answer.findings.flatMap((one) => standing(one, presented, look(one, presented), weighing.declined, count)),
  )
  const verified = tally.get('verified') ?? 0
  const dropped = Object.fromEntries([...tally].filter(([what]) => what !== 'verified'))
  const failed = [...tally].reduce(
    (sum, [what, times]) => (what === 'verified' || what === 'declined' || what === 'contradicted' ? sum : sum + times),
    0,
  )
  const unique = [...new Map(findings.map((finding) => [finding.id, finding])).values()]
  return { probes, places, findings: unique, dropped, evidence: { verified, given: verified + failed } }
}

const unanswered = { answer: 'cannot_tell', proven: false, why: 'not answered' } as const

type Said = Answer['probes'][number]

function gradeOf(
  probe: AtomicProbe,
  said: Said,
  { checks }: Presented,
  whole: boolean,
  look: (evidence: Evidence) => Found,
  places: Map<string, Place>,
): ProbeGrade {
  const found = said.evidence.map((one) => ({ ...one, found: look(one) }))
  const proof = found.find((one) => one.found.outcome === 'verified')
  const failed = said.evidence.some(({ path }) =>
    checks.some(({ name, state }) => path === `check:${name}` && state !== 'passed' && state !== 'running'),
  )
  const grade = (answer: ProbeGrade['answer'], proven: boolean): ProbeGrade => {
    if (answer === 'not_met' && proof !== undefined)
      places.set(probe.id, { path: proof.path, line: proof.found.line, quote: proof.quote, side: proof.side })
    return { id: probe.id, text: probe.text, answer, proven, why: said.why }
  }
  // What the record says about a check stands, whatever is claimed of it.
  if (said.answer === 'met' && failed) return grade('not_met', true)
  switch (said.answer) {
    case 'met':
      if (probe.polarity === 'presence') return grade(proof === undefined ? 'cannot_tell' : 'met', proof !== undefined)
      return grade(whole ? 'met' : 'cannot_tell', false)
    case 'not_met':
      if (proof !== undefined) return grade('not_met', true)
      return grade(probe.polarity === 'presence' ? 'not_met' : 'cannot_tell', false)
    case 'not_applicable':
      return grade(probe.source !== 'rubric' && !probe.conditional ? 'cannot_tell' : 'not_applicable', false)
    case 'cannot_tell':
      return grade('cannot_tell', false)
  }
}

const badness = { met: 0, not_applicable: 1, cannot_tell: 2, not_met: 3 } as const

/** A question answered twice has the worse answer. */
const worst = (grades: readonly ProbeGrade[]): ProbeGrade | undefined =>
  grades.toSorted((one, other) => badness[other.answer] - badness[one.answer])[0]

/** Several pieces of one change: what is wanted may stand in any of them, what is not wanted must stand in none. */
function merged(probe: AtomicProbe, grades: readonly ProbeGrade[]): ProbeGrade {
  const order =
    probe.polarity === 'presence'
      ? (['met', 'cannot_tell', 'not_met', 'not_applicable'] as const)
      : (['not_met', 'cannot_tell', 'met', 'not_applicable'] as const)
  for (const answer of order) {
    const first =
      grades.find((grade) => grade.answer === answer && grade.proven) ?? grades.find((grade) => grade.answer === answer)
    if (first !== undefined) return first
  }
  return { ...unanswered, id: probe.id, text: probe.text }
}

/** The same defect at the same text is the same finding, wherever a push has moved it. */
export const findingId = (path: string, quote: string, category: string): string =>
  digest([path, normal(quote), category]).slice(0, 12)

function standing(
  said: Answer['findings'][number],
  presented: Presented,
  { outcome, line }: Found,
  declined: ReadonlySet<string>,
  count: (what: 'contradicted' | 'declined') => void,
): Finding[] {
  const id = findingId(said.path, said.quote, said.category)
  const finding = { ...said, id, line, proven: outcome === 'verified' }
  if (said.level === 'question') return [finding]
  if (outcome !== 'verified') return []
  if (isContradicted(said, presented)) {
    count('contradicted')
    return []
  }
  if (declined.has(id)) {
    count('declined')
    return []
  }
  return said.failure_scenario.trim() === '' ? [{ ...finding, level: 'question' }] : [finding]
}

const leftover = new RegExp(['TO', 'DO|FIX', 'ME'].join(''), 'i')

/** A claim about something that is on record is not the model's to make. */
export function isContradicted({ claim }: { readonly claim: string }, { checks, files }: Presented): boolean {
  const saysTestsFail =
    /\b(?:tests?|checks?|build|lint)\b[^.]{0,20}\b(?:fails?|failing|failed|do(?:es)? not pass)\b/i.test(claim)
  if (saysTestsFail && checks.length > 0 && checks.every(({ state }) => state === 'passed')) return true
  const left = files.some(({ hunks }) =>
    hunks.some(({ lines }) => lines.some(({ sign, text }) => sign === '+' && leftover.test(text))),
  )
  return leftover.test(claim) && !left
}
