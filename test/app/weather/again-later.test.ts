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
