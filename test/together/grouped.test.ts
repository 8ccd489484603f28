// Who goes with whom: a group is what was asked for while the one before was under way.
import { expect, test } from 'vitest'
import { type GroupLimits, grouped } from '../../src/adapters/together/grouped.ts'

function recorded(limits: GroupLimits<number>) {
  const groups: (readonly number[])[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const { add, idle } = grouped(async (items: readonly number[]) => {
    groups.push(items)
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
    return items.map((item) => item * 10)
  }, limits)
  return { groups, gates, add, idle }
}

test('what comes in during a group makes the next one, and each item gets its own result', async () => {
  const { groups, gates, add, idle } = recorded({ lanesMax: 1, itemsMax: 3 })
  const first = [add(1)]
  await expect.poll(() => groups).toEqual([[1]])
  const others = [2, 3, 4, 5].map(add)
  gates[0]?.resolve()
  expect(await Promise.all(first)).toEqual([10])
  await expect.poll(() => groups).toEqual([[1], [2, 3, 4]])
  gates[1]?.resolve()
  await expect.poll(() => groups).toEqual([[1], [2, 3, 4], [5]])
  gates[2]?.resolve()
  await idle()
  expect(await Promise.all(others)).toEqual([20, 30, 40, 50])
})

test('several lanes work at once', async () => {
  const { groups, gates, add } = recorded({ lanesMax: 2, itemsMax: 1 })
  const all = [1, 2, 3].map(add)
  await expect.poll(() => groups).toEqual([[1], [2]])
  gates[1]?.resolve()
  await expect.poll(() => groups).toEqual([[1], [2], [3]])
  for (const gate of gates) gate.resolve()
  expect(await Promise.all(all)).toEqual([10, 20, 30])
})

test('a group is as heavy as allowed, but one item always goes', async () => {
  const { groups, gates, add } = recorded({ lanesMax: 1, itemsMax: 9, weight: { of: (item) => item, max: 10 } })
  const all = [4, 6, 99, 1].map(add)
  for (const count of [1, 2, 3]) {
    await expect.poll(() => groups).toHaveLength(count)
    gates[count - 1]?.resolve()
  }
  await Promise.all(all)
  expect(groups).toEqual([[4, 6], [99], [1]])
})

test('trouble is that of its group alone', async () => {
  const { groups, gates, add } = recorded({ lanesMax: 1, itemsMax: 2 })
  const all = Promise.allSettled([1, 2, 3].map(add))
  await expect.poll(() => groups).toHaveLength(1)
  gates[0]?.reject(new Error('no disk'))
  await expect.poll(() => groups).toHaveLength(2)
  gates[1]?.resolve()
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('a queue that only grows refuses, so that the sender comes back later', async () => {
  const { gates, groups, add } = recorded({ lanesMax: 1, itemsMax: 9, waitingMax: 2 })
  const taken = [1, 2].map(add)
  await expect(add(3)).rejects.toThrow('the database cannot keep up')
  await expect.poll(() => groups).toEqual([[1, 2]])
  gates[0]?.resolve()
  expect(await Promise.all(taken)).toEqual([10, 20])
})
