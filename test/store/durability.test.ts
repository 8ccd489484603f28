// Who shares a sync with whom: nobody may be told that all is safe by a sync that began before they asked.
import { expect, test } from 'vitest'
import { inGroups } from '../../src/adapters/store/embedded/durability.ts'

function gate(): { runs: () => number; work: () => Promise<void>; pass: () => void; fail: () => void } {
  const open: PromiseWithResolvers<void>[] = []
  return {
    runs: () => open.length,
    work: () => {
      const next = Promise.withResolvers<void>()
      open.push(next)
      return next.promise
    },
    pass: () => open.at(-1)?.resolve(),
    fail: () => open.at(-1)?.reject(new Error('disk gone')),
  }
}

test('who asks while a sync runs waits for the next one, together with all others', async () => {
  const { runs, work, pass } = gate()
  const sync = inGroups(work)
  const first = sync()
  await Promise.resolve()
  const others = [sync(), sync(), sync()]
  expect(runs()).toBe(1)
  pass()
  await first
  await Promise.resolve()
  expect(runs()).toBe(2)
  pass()
  await Promise.all(others)
  expect(runs()).toBe(2)
})

test('after a sync that failed none succeeds', async () => {
  const { work, fail } = gate()
  const sync = inGroups(work)
  const first = sync()
  await Promise.resolve()
  const second = sync()
  fail()
  await expect(first).rejects.toThrow('disk gone')
  await expect(second).rejects.toThrow('disk gone')
  await expect(sync()).rejects.toThrow('disk gone')
})
