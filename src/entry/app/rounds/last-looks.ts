// When all that is in a repository was looked at last, by this process or by another one. Whoever listens and misses something finds it
// when they look next; where they end before that, whoever comes after them has to know since when nobody looked.
import { inBackground } from '../../../adapters/github/traffic/background.ts'
import type { Seen, Sight, Sights } from '../../../adapters/store/notes/sights.ts'
import type { ReadsAtLeisure } from '../../../engine/rounds/catch-up.ts'
import { limitIn } from '../hearing/handle.ts'
import { inTurn } from './in-turn.ts'

export type LastLooks = {
  /** A round begins over these, at that time. Where another process looked last, this one may have missed what came since. */
  readonly begins: (seen: ReadonlyMap<string, Pick<Seen, 'looked'>>, at: string) => void
  /** What is read there about one of many. What a round had no room for comes first in the next one. */
  readonly reads: (sight: Sight) => ReadsAtLeisure
  readonly looked: (sight: Sight) => void
  /** Keeps when this round began, for what was looked at in it and where nothing was left. */
  readonly keep: () => Promise<readonly never[]>
}

/** Since when nobody looked or listened. */
export const sinceBoth = ({ looked }: Pick<Seen, 'looked'>, listened: string): string =>
  looked < listened ? looked : listened

/** In one round: where a robot touches everything at once, the rest of the round is not kept waiting for hours. */
const READS_MAX = { green: 15, other: 5 }

export function lastLooks(
  sights: Pick<Sights, 'looked'>,
  onMissed: (since: ReadonlyMap<string, string>) => void,
): LastLooks {
  /** What this process noted, or made up for. */
  const own = new Map<string, string>()
  const fresh = new Map<string, Sight>()
  const left = new Set<string>()
  const rooms = { green: aRoom(READS_MAX.green), other: aRoom(READS_MAX.other) }
  const waits = new Set<number>()
  let began = ''
  return {
    begins: (seen, at) => {
      began = at
      for (const room of Object.values(rooms)) room.begins()
      for (const one of [left, waits]) one.clear()
      const all = Array.from(seen, ([repository, { looked }]) => [repository, looked] as const)
      const others = all.filter(([repository, looked]) => looked !== own.get(repository))
      onMissed(new Map(others))
      // Where something fails each time nobody notes a newer one, and it is missed once.
      for (const [repository, looked] of others) own.set(repository, looked)
    },
    reads: (sight) => async (of, pull, work) => {
      const { repository, installation } = sight
      const [name, tenant] = [`${repository}#${pull}`, `${installation}`]
      try {
        if (!waits.has(installation) && rooms[of].isFor(name)) return await inBackground(work)
      } catch (error) {
        if (limitIn(error) === null) throw error
        waits.add(installation)
      }
      rooms[of].leaves(name, tenant)
      left.add(repository)
      return null
    },
    looked: (sight) => void fresh.set(sight.repository, sight),
    keep: async () => {
      const these = [...fresh.values()].filter(({ repository }) => !left.has(repository))
      fresh.clear()
      await sights.looked(these, began)
      for (const { repository } of these) own.set(repository, began)
      return []
    },
  }
}

type Room = {
  readonly begins: () => void
  readonly isFor: (name: string) => boolean
  /** It has to be left for the next round. */
  readonly leaves: (name: string, tenant: string) => void
}

/** For so many in a round. What was left of the one before has its place kept. */
function aRoom(most: number): Room {
  const turns = inTurn()
  const left = new Map<string, string>()
  let kept = new Set<string>()
  let free = most
  return {
    begins: () => {
      turns.wait(left)
      left.clear()
      kept = new Set(turns.first(most))
      free = most - kept.size
    },
    isFor: (name) => {
      if (kept.delete(name)) {
        turns.tried(name)
        return true
      }
      free -= 1
      return free >= 0
    },
    leaves: (name, tenant) => void left.set(name, tenant),
  }
}
