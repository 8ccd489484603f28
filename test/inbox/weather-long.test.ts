// A connection that is cut in the midst of the work is the weather of the database, not a fault of what is worked on.
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseAway, isAway, isState } from '../../src/adapters/store/away.ts'
import { openPool } from '../../src/adapters/store/postgres/postgres.ts'
import { databaseUrl, inDirectory, onServer, type Place } from './places.ts'
import { openRig, triesMax, type Rig } from './rig.ts'

const soon = { timeout: 10_000, interval: 20 }
const cuts = 3 * triesMax

const stores = [
  { store: 'PGlite', made: inDirectory },
  { store: 'Postgres', made: onServer },
]

async function rigOn({ place, remove }: Place): Promise<Rig> {
  const rig = await openRig(place)
  onTestFinished(async () => {
    await rig.close()
    await remove()
  })
  return rig
}

for (const { store, made } of stores) {
  test.skipIf(made === null)(
    `on ${store} a delivery is not given up for it, and goes on at once when it is over`,
    async () => {
      if (made === null) return
      const rig = await rigOn(await made())
      rig.whenHandling('cut', (_, calls) => {
        // What is lost is that the line moved on, and once that the wake is put back, too.
        if (calls < cuts) rig.blow(calls === 1 ? 2 : 1)
      })
      await rig.ingest('cut', 'kept')
      await expect.poll(() => rig.calls('cut').length, soon).toBe(cuts + 1)
      await expect.poll(() => rig.inbox.status(), soon).toMatchObject({ waiting: 0, dead: 0 })
    },
  )

  test.skipIf(made === null)(`on ${store} a slow question is not given up for it`, async () => {
    if (made === null) return
    const rig = await rigOn(await made())
    let asked = 0
    rig.whenAsked('cut', async () => {
      asked += 1
      if (asked <= cuts) throw new DatabaseAway('the connection was cut')
      return { guid: 'answer', key: 'cut', body: 'answer' }
    })
    expect(await rig.inbox.later('cut', 'question')).toBe(true)
    await expect.poll(() => rig.handled('cut'), soon).toEqual(['answer'])
    expect(asked).toBe(cuts + 1)
  })
}

test.skipIf(databaseUrl === undefined)('whoever has to give way in a deadlock does so again later', async () => {
  const [ours, theirs] = [openPool(databaseUrl ?? ''), openPool(databaseUrl ?? '')]
  onTestFinished(async () => void (await Promise.all([ours.close(), theirs.close()])))
  const { promise: bothHoldOne, resolve } = Promise.withResolvers<void>()
  const lock = (number: number): string => `select pg_advisory_xact_lock(20261125, ${number})`
  const givingWay = ours.transaction(async (query) => {
    await query(lock(1))
    const theirTurn = theirs.transaction(async (ask) => {
      await ask(`set local deadlock_timeout = '1min'`)
      await ask(lock(2))
      resolve()
      await ask(lock(1))
    })
    theirTurn.catch(() => undefined)
    await bothHoldOne
    await query(lock(2))
  })
  const error: unknown = await givingWay.catch((reason: unknown) => reason)
  expect(isState(error, '40P01') && isAway(error)).toBe(true)
})
