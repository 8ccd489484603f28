// Somebody sets the clock of the machine: nobody waits for hours, and nothing is late by hours.
import { expect, test } from 'vitest'
import { clockJumps } from '../../../src/adapters/inbox/clock-jumps.ts'
import { steadyClock } from '../../../src/entry/app/steady-clock.ts'

test('the time that counts goes by what has passed, and by what GitHub says', () => {
  let [wall, steady] = [Date.parse('2026-11-20T10:00:00Z'), 1_000]
  const clock = steadyClock(
    () => wall,
    () => steady,
  )
  steady += 1_500
  wall -= 3_600_000
  expect(clock.now()).toBe('2026-11-20T10:00:01.500Z')
  expect(clock.skewSeconds()).toBe(-3_601.5)
  clock.heed('Fri, 20 Nov 2026 10:00:03 GMT')
  expect(clock.now()).toBe('2026-11-20T10:00:01.500Z')
  for (const nothing of [null, '', 'tomorrow']) clock.heed(nothing)
  clock.heed('Fri, 20 Nov 2026 10:01:00 GMT')
  expect(clock.now()).toBe('2026-11-20T10:01:00.000Z')
  // Hours are believed of a second answer, and not of two that differ.
  clock.heed('Fri, 20 Nov 2026 12:00:00 GMT')
  clock.heed('Sat, 21 Nov 2026 12:00:00 GMT')
  expect(clock.now()).toBe('2026-11-20T10:01:00.000Z')
  clock.heed('Fri, 20 Nov 2026 12:00:00 GMT')
  clock.heed('Fri, 20 Nov 2026 10:01:00 GMT')
  clock.heed('Fri, 20 Nov 2026 12:00:00 GMT')
  expect(clock.now()).toBe('2026-11-20T10:01:00.000Z')
  steady += 1_000
  clock.heed('Fri, 20 Nov 2026 12:00:01 GMT')
  expect(clock.now()).toBe('2026-11-20T12:00:01.000Z')
})

test('waits are moved only when the clock of the database is set back', async () => {
  const moved: unknown[] = []
  let [ms, steady] = [50_000_000, 0]
  const look = clockJumps(
    async (statement, values = []) => {
      if (statement.startsWith('select')) return [{ ms }]
      moved.push(values[0])
      return []
    },
    ['wake'],
    () => steady,
  )
  const after = async (database: number, real: number): Promise<boolean> => {
    ms += database
    steady += real
    return look()
  }
  expect(await after(0, 0)).toBe(false)
  expect(await after(60_000, 60_000)).toBe(false)
  expect(await after(7_200_000, 60_000)).toBe(false)
  expect(await after(-3_540_000, 60_000)).toBe(true)
  expect(await after(60_000, 60_000)).toBe(false)
  expect(moved).toEqual([-3_600_000])
})
