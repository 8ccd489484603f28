// Does together what is asked for together: the next group is what came in while the one before was being done. Nobody
// waits for company, and under load one transaction serves hundreds.
import { setImmediate as nextTurn } from 'node:timers/promises'

export type Grouped<Item, Result> = {
  /** Resolves when the item's group is done; rejects with the trouble of its group. */
  readonly add: (item: Item) => Promise<Result>
  readonly busy: () => boolean
  readonly idle: () => Promise<void>
}

export type GroupLimits<Item> = {
  /** How many groups may be under way at once. */
  readonly lanesMax: number
  readonly itemsMax: number
  /** How heavy a group may become, by the weight of its items. One item may be heavier. */
  readonly weight?: { readonly of: (item: Item) => number; readonly max: number }
  readonly waitingMax?: number
}

type Waiting<Item, Result> = { readonly item: Item; readonly end: PromiseWithResolvers<Result> }

/** `work` answers for each item, in the order of the items. */
export function grouped<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  limits: GroupLimits<Item>,
): Grouped<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  const running = new Set<Promise<void>>()

  const start = (): void => {
    if (waiting.length === 0 || running.size >= limits.lanesMax) return
    const run = runGroup().finally(() => {
      running.delete(run)
      start()
    })
    running.add(run)
  }
  const runGroup = async (): Promise<void> => {
    // What else is asked for in this turn joins in. And the embedded database answers without ever leaving the turn, so
    // that nothing else, the disk or the network, would be heard while there is work for it.
    await nextTurn()
    const size = groupSize(waiting, limits)
    const group = waiting.slice(0, size)
    waiting = waiting.slice(size)
    if (size === 0) return
    try {
      const results = await work(group.map(({ item }) => item))
      for (const [index, result] of results.entries()) group[index]?.end.resolve(result)
    } catch (error) {
      for (const { end } of group) end.reject(error)
    }
  }

  return {
    add: (item) => {
      if (waiting.length >= (limits.waitingMax ?? Infinity)) return Promise.reject(tooMany(waiting.length))
      const end = Promise.withResolvers<Result>()
      waiting.push({ item, end })
      start()
      return end.promise
    },
    busy: () => running.size > 0,
    idle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

function groupSize<Item>(waiting: readonly { readonly item: Item }[], limits: GroupLimits<Item>): number {
  let sum = 0
  for (const [index, { item }] of waiting.entries()) {
    sum += limits.weight?.of(item) ?? 0
    if (index === limits.itemsMax || (index > 0 && sum > (limits.weight?.max ?? Infinity))) return index
  }
  return waiting.length
}

const tooMany = (waiting: number): Error =>
  new Error(`${waiting} deliveries already wait to be stored; the database cannot keep up. Send this one again later.`)
