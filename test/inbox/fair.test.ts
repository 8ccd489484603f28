// However much one repository brings, the others have their turns.
import { expect, onTestFinished, test } from 'vitest'
import { madeStoreIn } from '../made-store.ts'
import { temporaryDirectory } from '../store/opened.ts'
import { openRig } from './rig.ts'

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
const soon = { timeout: 30_000, interval: 20 }

test('a repository that brings little has its turn in the midst of a storm of another one', async () => {
  const { directory, remove } = temporaryDirectory()
  const rig = await openRig(madeStoreIn(directory))
  onTestFinished(async () => {
    await rig.close()
    remove()
  })
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const handling = (key: string): void =>
    rig.whenHandling(key, () => {
      order.push(key)
      return gate.promise
    })
  const storm = upTo(600).map((number) => `storm#${number}`)
  for (const key of [...storm, 'quiet#1', 'other#1']) handling(key)
  await Promise.all(storm.map((key) => rig.ingest(key, 'event')))
  await rig.ingest('quiet#1', 'event')
  await rig.ingest('other#1', 'event')
  gate.resolve()
  await expect.poll(() => order.length, soon).toBe(602)
  // As many as are handled at once, and those that follow them.
  const began = order.slice(0, 256)
  expect(began).toEqual(expect.arrayContaining(['quiet#1', 'other#1']))
}, 60_000)
