// When all that is in a repository was looked at last, by this process or by another one. Whoever listens and misses something finds it
// when they look next; where they end before that, whoever comes after them has to know since when nobody looked.
import type { Seen, Sight, Sights } from '../../../adapters/store/notes/sights.ts'

export type LastLooks = {
  /** These are about to be looked at: where another process looked last, this one may have missed what came since. */
  readonly begins: (seen: ReadonlyMap<string, Pick<Seen, 'looked'>>) => void
  readonly looked: (sight: Sight) => void
  /** Keeps what was looked at since that was asked last, in a round that began at that time. */
  readonly keep: (at: string) => Promise<readonly never[]>
}

/** Since when nobody looked or listened. */
export const sinceBoth = ({ looked }: Pick<Seen, 'looked'>, listened: string): string =>
  looked !== '' && looked < listened ? looked : listened

export function lastLooks(
  sights: Pick<Sights, 'looked'>,
  onMissed: (since: ReadonlyMap<string, string>) => void,
): LastLooks {
  const own = new Map<string, string>()
  const fresh = new Map<string, Sight>()
  return {
    begins: (seen) => {
      const others = Array.from(seen, ([repository, { looked }]) => [repository, looked] as const)
      onMissed(new Map(others.filter(([repository, looked]) => looked !== '' && looked !== own.get(repository))))
    },
    looked: (sight) => void fresh.set(sight.repository, sight),
    keep: async (at) => {
      const these = [...fresh.values()]
      fresh.clear()
      await sights.looked(these, at)
      for (const { repository } of these) own.set(repository, at)
      return []
    },
  }
}
