// Somebody sets the clock of the machine: nobody waits for hours, and nothing is late by hours.
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { clockJumps } from '../../../src/adapters/inbox/clock-jumps.ts'
import { steadyClock } from '../../../src/entry/app/steady-clock.ts'
import { jumpingClock } from '../lab/a-clock.ts'
import { runningApp, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await runningApp({}, { NODE_OPTIONS: `--import=${jumpingClock}` })
afterAll(() => app.stop())

const reasonsTold = z.object({ reasons: z.array(z.object({ reason: z.string() })).default([]) })

const skew = async (): Promise<number> => {
  const text = await (await fetch(`${app.url}/metrics`)).text()
  return Number(/^countersign_clock_skew_seconds (\S+)$/m.exec(text)?.[1])
}

test('an override that waits for GitHub is shown at once when GitHub is back, although the clock was set back meanwhile', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  expect(Math.abs(await skew())).toBeLessThan(5)
  const path = `/repos/${shop.name}/collaborators/ada/permission`
  const outage = app.github.addFault({ path, trouble: { kind: 'answer', status: 500 } })
  process.kill(app.pid() ?? 0, 'SIGUSR2')
  app.github.comment(shop.name, number, { body: '/override the build is known to be broken', by: 'ada' })
  await until(async () => app.github.requestLog().some((one) => one.path === path && one.status === 500))
  process.kill(app.pid() ?? 0, 'SIGUSR2')
  app.github.removeFault(outage)
  await until(async () => (await shop.check(sha)).startsWith('success'), 15_000)
  expect(await skew()).toBeCloseTo(-6 * 60 * 60, -2)
}, 60_000)

test('a token that GitHub does not take any more is none that is kept for hours, although our clock was set back', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await app.idle()
  process.kill(app.pid() ?? 0, 'SIGUSR2')
  app.github.expireTokens()
  app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  await until(async () => (await shop.check(sha)).startsWith('success'), 15_000)
  const { reasons } = reasonsTold.parse(await (await fetch(`${app.url}/health`)).json())
  expect(reasons.map(({ reason }) => reason)).not.toContain('github')
}, 60_000)

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
  clock.heed('Fri, 20 Nov 2026 12:00:00 GMT')
  expect(clock.now()).toBe('2026-11-20T12:00:00.000Z')
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
