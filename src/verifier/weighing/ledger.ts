// Objections that are carried from push to push. One is closed by evidence or by a human, never by being forgotten: it
// stands as long as the text that it quotes stands in the head.
import type { Finding, LedgerItem, ProbeGrade } from '../../core/decision/examined.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import { findEvidence, stillThere, type Reach } from './evidence.ts'
import { isOfTask, type Objection } from './judge.ts'
import { isContradicted, type Reading, type Weighed } from './weigh.ts'

const ITEMS_MAX = 50

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
    open: inForce
      .filter(({ id }) => !declined.has(id))
      .slice(0, ITEMS_MAX)
      .map((item) => ({ ...item, status: 'open' })),
    overruled: inForce
      .filter(({ id, status }) => declined.has(id) && status === 'open')
      .slice(0, ITEMS_MAX)
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
}
export type Carried = { readonly ledger: readonly LedgerItem[]; readonly standing: readonly Objection[] }

export function carried({ items, readings, reach, unseen, sha }: Told, { probes }: Weighed): Carried {
  const ledger = items.map((item): LedgerItem => {
    const now = { ...item, last_sha: sha }
    const fixed = item.kind === 'probe' ? isMet(item, probes) : isFixed(item, readings, reach, unseen)
    if (fixed) return { ...now, status: 'fixed' }
    const why = whyWithdrawn(item, probes, readings)
    return why === null ? { ...now, status: 'open' } : { ...now, status: 'withdrawn', why }
  })
  const standing = ledger
    .filter(({ kind, status }) => kind === 'finding' && status === 'open')
    .map(({ id, claim, path, side, line, quote }): Objection => {
      const there = readings.some(({ presented }) => stillThere(path, side, quote, presented))
      return { id, proven: there, text: claim, category: 'other', path, line }
    })
  return { ledger, standing }
}

/** Under another contract the same id is another question. */
const isAsked = ({ id, claim }: LedgerItem, probe: ProbeGrade): boolean => probe.id === id && probe.text === claim

const isMet = (item: LedgerItem, probes: readonly ProbeGrade[]): boolean =>
  probes.some((probe) => isAsked(item, probe) && probe.answer === 'met')

/** Never because it was not raised again: silence closes nothing. */
function whyWithdrawn(
  item: LedgerItem,
  probes: readonly ProbeGrade[],
  readings: readonly Reading[],
): NonNullable<LedgerItem['why']> | null {
  if (item.kind === 'probe') return probes.some((probe) => isAsked(item, probe)) ? null : 'not_asked'
  const refuted = readings.length > 0 && readings.every(({ presented }) => isContradicted(item, presented))
  return refuted ? 'against_record' : null
}

function isFixed(
  { id, path, side, quote }: LedgerItem,
  readings: readonly Reading[],
  reach: Reach,
  unseen: readonly string[],
): boolean {
  const said = readings.some(({ answer, presented }) =>
    answer.open_items.some(
      (item) =>
        item.id === id &&
        item.status === 'fixed' &&
        item.evidence.some((one) => findEvidence(one, presented, reach).outcome === 'verified'),
    ),
  )
  const gone = !unseen.includes(path) && !readings.some(({ presented }) => stillThere(path, side, quote, presented))
  return said || gone
}

/** What this verdict leaves behind: carried items, and what it objects to for the first time. */
export function withNew(
  ledger: readonly LedgerItem[],
  findings: readonly Finding[],
  { probes, places }: Pick<Weighed, 'probes' | 'places'>,
  sha: string,
): LedgerItem[] {
  const at = { first_sha: sha, last_sha: sha, status: 'open' } as const
  const found = findings
    .filter(({ level }) => level === 'blocking')
    .map(({ id, path, side, line, quote, claim }): LedgerItem => ({
      id,
      kind: 'finding',
      path,
      side,
      line,
      quote,
      claim,
      ...at,
    }))
  const unmet = probes
    .filter(({ answer, id }) => answer === 'not_met' && isOfTask({ id }))
    .map(({ id, text }): LedgerItem => {
      const { path, side, line, quote } = places.get(id) ?? { path: '', side: 'new', line: 0, quote: '' }
      return { id, kind: 'probe', path, side, line, quote, claim: text, ...at }
    })
  const known = new Map(ledger.map((item) => [item.id, item]))
  for (const item of [...found, ...unmet]) {
    const before = known.get(item.id)
    known.set(item.id, before === undefined ? item : { ...before, last_sha: sha, status: 'open' })
  }
  return [...known.values()]
}
