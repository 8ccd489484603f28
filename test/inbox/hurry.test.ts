// A line that waits for its next try is tried at once where somebody asks for it, and soon by a process that begins.
import { expect, onTestFinished, test } from 'vitest'
import { RetryLater } from '../../src/adapters/inbox/retry-later.ts'
import { inDirectory, onServer } from './places.ts'
import { openRig } from './rig.ts'

const soon = { timeout: 10_000, interval: 20 }
const places = [
  ['PGlite', inDirectory],
  ['Postgres', onServer],
] as const

type Place = (typeof places)[number]
const noServer = 'set DATABASE_URL=postgres://user@host/database'

/** A line that waits for an hour after its first try. */
async function aWaiting(place: string) {
  const rig = await openRig(place)
  rig.whenHandling('hurried', (_deliveries, calls) => {
    if (calls === 0) throw new RetryLater(3_600, 'the world is away')
  })
  await rig.ingest('hurried', 'here')
  await expect.poll(() => rig.calls('hurried').length, soon).toBe(1)
  await expect.poll(() => rig.inbox.status().then(({ active }) => active), soon).toBe(0)
  expect(rig.handled('hurried')).toEqual([])
  return rig
}

test.for<Place>(places)('a line that would wait for an hour, on %s', async ([, open], { skip }) => {
  if (open === null) return skip(noServer)
  const made = await open()
  const rig = await aWaiting(made.place)
  onTestFinished(async () => {
    await rig.close()
    await made.remove()
  })
  await rig.inbox.hurry(['hurried', 'nobody knows this one'])
  await expect.poll(() => rig.handled('hurried'), soon).toEqual(['here'])
})

test.for<Place>(places)('one that another process left waiting, on %s', async ([, open], { skip }) => {
  if (open === null) return skip(noServer)
  const made = await open()
  await (await aWaiting(made.place)).close()
  const rig = await openRig(made.place, undefined, { anewSeconds: 1 })
  onTestFinished(async () => {
    await rig.close()
    await made.remove()
  })
  await expect.poll(() => rig.handled('hurried'), soon).toEqual(['here'])
})
