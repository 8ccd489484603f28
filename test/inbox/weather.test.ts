// A connection that is cut in the midst of the work is the weather of the database, not a fault of what is worked on.
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseAway } from '../../src/adapters/store/away.ts'
import { inDirectory, onServer, type Place } from './places.ts'
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
