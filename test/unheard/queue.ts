// A change in the merge queue. What GitHub is shown green there it merges at once; here it puts that back instead, so that the play
// goes on.
import { at, happened, headOf, isGreen, short, type Act, type Change } from './change.ts'

const robot = 'github-merge-queue[bot]'

/** Nothing is queued before it is green. */
export const joins: Act = (change, told) => {
  const { shop, pull, base, mate, roll } = change
  const head = headOf(change, pull)
  if (change.group !== null || change.isClosed || change.isDraft || !isGreen(change, head, base)) return null
  const isWith = base === 'main' && isGreen(change, mate.sha, base) && roll.chance() < 0.7
  return () => {
    const sha = shop.github.mergeGroup(shop.name, isWith ? [mate.pull, pull] : [pull], 'ada').headSha
    change.group = { sha, members: isWith ? [mate.sha, head] : [head], base }
    happened(change, told, `ada queues it${isWith ? ` with #${mate.pull}` : ''}: ${at(sha, base)}`)
  }
}

export const leaves: Act = (change, told) => (change.group === null ? null : () => queued(change, told))

export const inTheQueue = ({ group }: Change, then: (sha: string) => void): (() => void) | null =>
  group === null ? null : () => then(group.sha)

/** GitHub takes out what is pushed to, closed, made a draft or given another base. */
export function queued(change: Change, told: boolean): void {
  const { shop, group } = change
  if (group === null) return
  shop.github.endGroup(shop.name, group.sha, 'dequeued', robot)
  change.group = null
  happened(change, told, `${short(group.sha)} leaves the queue`)
}

/** Before anything else happens to it. */
export function putBack(change: Change): void {
  if (change.group !== null && isGreen(change, change.group.sha, change.group.base)) queued(change, true)
}
