// Tier 2, one review, and tier 3, several that follow only where it passed. A task is stopped only with proof that
// something else confirms.
import type { OnTheWay } from '../../core/decision/record/on-the-way.ts'
import type { RawAnswer } from '../../core/decision/examined.ts'
import type { Hit } from '../../verifier/change/change.ts'
import { voteLenses } from '../../verifier/asking/role.ts'
import { isConfirmed, tallyVotes, type FailedVote, type Vote } from '../../verifier/weighing/tally.ts'
import type { Judged } from '../../verifier/weighing/testimony.ts'
import { tallied, tell, tierEvents, type Stage } from '../../verifier/weighing/verdict.ts'
import type { Chunk } from '../../verifier/change/pack.ts'
import { referWords } from '../../core/words/verifier-review.ts'
import type { Failure } from './failure.ts'
import { castVote, castVotes, type Ballot, type Cast, type Poll } from './voting.ts'

export type Staged = {
  readonly result: { readonly kind: 'staged'; readonly stage: Stage } | Failure
  readonly happened: readonly OnTheWay[]
  readonly raw: readonly RawAnswer[]
  readonly reused: boolean
  /** The pieces as they were shown in the end. */
  readonly chunks: readonly Chunk[]
}
type Ruled = Omit<Staged, 'chunks'>
export type Plan = {
  readonly tier: 2 | 3
  readonly votes: number
  readonly model: string
  readonly votesModels: readonly string[]
  readonly hits: readonly Hit[]
  readonly session: string
}

const primaryOf = ({ model }: Plan): Ballot => ({ n: 0, purpose: 'tier2', lens: 'neutral', model, remarks: [] })

const votesOf = (plan: Plan): Ballot[] =>
  Array.from({ length: plan.tier === 3 ? plan.votes : 0 }, (_, index): Ballot => ({
    n: index + 1,
    purpose: 'vote',
    lens: voteLenses[index % voteLenses.length] ?? 'neutral',
    model: plan.votesModels[index % Math.max(1, plan.votesModels.length)] ?? plan.model,
    remarks: [],
  }))

/** Everything that will be asked if all goes well. */
export const ballotsOf = (plan: Plan): Ballot[] => [primaryOf(plan), ...votesOf(plan)]

export async function runStages(poll: Poll, plan: Plan): Promise<Staged> {
  const primary = primaryOf(plan)
  const first = await castVote(poll, primary)
  const { packed } = poll.brief
  if (first.kind !== 'cast') {
    const standing = first.kind === 'refer' ? first.standing : null
    return { ...unanswered(poll, plan, first, standing), raw: first.raw, reused: false, chunks: packed.chunks }
  }
  const { chunks } = first
  // Whoever comes later is shown what the first one asked for.
  const wide: Poll = { ...poll, brief: { ...poll.brief, packed: { ...packed, chunks } } }
  const second = await ruled(wide, plan, first)
  if (plan.tier < 3 || second.result.kind !== 'staged' || second.result.stage.outcome !== 'PASS')
    return { ...second, chunks }
  const third = await voted(wide, plan)
  return {
    result: third.result,
    happened: [...second.happened, ...third.happened],
    raw: [...second.raw, ...third.raw],
    reused: second.reused && third.reused,
    chunks,
  }
}

/** What is proven asks for a retry by itself, whoever gave no answer. */
export function unanswered(
  { context }: Pick<Poll, 'context'>,
  { session }: Pick<Plan, 'session'>,
  failure: Failure,
  standing: Judged | null,
): Pick<Staged, 'result' | 'happened'> {
  if (standing === null || failure.kind !== 'refer') return { result: failure, happened: [] }
  const { reason, detail } = failure
  const why = [referWords[reason], ...(detail === null ? [] : [detail])].join(': ')
  const told: Judged = { ...standing, remarks: [`Questions stayed open: ${why}.`, ...standing.remarks] }
  const stage: Stage = { tier: 2, outcome: 'SOFT_FAIL', reason: null, votes: null, judged: [told], told }
  return { result: { kind: 'staged', stage }, happened: tierEvents(stage, tell(stage, context), session) }
}

type CastVote = Extract<Cast, { kind: 'cast' }>

