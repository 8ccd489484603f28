// What nobody told of is found by rounds, also where something else was told since. One that ends before its next round leaves that to whoever comes after it, however long it
// listened since the last one.
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

/** A round that began before has been, so the next one is half a minute away. */
async function aRound(): Promise<void> {
  const before = roundsBegun()
  await aShop(app)
  await until(async () => roundsBegun() > before)
  await app.idle()
}
const roundsBegun = (): number => github.requestLog().filter(({ path }) => path === '/app/installations').length

test.each([
  ['at which a round had looked', true],
  ['at which nobody had looked', false],
])(
  'a no of which nobody told, minutes before the App ended, is found when it is there again: %s',
  async (_, isKnown) => {
    if (!isKnown) await aRound()
    const shop = await aShop(app)
    if (isKnown) await aRound()
    const begun = roundsBegun()
    const sha = await shop.push()
    const pull = await shop.open()
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(/^success/)
    await untold(github, () => github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' }))
    for (let minute = 0; minute < 4; minute += 1) aMinuteLater()
    await shop.push('other')
    await shop.open('agent', { head: 'other' })
    const began = performance.now()
    await until(async () => performance.now() - began > NOTED_MS)
    expect([roundsBegun(), await shop.check(sha)]).toEqual([begun, expect.stringMatching(/^success/)])
    await app.kill()
    await app.start()
    await until(async () => (await shop.check(sha)).startsWith('failure: Stopped: rejected by bob'))
  },
  100_000,
)

test('a no of which nobody told, before something that was told, is found by the next round', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'success')
  aMinuteLater()
  await untold(github, () => github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' }))
  aMinuteLater()
  await shop.say(pull, 'eve', 'I looked at it.')
  expect(await shop.check(sha)).toMatch(/^success/)
  // Whoever lets us in anew has all be looked at.
  await aShop(app)
  await until(async () => (await shop.check(sha)).startsWith('failure: Stopped: rejected by bob'))
})

test('a yes of which nobody told, before something that was told, is found by the next round', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'failure')
  aMinuteLater()
  await untold(github, () => github.comment(shop.name, pull, { body: '/override the build is wrong', by: 'cleo' }))
  aMinuteLater()
  await shop.say(pull, 'eve', 'I looked at it.')
  expect(await shop.check(sha)).toMatch(/^failure/)
  await aShop(app)
  await until(async () => (await shop.check(sha)).startsWith('success'))
})
