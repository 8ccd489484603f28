// What GitHub could not deliver is asked for as soon as it lists it, also by an App that comes after the one that could not be told.
import { afterAll, expect, test } from 'vitest'
import { aClock } from '../lab/clock-in-minutes.ts'
import { runningApp, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const { clock, aMinuteLater } = aClock()
const app = await runningApp({ clock })
afterAll(() => app.stop())
const { github } = app

/** A process notes every ten seconds that it listens. */
const NOTED_MS = 12_000
/** More than GitHub lists at once. */
const MANY = 120

test('an override that got lost while GitHub listed nothing is heard by the App that comes after, an hour later', async () => {
  const [shop, other] = [await aShop(app), await aShop(app)]
  const [sha, otherSha] = [await shop.push(), await other.push()]
  const [pull, otherPull] = [await shop.open(), await other.open()]
  await shop.build(sha, 'failure')
  await other.build(otherSha, 'success')
  expect(await shop.check(sha)).toMatch(/^failure/)
  expect(await other.check(otherSha)).toMatch(/^success/)
  /** The App goes by the time that GitHub's answers tell. */
  const learnsTheTime = async (branch: string): Promise<void> => {
    await other.push(branch)
    await other.open('agent', { head: branch })
  }
  github.addFault({ path: '/app/hook/deliveries', trouble: { kind: 'answer', status: 500 } })
  aMinuteLater()
  github.setDeliveries({ lostPercent: 100 })
  github.comment(shop.name, pull, { body: '/override the build has nothing to do with it', by: 'cleo' })
  await github.idle()
  github.setDeliveries({ lostPercent: 0 })
  aMinuteLater()
  for (let count = 0; count < MANY; count += 1) github.comment(shop.name, pull, { body: `Line ${count}.`, by: 'eve' })
  await app.idle()
  for (let minute = 0; minute < 10; minute += 1) aMinuteLater()
  await learnsTheTime('then')
  await untold(github, () => github.comment(other.name, otherPull, { body: '/reject not like this', by: 'bob' }))
  // Whoever lets us in anew has all be looked at, and of that no nobody told. A yes before so much else is found by nobody.
  await aShop(app)
  await until(async () => (await other.check(otherSha)).startsWith('failure: Stopped: rejected by bob'))
  for (let minute = 0; minute < 60; minute += 1) aMinuteLater()
  await learnsTheTime('later')
  const began = performance.now()
  await until(async () => performance.now() - began > NOTED_MS)
  expect(await shop.check(sha)).toMatch(/^failure/)
  await app.kill()
  github.clearFaults()
  await app.start()
  await until(async () => (await shop.check(sha)).startsWith('success'))
}, 100_000)
