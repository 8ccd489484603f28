// Objections that are carried from push to push. One is closed by evidence about its own lines or by a human, never by
// being forgotten, worded otherwise, or moved.
import type { Finding, LedgerItem, ProbeGrade } from '../../core/decision/examined.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import type { Reach } from './evidence.ts'
import type { Objection } from './judge.ts'
import { raisedOn, repairs, whereabouts, type Whereabouts } from './repair.ts'
import type { Reading, Weighed } from './weigh.ts'

/** More than that are carried, and not put to a reader: they stand or fall by their lines. */
const ASKED_MAX = 50
export const askedAbout = (items: readonly LedgerItem[]): readonly LedgerItem[] => items.slice(0, ASKED_MAX)

export type Left = {
  readonly open: readonly LedgerItem[]
  /** Closed by a human since the last verdict. */
  readonly overruled: readonly LedgerItem[]
  /** Findings that are not raised again. */
  readonly declined: ReadonlySet<string>
}

/** What earlier heads of this pull request left behind. An override that is taken back opens again what it closed. */
export function leftBy(task: TaskState, attempt: Attempt): Left {
  const latest = new Map<string, LedgerItem>()
  const declined = new Set<string>()
  for (const earlier of task.attempts) {
    if (earlier.id === attempt.id || earlier.pull !== attempt.pull || earlier.verifier.phase !== 'answered') continue
    const overruled = earlier.acts.some(({ type, standing }) => type === 'VERIFIER_OVERRIDE' && standing !== 'revoked')
    for (const item of earlier.verifier.examined?.ledger ?? []) {
      latest.set(item.id, item)
      if (item.status !== 'open') continue
      if (overruled) declined.add(item.id)
      // A question that is answered with no once more has not been overruled again.
      else if (item.kind === 'probe' && item.first_sha === earlier.head_sha) declined.delete(item.id)
    }
  }
  const inForce = [...latest.values()].filter(({ status }) => status === 'open' || status === 'overridden')
  return {
    open: inForce.filter(({ id }) => !declined.has(id)).map((item) => ({ ...item, status: 'open' })),
    overruled: inForce
      .filter(({ id, status }) => declined.has(id) && status === 'open')
      .map((item) => ({ ...item, last_sha: attempt.head_sha, status: 'overridden' })),
    declined,
  }
}

type Told = {
  readonly items: readonly LedgerItem[]
  readonly readings: readonly Reading[]
  readonly reach: Reach
  /** Files of which something was not shown: nobody can say that a quote is gone from them. */
  readonly unseen: readonly string[]
  readonly sha: string
  readonly contract: string
}
export type Carried = { readonly ledger: readonly LedgerItem[]; readonly standing: readonly Objection[] }

export function carried(told: Told, { probes, places }: Pick<Weighed, 'probes' | 'places'>): Carried {
  const files = told.readings.flatMap(({ presented }) => presented.files)
  const followed = told.items.map((item) => {
    const where = whereabouts(item, files, told.unseen)
    const status = statusOf(item, where, told, { probes, places })
    return { item: { ...item, last_sha: told.sha, ...status }, where }
  })
  const standing = followed
    .filter(({ item }) => item.status === 'open' && (item.kind === 'finding' || item.quote !== ''))
    .map(({ item: { id, claim, path, line }, where }): Objection => {
      const [text, category] = [claim, 'other'] as const
      if (where.state !== 'there') return { id, proven: false, text, category, path, line }
      return { id, proven: true, text, category, path: where.path, line: where.path === path ? line : where.line }
    })
  return { ledger: followed.map(({ item }) => item), standing }
}

/** Under another contract the same id is another question. */
const isAsked = ({ id, claim }: LedgerItem, probe: ProbeGrade): boolean => probe.id === id && probe.text === claim

