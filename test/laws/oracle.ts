// Who may be green, by the words of the design and by nothing else: an independent memory of what happened, which knows no
// events and no rules of the product. It says when green is allowed, never when it is owed.
import type { Base, CommandName, Rules, Step } from './steps.ts'

export type Someone = {
  readonly id: number
  readonly permission: 'read' | 'write' | 'maintain' | 'admin'
  readonly kind: 'human' | 'bot'
}
const rank = { read: 0, write: 1, maintain: 2, admin: 3 } as const
const atLeast = (one: Someone, needs: keyof typeof rank): boolean => rank[one.permission] >= rank[needs]

type Tree = number
type Place = { readonly sha: string; readonly tree: Tree; readonly base: Base }
type Covered = { readonly subject: string; readonly run: string | null }
type Deed = {
  readonly by: Someone
  readonly nth: number
  readonly pull: number
  readonly place: Place
  readonly what: 'override' | 'approve' | 'reject' | 'ack'
  readonly label: string | null
  readonly covers: readonly Covered[]
  standing: boolean
}
type Reviewed = { readonly by: Someone; readonly nth: number; readonly pull: number; readonly place: Place; readonly approves: boolean; readonly counted: boolean; readonly referred: boolean; standing: boolean } // prettier-ignore
type Found = {
  files: string | null
  tier1: { passed: boolean; run: string } | null
  check: { state: string; run: string } | null
  verdict: { outcome: string; sure: boolean } | null
  shown: boolean
  known: boolean
  readonly makers: Set<number>
  confirmed: boolean
  hard: boolean
}
type Pull = { place: Place | null; open: boolean; readonly found: Map<string, Found> }

const keyOf = ({ sha, base }: Place): string => `${sha} ${base}`

