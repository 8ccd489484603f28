// What a model said, after its proof was looked for: each question has one answer, each finding stands or is doubted with
// a reason. Repairs only make an answer worse, and no objection with a quote that is there is dropped for its words.
import { digest } from '../../core/canonical.ts'
import type { Finding, ProbeGrade } from '../../core/decision/examined.ts'
import type { Answer, Evidence } from './answer.ts'
import { checkMeant, findEvidence, normal, type Found, type Outcome, type Presented, type Reach } from './evidence.ts'
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
  /** Findings that claim to block, and whose quote is nowhere. */
  readonly unfound: readonly Finding[]
  readonly dropped: Readonly<Record<string, number>>
  readonly evidence: { readonly verified: number; readonly given: number }
}
/** Looks for a quote of one reading, and counts how that ended. */
type Look = (evidence: Evidence) => Found

export function weigh(readings: readonly Reading[], weighing: Weighing): Weighed {
  const tally = new Map<Outcome | 'declined', number>()
  const count = (what: Outcome | 'declined'): void => void tally.set(what, (tally.get(what) ?? 0) + 1)
  const lookIn =
    (presented: Presented): Look =>
    (one) => {
      const found = findEvidence(one, presented, weighing.reach)
      count(found.outcome)
      return found
    }
  const graded = weighing.probes.map((probe) => {
    const grades = readings.map(({ answer, presented }): Graded => {
      const look = withoutFlagged(lookIn(presented), flaggedIn(answer, presented))
      const own = answer.probes.filter(({ id }) => id === probe.id)
      return worst(own.map((one) => gradeOf(probe, one, presented, weighing.whole, look))) ?? silent(probe)
    })
    return merged(probe, grades)
  })
  const weighed = readings.flatMap(({ answer, presented }) =>
    answer.findings.map((one) => ({ said: one, finding: findingOf(one, lookIn(presented)(one)) })),
  )
  const raised = weighed.filter(({ finding }) => {
    const isDeclined = finding.proven && finding.level === 'blocking' && weighing.declined.has(finding.id)
    if (isDeclined) count('declined')
    return !isDeclined
  })
  const verified = tally.get('verified') ?? 0
  const dropped = Object.fromEntries([...tally].filter(([what]) => what !== 'verified'))
  const given = [...tally].reduce((sum, [what, times]) => (what === 'declined' ? sum : sum + times), 0)
  const unfound = raised.filter(({ said, finding }) => said.level === 'blocking' && !finding.proven)
  return {
    probes: graded.map(({ grade }) => grade),
    places: new Map(graded.flatMap(({ grade, place }) => (place === null ? [] : [[grade.id, place] as const]))),
    findings: unique(raised.map(({ finding }) => finding)),
    unfound: unique(unfound.map(({ finding }) => finding)),
    dropped,
    evidence: { verified, given },
  }
}

/** Text that speaks to its reviewer, as the answer itself says: no line of it proves anything. */
function flaggedIn({ suspicious_text }: Answer, presented: Presented): ReadonlySet<string> {
  const found = suspicious_text.map((one) => ({ path: one.path, ...findEvidence(one, presented) }))
  return new Set(found.filter(({ outcome }) => outcome === 'verified').map(({ path, line }) => `${path}:${line}`))
}

const withoutFlagged =
  (look: Look, flagged: ReadonlySet<string>): Look =>
  (one) => {
    const found = look(one)
    return flagged.has(`${one.path}:${found.line}`) ? { ...found, proves: false } : found
  }

type Said = Answer['probes'][number]
/** An answer, and where what carries it stands. */
type Graded = { readonly grade: ProbeGrade; readonly place: Place | null }

const silent = ({ id, text }: AtomicProbe): Graded => ({
  grade: { id, text, answer: 'cannot_tell', proven: false, why: 'not answered' },
  place: null,
})