/** Never closed because it was not raised again: silence closes nothing. */
function statusOf(
  item: LedgerItem,
  where: Whereabouts,
  told: Told,
  { probes, places }: Pick<Weighed, 'probes' | 'places'>,
): Pick<LedgerItem, 'status'> & { readonly why?: 'not_asked' } {
  const fixed = isFixed(item, where, told)
  if (item.kind === 'finding') return { status: fixed ? 'fixed' : 'open' }
  const asked = probes.find((probe) => isAsked(item, probe))
  // Whoever words the same contract otherwise has answered nothing.
  if (asked === undefined && item.raised?.contract !== told.contract) return { status: 'withdrawn', why: 'not_asked' }
  if (asked !== undefined && asked.answer !== 'met') return { status: 'open' }
  const shown = places.get(item.id)
  const byAnswer =
    shown !== undefined && told.readings.some((one) => repairs(item, shown, one.presented, where, told.reach))
  const bare = asked !== undefined && item.quote === ''
  return { status: fixed || byAnswer || bare ? 'fixed' : 'open' }
}

/** By code in its place, or since its lines are no more and nobody says that this repairs nothing. */
function isFixed(item: LedgerItem, where: Whereabouts, { readings, reach }: Told): boolean {
  const said = readings.flatMap(({ answer, presented }) =>
    answer.open_items.filter(({ id }) => id === item.id).map((one) => ({ ...one, presented })),
  )
  const shown = said.some(
    ({ status, evidence, presented }) =>
      status === 'fixed' && evidence.some((one) => repairs(item, one, presented, where, reach)),
  )
  return shown || (where.state === 'gone' && said.every(({ status }) => status === 'fixed'))
}

type Objecting = {
  readonly findings: readonly Finding[]
  readonly weighed: Pick<Weighed, 'probes' | 'places'>
  readonly objections: readonly Objection[]
  readonly readings: readonly Reading[]
  readonly sha: string
  readonly contract: string
}

/** What one vote objects to, as it is left to the next push: findings, questions answered with no, and mere advice. */
export function raisedBy({ findings, weighed, objections, readings, sha, contract }: Objecting): LedgerItem[] {
  const at = { first_sha: sha, last_sha: sha, status: 'open' } as const
  const presented = {
    files: readings.flatMap((one) => one.presented.files),
    around: readings.flatMap((one) => one.presented.around ?? []),
    checks: readings.flatMap((one) => one.presented.checks),
  }
  const isObjected = (id: string): boolean => objections.some((one) => one.id === id)
  const found = findings
    .filter(({ level }) => level === 'blocking')
    .map((finding): LedgerItem => {
      const { id, path, side, line, quote, claim } = finding
      return {
        id,
        kind: 'finding',
        path,
        side,
        line,
        quote,
        claim,
        raised: raisedOn(finding, presented, contract),
        ...at,
      }
    })
  const unmet = weighed.probes
    .filter(({ id, answer }) => answer === 'not_met' && (isObjected(id) || isObjected('score')))
    .map(({ id, text: claim }): LedgerItem => {
      const place = weighed.places.get(id) ?? { path: '', side: 'new', line: 0, quote: '' }
      return { id, kind: 'probe', ...place, claim, raised: raisedOn(place, presented, contract), ...at }
    })
  const advice = objections
    .filter(({ category }) => category === 'advice')
    .map(({ id, text: claim }): LedgerItem => {
      return { id, kind: 'finding', path: '', side: 'new', line: 0, quote: '', claim, ...at }
    })
  return [...found, ...unmet, ...advice]
}

/** What this verdict leaves behind: carried items, and what it objects to for the first time. */
export function withNew(ledger: readonly LedgerItem[], raised: readonly LedgerItem[], sha: string): LedgerItem[] {
  const known = new Map(ledger.map((item) => [item.id, item]))
  for (const item of raised) {
    const before = known.get(item.id)
    known.set(item.id, before === undefined ? item : { ...before, last_sha: sha, status: 'open' })
  }
  return [...known.values()]
}
