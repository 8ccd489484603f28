// What GitHub could not deliver is asked for as soon as it lists it, also by an App that comes after the one that could not be told.
import { afterAll, expect, test } from 'vitest'
import { aClock } from '../lab/clock-in-minutes.ts'
import { runningApp, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const { clock, aMinuteLater } = aClock()
const app = await runningApp({ clock })
afterAll(() => app.stop())
const { github } = app

/** A process notes every ten seconds that it listens. */
const NOTED_MS = 12_000
/** More than GitHub lists at once. */
const MANY = 120

test('what got lost while GitHub listed nothing is asked for by the App that comes after, an hour later', async () => {
  const shop = await aShop(app)
  await shop.push()
  const pull = await shop.open()
  github.addFault({ path: '/app/hook/deliveries', trouble: { kind: 'answer', status: 500 } })
  aMinuteLater()
  github.setDeliveries({ lostPercent: 100 })
  github.comment(shop.name, pull, { body: 'Why like this?', by: 'eve' })
  await github.idle()
  github.setDeliveries({ lostPercent: 0 })
  const lost = github.deliveries().at(-1)?.guid
  const sent = () => github.deliveries().flatMap(({ guid, status }) => (guid === lost ? [status] : []))
  aMinuteLater()
  for (let count = 0; count < MANY; count += 1) github.comment(shop.name, pull, { body: `Line ${count}.`, by: 'eve' })
  await app.idle()
  for (let minute = 0; minute < 60; minute += 1) aMinuteLater()
  // The App goes by the time that GitHub's answers tell.
  await shop.push('other')
  await shop.open('agent', { head: 'other' })
  const began = performance.now()
  await until(async () => performance.now() - began > NOTED_MS)
  expect(sent()).toEqual(['lost'])
  await app.kill()
  github.clearFaults()
  await app.start()
  await until(async () => sent().includes('OK'))
}, 60_000)