function gradeOf(probe: AtomicProbe, said: Said, presented: Presented, whole: boolean, look: Look): Graded {
  const found = said.evidence.map((one) => ({ ...one, found: look(one) }))
  const there = found.find((one) => one.found.outcome === 'verified')
  const proof = found.find((one) => one.found.outcome === 'verified' && one.found.proves)
  const meant = new Set(said.evidence.map((one) => checkMeant(one, presented)))
  const failed = presented.checks.some(
    ({ name, state }) => meant.has(name) && state !== 'passed' && state !== 'running',
  )
  const grade = (answer: ProbeGrade['answer'], by: (typeof found)[number] | null, proven = by !== null): Graded => ({
    grade: { id: probe.id, text: probe.text, answer, proven, why: said.why },
    place: by === null ? null : { path: by.path, line: by.found.line, quote: by.quote, side: by.side },
  })
  // What the record says about a check stands, whatever is claimed of it.
  if (said.answer === 'met' && failed) return grade('not_met', there ?? null, true)
  switch (said.answer) {
    case 'met':
      // A yes shows what it found, or where it looked and found nothing.
      if (proof === undefined) return grade('cannot_tell', null)
      return probe.polarity === 'presence' || whole ? grade('met', proof) : grade('cannot_tell', null)
    case 'not_met':
      if (there !== undefined) return grade('not_met', there)
      return grade(probe.polarity === 'presence' ? 'not_met' : 'cannot_tell', null)
    case 'not_applicable':
      return grade(probe.source !== 'rubric' && !probe.conditional ? 'cannot_tell' : 'not_applicable', null)
    case 'cannot_tell':
      return grade('cannot_tell', null)
  }
}

const badness = { met: 0, not_applicable: 1, cannot_tell: 2, not_met: 3 } as const

/** A question answered twice has the worse answer. */
const worst = (grades: readonly Graded[]): Graded | undefined =>
  grades.toSorted(
    ({ grade: one }, { grade: other }) =>
      badness[other.answer] - badness[one.answer] || Number(other.proven) - Number(one.proven),
  )[0]

/**
 * Several pieces of one change: what is wanted may stand in any of them, what is not wanted must stand in none. A no that
 * is proven in one piece is no less so for a yes in another.
 */
function merged(probe: AtomicProbe, grades: readonly Graded[]): Graded {
  const proven = grades.find(({ grade }) => grade.answer === 'not_met' && grade.proven)
  if (proven !== undefined) return proven
  const order =
    probe.polarity === 'presence'
      ? (['met', 'cannot_tell', 'not_met', 'not_applicable'] as const)
      : (['not_met', 'cannot_tell', 'met', 'not_applicable'] as const)
  for (const answer of order) {
    const first = grades.find(({ grade }) => grade.answer === answer)
    if (first !== undefined) return first
  }
  return silent(probe)
}

/** The same defect at the same text is the same finding, wherever a push has moved it. */
export const findingId = (path: string, quote: string, category: string): string =>
  digest([path, normal(quote), category]).slice(0, 12)

/** A claim to block without a scenario, or with a quote that is nowhere, is a question to people. */
function findingOf(said: Answer['findings'][number], { outcome, line }: Found): Finding {
  const proven = outcome === 'verified'
  const blocks = said.level === 'blocking' && proven && said.failure_scenario.trim() !== ''
  const id = findingId(said.path, said.quote, said.category)
  return { ...said, id, line, proven, level: blocks ? 'blocking' : 'question' }
}

/** Said twice, the graver word counts. */
function unique(findings: readonly Finding[]): Finding[] {
  const known = new Map<string, Finding>()
  for (const finding of findings) {
    const before = known.get(finding.id)
    if (before === undefined || (before.level === 'question' && finding.level === 'blocking'))
      known.set(finding.id, finding)
  }
  return [...known.values()]
}

/** What the results on record say about a claim; it is shown beside the claim, and never instead of it. */
export function recordOn(claim: string, { checks }: Presented): string | null {
  const saysTestsFail =
    /\b(?:tests?|checks?|build|lint)\b[^.]{0,20}\b(?:fails?|failing|failed|do(?:es)? not pass)\b/i.test(claim)
  const passed = checks.length > 0 && checks.every(({ state }) => state === 'passed')
  return saysTestsFail && passed ? 'every check on record passed' : null
}
