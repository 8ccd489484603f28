// Where what a storm brings waits before it stands in its lines. What came together is one row here, stored in a tenth of the
// time that a place in a line and a wake for each take: whoever brings it is answered soon, and it is sorted in when the door
// has a pause, or a little of it at a time. While anything of a repository is here, all that it brings comes here, so that the
// order of its lines stays that of acknowledgement. Only where nobody else works on the database, for this is counted in memory.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { InboxDatabase, Query } from './database.ts'
import { type Incoming, between } from './lines.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { pauseOf } from './pause.ts'
import { repositoryIn } from '../../core/names.ts'
import type { Shares } from './shares.ts'

export type SetAside = {
  /** What of a group belongs here, and what goes into its lines at once. */
  readonly parted: (group: readonly Incoming[]) => {
    readonly aside: readonly Incoming[]
    readonly atOnce: readonly Incoming[]
  }
  /** One group after the other. */
  readonly put: (query: Query, aside: readonly Incoming[], receivedAt: string) => Promise<void>
  /** Resolves when there is room for more. */
  readonly room: () => Promise<void>
  /** There is something to sort. */
  readonly kick: () => void
  /** Ends what is being sorted; the rest is sorted after the next start. */
  readonly stop: () => Promise<void>
}

type Parts = Pick<InboxDatabase, 'sql' | 'alone'> & {
  /** Gives deliveries their places in their lines, and wakes those. */
  readonly intoLines: (query: Query, deliveries: readonly Incoming[], receivedAt: string) => Promise<void>
  readonly turns: Shares
  /** What a repository brought lately, to be a storm. */
  readonly stormFrom: number
  /** Others are being stored. */
  readonly busy: () => boolean
  readonly onSorted: () => void
  readonly onError: (error: Error) => void
}

/** Less than this, and one row for all saves nothing. */
const togetherMin = 8
const deliveriesMax = 100_000
const holdMsMax = 500
const holdStepMs = 5
const pollMs = 1_000

export async function openSetAside(parts: Parts): Promise<SetAside> {
  const { sql, alone, intoLines, turns, stormFrom, busy, onSorted, onError } = parts
  const here = new Map<string, number>()
  let puts = 0
  const stopping = new AbortController()
  const count = (deliveries: readonly { readonly key: string }[], by: 1 | -1): void => {
    for (const { key } of deliveries) {
      const repository = repositoryIn(key)
      const left = (here.get(repository) ?? 0) + by
      if (left > 0) here.set(repository, left)
      else here.delete(repository)
    }
  }
  if (alone) for (const { names } of left.parse(await sql.query('select names from set_aside'))) count(names, 1)
  const sortOldest = async (): Promise<boolean> => {
    const before = puts
    const sorted = await sql.transaction(async (query) => {
      const [bundle] = bundles.parse(await query(takeStatement))
      if (bundle === undefined) return null
      await intoLines(query, bundle.deliveries, bundle.received_at)
      return bundle.deliveries
    })
    if (sorted === null) {
      // What was counted and could not be put is counted no longer.
      if (puts === before) here.clear()
      return false
    }
    count(sorted, -1)
    onSorted()
    return true
  }
  const sorting = oneAtATime(async () => {
    while (!stopping.signal.aborted) {
      await pauseOf(busy, holdMsMax, holdStepMs)
      // The embedded database answers without ever leaving the turn.
      await nextTurn()
      if (!(await sortOldest())) return
    }
  }, onError)
  // Whatever did not work is tried again.
  const poll = setInterval(() => {
    if (here.size > 0) sorting.run()
  }, pollMs)

  return {
    parted: (group) => {
      if (!alone) return { aside: [], atOnce: group }
      const storming = new Set<string>()
      for (const [repository, { length }] of Map.groupBy(group, ({ key }) => repositoryIn(key))) {
        const isStorm = length >= togetherMin && turns.lately(repository) >= stormFrom
        if (isStorm || here.has(repository)) storming.add(repository)
      }
      const { aside = [], atOnce = [] } = Object.groupBy(group, ({ key }) =>
        storming.has(repositoryIn(key)) ? 'aside' : 'atOnce',
      )
      return { aside, atOnce }
    },
    put: async (query, aside, receivedAt) => {
      puts += 1
      count(aside, 1)
      // The database would store half a character and not read it again.
      const names = aside.map(({ key, guid }) => ({ key: key.toWellFormed(), guid: guid.toWellFormed() }))
      const bodies = aside.map(({ text }) => text).join(between)
      await query(putStatement, [receivedAt, names.length, JSON.stringify(names), bodies])
    },
    room: async () => {
      while (sum(here.values()) >= deliveriesMax) await sortOldest()
    },
    kick: sorting.run,
    stop: async () => {
      stopping.abort()
      clearInterval(poll)
      await sorting.idle()
    },
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0)

const named = z.array(z.object({ key: z.string(), guid: z.string() }))
const left = z.array(z.object({ names: named }))

const putStatement = 'insert into set_aside (received_at, size, names, bodies) values ($1, $2, $3, $4)'
const takeStatement = `
  delete from set_aside where seq = (select min(seq) from set_aside) returning received_at, names, bodies`
const bundles = z.array(
  z
    .object({
      received_at: z.string(),
      names: named,
      bodies: z.string(),
    })
    .transform(({ received_at, names, bodies }) => {
      const texts = bodies.split(between)
      return { received_at, deliveries: names.map((name, index) => ({ ...name, text: texts[index] ?? '' })) }
    }),
)
