// Which commit somebody had in front of them: a no is about that one, whatever is judged when it is heard. A draft, an end and another
// base change nothing of what is there.
import { isFromBefore } from '../as-of.ts'

/** A commit that is the head of a pull request from then on, until there is another one. Empty where nobody knows since when. */
type Head = { readonly sha: string; readonly since: string }
/** By pull request, one after the other. */
export type Heads = { readonly heads: Readonly<Record<string, readonly Head[]>> }

/**
 * The commits that may have been the head at that time, the newest last. Of one second there may be several,
 * and so there are where nobody knows when one took the place of the other.
 */
export function inFrontAt({ heads }: Heads, pull: number, at: string): readonly string[] {
  const all = heads[pull] ?? []
  return all.flatMap(({ sha, since }, index) => {
    const isOver = all.slice(index + 1).some((later) => isFromBefore(later.since, at))
    return isOver || isFromBefore(at, since) ? [] : [sha]
  })
}

export const headNow = ({ heads }: Heads, pull: number): string | undefined => heads[pull]?.at(-1)?.sha

export function withHead(heads: Heads['heads'], pull: number, { sha, since }: Head): Heads['heads'] {
  const before = heads[pull] ?? []
  return before.at(-1)?.sha === sha ? heads : { ...heads, [pull]: [...before, { sha, since }] }
}
