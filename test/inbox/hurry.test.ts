// A line that waits for its next try is tried at once where somebody asks for it.
import { expect, onTestFinished, test } from 'vitest'
import { RetryLater } from '../../src/adapters/inbox/retry-later.ts'
import { inDirectory, onServer } from './places.ts'
import { openRig } from './rig.ts'

const soon = { timeout: 10_000, interval: 20 }
const places = [
  ['PGlite', inDirectory],
  ['Postgres', onServer],
] as const

test.for(places)('a line that would wait for an hour, on %s', async ([, open], { skip }) => {
  if (open === null) return skip('set DATABASE_URL=postgres://user@host/database')
  const made = await open()
  const rig = await openRig(made.place)
  onTestFinished(async () => {
    await rig.close()
    await made.remove()
  })
  rig.whenHandling('hurried', (_deliveries, calls) => {
    if (calls === 0) throw new RetryLater(3_600, 'the world is away')
  })
  await rig.ingest('hurried', 'here')
  await expect.poll(() => rig.calls('hurried').length, soon).toBe(1)
  await expect.poll(() => rig.inbox.status().then(({ active }) => active), soon).toBe(0)
  expect(rig.handled('hurried')).toEqual([])
  await rig.inbox.hurry(['hurried', 'nobody knows this one'])
  await expect.poll(() => rig.handled('hurried'), soon).toEqual(['here'])
})
