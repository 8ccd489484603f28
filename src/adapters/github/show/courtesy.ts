// What people are told beside the gate: comments, labels, reviews, reactions. Where GitHub refuses one of them for good, as
// in a locked conversation, that is noted and passed over. The check run is no courtesy: it is tried until it is shown.
// https://docs.github.com/en/communities/moderating-comments-and-conversations/locking-conversations
import type { Access } from '../access.ts'
import { statusOf } from '../status.ts'

/** Where something is that GitHub did not let us show. Something else is tried there again, the same thing is not. */
export const REFUSED = 'refused'

/** Asking again would be answered the same way; limits and outages have other signs. */
const forGood: readonly (number | null)[] = [403, 404, 410, 422]
export const isForGood = (error: unknown): boolean => forGood.includes(statusOf(error))

/** `instead` where GitHub refused for good. */
export async function courtesy<T, Instead>(
  { onRefused }: Pick<Access, 'onRefused'>,
  what: string,
  instead: Instead,
  work: () => Promise<T>,
): Promise<T | Instead> {
  try {
    return await work()
  } catch (error) {
    if (!isForGood(error)) throw error
    onRefused?.(what, error)
    return instead
  }
}
