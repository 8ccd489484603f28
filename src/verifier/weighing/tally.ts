// Several votes become one verdict. Who failed to answer did not vote; a division goes to a human; a task is stopped only
// when two voters prove the same thing, or one proves what a deterministic check found too.
import type { Finding } from '../../core/decision/examined.ts'
import type { ReferReason, UnavailableReason } from '../../core/decision/verdict.ts'
import type { Hit } from '../change/change.ts'
import type { Objection } from './judge.ts'

export type Vote = {
  readonly n: number
  readonly outcome: 'PASS' | 'SOFT_FAIL' | 'HARD_FAIL' | 'REFER'
  readonly reason: ReferReason | null
  readonly objections: readonly Objection[]
}
export type FailedVote = {
  readonly n: number
  readonly outcome: 'FAILED'
  readonly cause: { readonly refer: ReferReason } | { readonly unavailable: UnavailableReason }
}
export type Tally =
  | {
      readonly outcome: 'PASS' | 'SOFT_FAIL' | 'HARD_FAIL' | 'REFER'
      readonly reason: ReferReason | null
      readonly pass: number
      readonly valid: number
      readonly downgraded: boolean
    }
  | { readonly outcome: 'UNAVAILABLE'; readonly pass: number; readonly valid: number }

export const divergent = 'Divergent verification — flagged for human review'
const LINES_APART_MAX = 3

export function tallyVotes(votes: readonly (Vote | FailedVote)[], planned: number, hits: readonly Hit[]): Tally {
  const cast = votes.filter((vote): vote is Vote => vote.outcome !== 'FAILED')
  const failed = votes.filter((vote): vote is FailedVote => vote.outcome === 'FAILED')
  const valid = cast.length
  const pass = cast.filter(({ outcome }) => outcome === 'PASS').length
  const candidates = cast.filter(({ outcome }) => outcome === 'HARD_FAIL')
  const end = (
    outcome: Vote['outcome'],
    reason: ReferReason | null = null,
    downgraded = candidates.length > 0,
  ): Tally => ({
    outcome,
    reason,
    pass,
    valid,
    downgraded,
  })
  if (valid <= planned / 2) return withoutQuorum(failed, pass, valid)
  if (isConfirmed(candidates, hits)) return end('HARD_FAIL', null, false)
  if (pass === 0) {
    const objects = cast.some(({ outcome }) => outcome !== 'REFER')
    return objects ? end('SOFT_FAIL') : end('REFER', cast[0]?.reason ?? null)
  }
  // Whoever did not vote is no yes: more than half of those that were planned have to pass.
  if (pass <= planned / 2) return end('REFER', 'divergence')
  const proven = cast.some(({ outcome, objections }) => outcome !== 'PASS' && objections.some((one) => one.proven))
  return proven ? end('REFER', 'proven_dissent') : end('PASS')
}

/** An outage among the causes means that asking again may help; otherwise a human has to look. */
function withoutQuorum(failed: readonly FailedVote[], pass: number, valid: number): Tally {
  const refused = failed.flatMap(({ cause }) => ('refer' in cause ? [cause.refer] : []))
  const [reason] = refused
  if (reason === undefined || refused.length < failed.length) return { outcome: 'UNAVAILABLE', pass, valid }
  return { outcome: 'REFER', reason, pass, valid, downgraded: false }
}

export function isConfirmed(candidates: readonly Vote[], hits: readonly Hit[]): boolean {
  const proven = candidates.map(({ objections }) => objections.filter((one) => one.proven))
  const seen = new Set<string>()
  for (const objections of proven) {
    const ids = new Set(objections.map(({ id }) => id))
    if ([...ids].some((id) => seen.has(id))) return true
    for (const id of ids) seen.add(id)
  }
  return proven.flat().some((objection) => hits.some((hit) => backs(hit, objection)))
}

const kindsOf = {
  secret: ['security'],
  weakened_test: ['test', 'contract'],
  hidden_text: ['security'],
  syntax: ['correctness'],
  addressed: [],
} as const satisfies Record<Hit['kind'], readonly Finding['category'][]>

function backs(hit: Hit, { path, line, category }: Objection): boolean {
  const kinds: readonly string[] = kindsOf[hit.kind]
  return path === hit.path && line !== null && Math.abs(line - hit.line) <= LINES_APART_MAX && kinds.includes(category)
}
