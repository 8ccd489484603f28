// What was handled is known by its name for days; what it said is kept for an hour.
import { describe, expect, onTestFinished, test } from 'vitest'
import { RetryLater } from '../../src/adapters/inbox/retry-later.ts'
import { inDirectory, onServer } from './places.ts'
import { openRig, type Rig } from './rig.ts'

const soon = { timeout: 20_000, interval: 20 }
const minutesAhead = (minutes: number) => (): Date => new Date(Date.now() + minutes * 60_000)

const bodiesIn = async (rig: Rig): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries((await rig.sql.query('select guid, body from delivery')).map(({ guid, body }) => [guid, body]))

/** More than are emptied at once. */
const many = Array.from({ length: 250 }, (_, number) => `many ${number}`)
const said = 'a word '.repeat(1_000)

const places = [
  { name: 'embedded', open: inDirectory },
  { name: 'Postgres', open: onServer },
]

describe.each(places)('$name', ({ open }) => {
  test.skipIf(open === null)(
    'what a delivery said is forgotten an hour after it was handled',
    async () => {
      if (open === null) return
      const { place, remove } = await open()
      onTestFinished(async () => void (await remove()))
      let rig = await openRig(place)
      onTestFinished(() => rig.close())
      rig.whenHandling('dead', () => {
        throw new Error('cannot digest it')
      })
      rig.whenHandling('waits', () => {
        throw new RetryLater(3_600, 'not within the hour')
      })
      for (const key of ['dead', 'waits']) await rig.ingest(key, said, key)
      await Promise.all(many.map((key) => rig.ingest(key, said, key)))
      await expect.poll(() => rig.inbox.status(), soon).toMatchObject({ waiting: 1, active: 0, dead: 1 })
      await rig.close()

      rig = await openRig(place, minutesAhead(50))
      await rig.ingest('later', 'open', 'open')
      await expect.poll(() => rig.handled('later'), soon).toEqual(['open'])
      await rig.close()
      rig = await openRig(place, minutesAhead(55))
      await rig.inbox.sweep()
      expect(new Set(Object.values(await bodiesIn(rig)))).toEqual(new Set([said, 'open']))
      await rig.close()

      rig = await openRig(place, minutesAhead(70))
      const kept = { dead: said, waits: said, open: 'open' }
      const empty = Object.fromEntries(many.map((key) => [key, null]))
      await expect.poll(() => bodiesIn(rig), soon).toEqual({ ...empty, ...kept })
      await Promise.all(many.map((key) => rig.ingest(key, said, key)))
      expect(await rig.inbox.replay('dead')).toBe(true)
      await expect.poll(() => rig.handled('dead'), soon).toEqual([said])
      expect(many.flatMap((key) => rig.handled(key))).toEqual([])
    },
    60_000,
  )
})