async function ruled(poll: Poll, plan: Plan, first: CastVote): Promise<Ruled> {
  const { judged, raw, reused } = first
  const end = (outcome: Judged['outcome'], happened: readonly OnTheWay[], more: readonly RawAnswer[] = []): Ruled => {
    const stage: Stage = {
      tier: 2,
      outcome,
      reason: outcome === 'REFER' ? judged.reason : null,
      votes: null,
      judged: [judged],
      told: judged,
    }
    const events = [...happened, ...tierEvents(stage, tell(stage, poll.context), plan.session)]
    return { result: { kind: 'staged', stage }, happened: events, raw: [...raw, ...more], reused }
  }
  if (judged.outcome !== 'HARD_FAIL') return end(judged.outcome, [])
  if (isConfirmed([voteOf(first)], plan.hits)) return end('HARD_FAIL', [])
  const remarks = judged.objections.filter(({ proven }) => proven).map(({ id, text }) => `${id}: ${text}`)
  const second = await castVote(poll, { n: 0, purpose: 'confirmation', lens: 'refute', model: plan.model, remarks })
  const more = second.raw
  const both = second.kind === 'cast' && second.judged.outcome === 'HARD_FAIL' ? [voteOf(first), voteOf(second)] : []
  return isConfirmed(both, plan.hits) ? end('HARD_FAIL', [], more) : end('SOFT_FAIL', [downgraded], more)
}

const downgraded: OnTheWay = {
  type: 'VerdictDowngraded',
  data: { from: 'HARD_FAIL', to: 'SOFT_FAIL', why: 'nothing else confirms it' },
}

async function voted(poll: Poll, plan: Plan): Promise<Ruled> {
  const cast = await castVotes(poll, votesOf(plan))
  const valid = cast.filter((vote): vote is CastVote => vote.kind === 'cast')
  const tally = tallyVotes(cast.map(voteOf), plan.votes, plan.hits)
  // A vote that cannot be paid for is not one that nobody wanted to cast.
  const unpaid = cast.find((one) => one.kind === 'refer' && one.reason === 'budget')
  const models = [...new Set(valid.map(({ model }) => model))]
  const happened: OnTheWay[] = [
    ...cast.map((one): OnTheWay => {
      const { n, lens, model } = one.ballot
      return {
        type: 'VoteCast',
        data: { n, lens, outcome: one.kind === 'cast' ? one.judged.outcome : one.kind, model },
      }
    }),
    tallied(tally, models, plan.votes),
  ]
  const raw = cast.flatMap((one) => one.raw)
  const reused = valid.length === cast.length && valid.every((one) => one.reused)
  if (unpaid?.kind === 'refer') return { result: unpaid, happened, raw, reused }
  if (tally.outcome === 'UNAVAILABLE')
    return { result: { kind: 'unavailable', reason: 'quorum' }, happened, raw, reused }
  const told = toldBy(valid, tally.outcome)
  // Without a quorum there may be no vote at all to tell of.
  if (told === null)
    return { result: { kind: 'refer', reason: tally.reason ?? 'divergence', detail: null }, happened, raw, reused }
  const { outcome, reason, pass } = tally
  const stage: Stage = {
    tier: 3,
    outcome,
    reason,
    votes: { pass, valid: tally.valid },
    judged: valid.map((one) => one.judged),
    told,
  }
  const events = [
    ...happened,
    ...(tally.downgraded ? [downgraded] : []),
    ...tierEvents(stage, tell(stage, poll.context), plan.session),
  ]
  return { result: { kind: 'staged', stage }, happened: events, raw, reused }
}

/** What people most need to read: whoever objects, where the outcome is not a pass. */
function toldBy(votes: readonly CastVote[], outcome: Judged['outcome']): Judged | null {
  const judged = votes.map((vote) => vote.judged)
  const agreeing = judged.find((one) => one.outcome === outcome)
  const proven = judged.find(({ objections }) => objections.some((one) => one.proven))
  const objecting = judged.find((one) => one.outcome !== 'PASS')
  return outcome === 'PASS' ? (agreeing ?? null) : (proven ?? objecting ?? judged[0] ?? null)
}

function voteOf(cast: CastVote): Vote
function voteOf(cast: Cast): Vote | FailedVote
function voteOf(cast: Cast): Vote | FailedVote {
  const { n } = cast.ballot
  if (cast.kind === 'cast') {
    const { outcome, reason, objections } = cast.judged
    return { n, outcome, reason, objections }
  }
  const cause = cast.kind === 'refer' ? { refer: cast.reason } : { unavailable: cast.reason }
  return { n, outcome: 'FAILED', cause }
}
