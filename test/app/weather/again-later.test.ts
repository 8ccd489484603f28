// What cannot be shown is tried again for as long as that takes, and however much there is of it, few tries are made.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tryingAgain } from '../../../src/entry/app/again.ts'

const HOUR_MS = 3_600_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function triesInAnHour(tasks: number): Promise<number> {
  let tries = 0
  const settle = async (): Promise<never> => {
    tries += 1
    throw new Error('502')
  }
  const { again, stop } = tryingAgain(settle, Date.now, () => undefined)
  for (let index = 0; index < tasks; index += 1) again({ stream: `R1#${index}`, task_id: `acme/shop#${index}` })
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  stop()
  return tries
}

test('a task alone is tried once a minute', async () => {
  const tries = await triesInAnHour(1)
  expect(tries).toBeGreaterThan(59)
  expect(tries).toBeLessThan(75)
})

test('of many tasks none is tried as often', async () => {
  expect(await triesInAnHour(300)).toBeLessThan(300 * 25)
})

/** How long a task waits that something else asks for, after it was asked for so often. */
async function waitAfter(nudges: number, apartMs: number, within: (ask: () => void) => void): Promise<number> {
  const settled: number[] = []
  const ref = { stream: 'R1#1', task_id: 'acme/shop#1' }
  const { again, stop } = tryingAgain(
    async () => {
      settled.push(Date.now())
      within(() => again(ref, undefined, 8))
      return 'waiting'
    },
    Date.now,
    () => undefined,
  )
  for (let nudge = 0; nudge < nudges; nudge += 1) {
    again(ref)
    await vi.advanceTimersByTimeAsync(apartMs)
  }
  const before = Date.now()
  settled.length = 0
  again(ref)
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  stop()
  return (settled[0] ?? Infinity) - before
}

test('what others ask for a while after each other is tried at once each time, although it waits for something still', async () => {
  expect(await waitAfter(12, 5 * 60_000, () => undefined)).toBeLessThan(1_000)
})

test('what asks for itself each time it is tried is tried later and later, also once it is refused', async () => {
  expect(await waitAfter(12, 5 * 60_000, (ask) => ask())).toBe(60_000)
})

test('what others ask for all the time is not tried each time', async () => {
  expect(await waitAfter(1_000, 10, () => undefined)).toBeGreaterThan(1_000)
})
