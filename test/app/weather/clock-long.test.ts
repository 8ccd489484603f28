// Somebody sets the clock of the machine while the App runs: nobody waits for hours, and nothing is late by hours.
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
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
