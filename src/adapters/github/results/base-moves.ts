// Since when a pull request has the base that it has. What was found out about its commit before was about another base.
// Nobody may have told of a move there and back, so GitHub's own list of them is read.
// https://docs.github.com/en/rest/using-the-rest-api/issue-event-types
import { z } from 'zod'
import type { Attempt } from '../../../core/decision/model.ts'
import { runAnew } from '../../../core/decision/results/handed-over.ts'
import { isFromBefore } from '../../../core/as-of.ts'
import { NotShownYet, type PullNow } from '../../../ports.ts'
import type { Access } from '../access.ts'
import { newestPages, PER_PAGE } from '../pages.ts'
import { stateOf } from '../pulls/pulls.ts'
import { isBefore } from './runs.ts'

const PAGES_MAX = 10

export type Bases = {
  /** When a pull request got another base, also while it was a draft and nobody looked. */
  readonly moves: (pull: number) => Promise<readonly string[]>
  /** Also of a draft and of a closed one, which are reported on as well and may come back; null of a merged one. */
  readonly now: (pull: number) => Promise<PullNow | null>
}

/** Asks for each once, so it is made for one reading of results. */
export const basesOf = (access: Access): Bases => ({
  moves: once((pull: number) => baseMoves(access, pull)),
  now: once(async (pull: number) => {
    const state = await stateOf(access, pull)
    return state.kind === 'merged' ? null : state.now
  }),
})

export function once<K, T>(ask: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const asked = new Map<K, Promise<T>>()
  return (key) => {
    const answer = asked.get(key) ?? ask(key)
    asked.set(key, answer)
    return answer
  }
}

/** `at`: when it began. `ended`: its end, as it would stand on record; null where it goes on and decides nothing. */
export type Reported = { readonly at: string | null | undefined; readonly ended: string | null }

/** Why what was reported on a commit is not about the base of an attempt, in words; null where it is. */
export async function ofOtherBase(
  { moves, now }: Bases,
  attempt: Attempt,
  check: string,
  { at, ended }: Reported,
): Promise<string | null> {
  const isOld = isBefore(at, attempt)
  if (isOld && !isHeardOf(attempt)) return isOfOldBase(attempt)
  const isUnasked = attempt.group !== null || ended === null || isOnRecord(attempt, check, ended)
  if (!isOld && isUnasked) return null
  const listed = await moves(attempt.pull)
  if (!isOld && listed.length === 0) return null
  const moved = knownMoves(attempt, listed)
  if (isOfBaseBefore(attempt, moved, at)) return isOfOldBase(attempt)
  // Whoever asks may not have heard of the last of them yet.
  const there = await now(attempt.pull)
  return there === null ? null : otherBase(moved, attempt, there)
}

/** It was about this base when it was heard. Where that was another one for a while, it is asked again. */
const isOnRecord = ({ checks, results_since }: Attempt, check: string, ended: string): boolean =>
  results_since === null && checks[check]?.id === ended

type At = string | null | undefined

/** Those that GitHub lists, and those that were told, which its list may not show yet. */
export const knownMoves = ({ left = [], results_since }: Attempt, listed: readonly string[]): readonly string[] => [
  ...listed,
  ...left,
  ...(results_since === null ? [] : [results_since]),
]

/** Whether results of an attempt that had another base for a while are on record. They count, so what came after them does. */
export const isHeardOf = (attempt: Attempt): boolean => endsOf(attempt).length > 0

/**
 * Whether what began then may be about a base that the pull request had before. It is about the one that it has where no move lies
 * between it and something that is on record as found out about this one.
 */
export function isOfBaseBefore(attempt: Attempt, moves: readonly string[], at: At): boolean {
  const time = Date.parse(at ?? '')
  const isThenToo = (end: string): boolean =>
    Date.parse(end) <= time && !moves.some((move) => Date.parse(end) <= Date.parse(move) && Date.parse(move) <= time)
  return hasMovedSince(moves, at) && !endsOf(attempt).some(isThenToo)
}

/** GitHub tells seconds, so what is of the same one may have been before. */
const hasMovedSince = (moves: readonly string[], at: At): boolean =>
  moves.some((move) => !(Date.parse(move) < Date.parse(at ?? '')))

const endsOf = ({ checks, tier1 }: Attempt): readonly string[] =>
  [...Object.values(checks), ...(tier1 === null ? [] : [tier1])].flatMap(({ ended_at }) => ended_at ?? [])

/**
 * Where the base is another one than an attempt has, in words. A pull request that is from before its last move does not say,
 * nor does one that contradicts what was heard and is no newer. What was put aside heard nothing since, so nothing of it is contradicted.
 */
export function otherBase(
  moves: readonly string[],
  { pull, merges_into, head_at, live }: Attempt,
  { merges_into: base, updated_at }: Pick<PullNow, 'merges_into' | 'updated_at'>,
): string | null {
  const isOld = moves.some((move) => isFromBefore(updated_at, move))
  if (isOld || (live && base !== merges_into && !isFromBefore(head_at, updated_at)))
    throw new NotShownYet(`GitHub does not show pull request ${pull} yet with its last base`)
  return base === merges_into ? null : `the base is \`${base}\` by now`
}

export const isOfOldBase = ({ base_ref }: Attempt): string =>
  `it began before the base became \`${base_ref}\`: ${runAnew}`

const events = z.array(z.object({ event: z.string(), created_at: z.string().default('') }))
const moving = ['base_ref_changed', 'automatic_base_change_succeeded']

async function baseMoves({ octokit, place }: Access, issue_number: number): Promise<readonly string[]> {
  const asked = { ...place, issue_number, per_page: PER_PAGE }
  const { rows, cut } = await newestPages(PAGES_MAX, (page) => octokit.rest.issues.listEvents({ ...asked, page }))
  // It may have moved just before the oldest of them.
  const moves = events.parse(rows).filter(({ event }, index) => moving.includes(event) || (cut && index === 0))
  return moves.map(({ created_at }) => created_at)
}
