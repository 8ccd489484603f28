// Work that comes round: where it fails it comes again soon, and not for ever more often than it may.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { regularly } from '../../../src/entry/app/rounds/regularly.ts'

const [every, apart] = [300_000, 30_000]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** When it began, in seconds. */
function working(goesWell: (round: number) => boolean) {
  const began: number[] = []
  const { soon, stop } = regularly(
    async () => goesWell(began.push(Math.round(performance.now() / 1_000))),
    every,
    apart,
  )
  const start = began[0] ?? 0
  return { soon, stop, began: () => began.map((at) => at - start) }
}

test('what goes well comes on its schedule', async () => {
  const work = working(() => true)
  await vi.advanceTimersByTimeAsync(900_000)
  work.stop()
  expect(work.began()).toEqual([0, 300, 600, 900])
})

test('what failed comes again soon, and later where it goes on failing', async () => {
  const work = working(() => false)
  await vi.advanceTimersByTimeAsync(290_000)
  work.stop()
  expect(work.began()).toEqual([0, 30, 90, 210])
})

test('once it goes well that is over', async () => {
  const work = working((round) => round !== 1)
  await vi.advanceTimersByTimeAsync(299_000)
  work.stop()
  expect(work.began()).toEqual([0, 30])
})

test('who asks again and again is heard once in a while', async () => {
  const work = working(() => true)
  for (let second = 0; second < 100; second += 1) {
    work.soon()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  work.stop()
  expect(work.began()).toEqual([0, 30, 60, 90])
})
