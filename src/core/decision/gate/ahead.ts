// Pull requests that came before another one and write the same places. The lower number came first: that is so for everybody who
// looks, in whichever order they heard of the two.
import type { PullAhead } from '../ahead.ts'
import type { Attempt, TaskState } from '../model.ts'
import type { Reason, Warning } from '../decision.ts'
import type { Facts } from './facts.ts'
import { isUnasked, movedTo } from './taken-up.ts'

/** The policy wants to know who is ahead of it. */
export const asksWhoIsAhead = ({ contract, live, group }: Attempt): boolean =>
  live && group === null && contract.policy.scope.parallel !== 'off'

export const isBehind = (attempt: Attempt): boolean => asksWhoIsAhead(attempt) && attempt.ahead.pulls.length > 0

/** Open, ready, into the same branch, and asked for: what a guest opened is in nobody's way until somebody takes it up. */
export const mayBeAhead = (task: TaskState, one: Attempt, of: Attempt): boolean =>
  one.live &&
  one.group === null &&
  one.pull < of.pull &&
  one.merges_into === of.merges_into &&
  movedTo(task) === null &&
  !isUnasked(task, one)

/** What an override covers that lets it pass before this one. */
export const aheadSubject = ({ pull }: Pick<PullAhead, 'pull'>): string => `ahead:${pull}`

/** Those that it waits for. */
export function waitedFor({ policy, attempt, cover }: Pick<Facts, 'policy' | 'attempt' | 'cover'>): PullAhead[] {
  if (policy.scope.parallel !== 'hold') return []
  return attempt.ahead.pulls.filter((one) => cover(aheadSubject(one), null) === null)
}

export const aheadReasons = (facts: Facts): Reason[] =>
  waitedFor(facts).map((one) => ({ code: 'awaiting_pull', subject: String(one.pull), detail: placesOf(one) }))

/** Said once: whoever is waited for stands among the reasons. */
export function aheadWarnings({ policy, attempt: { ahead } }: Facts, isWaiting: boolean): Warning[] {
  if (policy.scope.parallel === 'off') return []
  const before = isWaiting ? [] : ahead.pulls
  return [
    ...before.map((one) => ({ code: 'pull_ahead', subject: String(one.pull), detail: placesOf(one) }) as const),
    ...ahead.gone.map((pull) => ({ code: 'way_free', subject: String(pull), detail: null }) as const),
  ]
}

/** Null where it only may write the same. */
const placesOf = ({ paths, more }: PullAhead): string | null =>
  paths.length === 0 ? null : `${paths.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