export function anOracle(rules: Rules, everybody: readonly Someone[]) {
  const pulls = new Map<number, Pull>()
  const deeds: Deed[] = []
  const reviews: Reviewed[] = []
  const labels: { who: Someone; pull: number; key: string; act: string }[] = []
  const approvers: { readonly who: Someone; readonly pull: number }[] = []
  let nth = 0
  const pullOf = (number: number): Pull => {
    const known = pulls.get(number) ?? { place: null, open: false, found: new Map() }
    pulls.set(number, known)
    return known
  }
  const foundAt = (pull: Pull, place: Place): Found => {
    const known = pull.found.get(keyOf(place)) ?? {
      files: null, tier1: null, check: null, verdict: null, shown: false, known: true, makers: new Set<number>(), confirmed: false, hard: false,
    } // prettier-ignore
    pull.found.set(keyOf(place), known)
    return known
  }
  /** Tasks share makers: the first two pull requests are of one issue. */
  const task = (number: number): readonly number[] => (number === 3 ? [3] : [1, 2])
  const makersOf = (number: number): Set<number> => {
    const all = task(number).flatMap((one) => [...pullOf(one).found.values()].flatMap(({ makers }) => [...makers]))
    return new Set(all)
  }
  const isMaker = (who: Someone, number: number): boolean => makersOf(number).has(who.id)
  /** Whoever approved one task may confirm another. */
  const hasApproved = (who: Someone, number: number): boolean =>
    approvers.some((one) => one.who.id === who.id && task(number).includes(one.pull))
  const rejectionsOf = (tree: Tree): Deed[] =>
    deeds.filter(({ what, place }) => what === 'reject' && place.tree === tree)
  const voidBefore = (tree: Tree): number => Math.max(0, ...rejectionsOf(tree).map((one) => one.nth))

  /** What humans allowed for this very place, by people who are none of its makers now, and that nothing has voided. */
  const allowed = (number: number, place: Place): Deed[] => {
    const own = foundAt(pullOf(number), place).makers
    return deeds.filter(
      (one) => one.standing && one.what !== 'reject' && one.pull === number && keyOf(one.place) === keyOf(place) && !own.has(one.by.id),
    ) // prettier-ignore
  }
  const covers = (all: readonly Deed[], subject: string, run: string | null): boolean =>
    all.some((one) =>
      one.covers.some((cover) => cover.subject === subject && (cover.run === null || cover.run === run)),
    )

  function isRejected(number: number, place: Place): boolean {
    const overruling = allowed(number, place).filter(({ what }) => what === 'override' || what === 'approve')
    return rejectionsOf(place.tree).some(
      (one) =>
        one.standing &&
        !overruling.some((other) => other.nth > one.nth && rank[other.by.permission] > rank[one.by.permission]),
    )
  }

  const isProposal = ({ base }: Place): boolean => rules.proposes && base === 'main'
  /** What an act takes: where no base says so, an admin. */
  const needs = (place: Place): 'maintain' | 'admin' => (isProposal(place) ? 'admin' : 'maintain')

  function mayBeGreen(number: number): string | null {
    const pull = pullOf(number)
    const { place } = pull
    if (place === null || !pull.open) return 'it is not open'
    const found = foundAt(pull, place)
    const acts = allowed(number, place)
    const acked = (subject: string): boolean => covers(acts, subject, null)
    if (isProposal(place) && !acked('proposal')) return 'no admin acknowledged the policy that it brings along'
    if (isRejected(number, place)) return 'somebody rejected this tree'
    const approved = acts.some(({ what, nth: at }) => what === 'approve' && at > voidBefore(place.tree))
    if (approved && (found.known || acked('protected'))) return null
    if (found.files === null) return 'its files are not known'
    if (found.files === 'outside' && !acked('scope')) return 'it is out of scope'
    if ((found.files === 'protected' || found.files === 'cut' || !found.known) && !acked('protected')) return 'nobody acknowledged it' // prettier-ignore
    if (found.files === 'empty' && !covers(acts, 'tier1', 'empty')) return 'it changes nothing'
    if (found.files !== 'empty' && found.tier1?.passed !== true && !covers(acts, 'tier1', found.tier1?.run ?? 'none')) return 'tier 1 did not pass' // prettier-ignore
    const required = place.base === 'main'
    if (required && found.check?.state !== 'passed' && !covers(acts, 'check', found.check?.run ?? 'none')) return 'the check did not pass' // prettier-ignore
    const ownReviews = reviews.filter(
      (one) => one.standing && one.counted && one.pull === number && !found.makers.has(one.by.id),
    )
    const approvals = ownReviews.filter(
      (one) => one.approves && one.place.base === place.base && one.place.tree === place.tree && one.nth > voidBefore(place.tree),
    ) // prettier-ignore
    if (rules.verifier) {
      const { verdict } = found
      const overridden = covers(acts, 'verifier', verdict === null ? 'none' : 'v')
      const passes = verdict?.outcome === 'PASS' && verdict.sure
      const referred = verdict !== null && (verdict.outcome === 'REFER' || !verdict.sure)
      const resolved = referred && approvals.some((one) => one.referred && one.place.sha === place.sha)
      if (!overridden && !passes && !resolved) return 'the verifier does not pass it'
    } else if (!required && !acts.some(({ what }) => what === 'override')) return 'nothing judges it'
    if (ownReviews.some((one) => !one.approves && one.place.sha !== place.sha)) return 'changes are requested'
    if (rules.requires !== 'success' && approvals.length === 0) return 'an approval is missing'
    if (rules.requires === 'verified' && !found.confirmed) return 'nobody confirmed it'
    return null
  }

  return { mayBeGreen, isProposal, needs, pullOf, foundAt, deeds, reviews, labels, approvers, hasApproved, isMaker, isRejected, allowed, covers, rejectionsOf, next: () => (nth += 1), everybody, rules } // prettier-ignore
}
export type Oracle = ReturnType<typeof anOracle>
export type { CommandName, Place, Step }
export { atLeast, keyOf, rank }
