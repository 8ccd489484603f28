// What a storm brings is set aside before it is sorted into its lines: nothing of it is lost, and its order stays.
import { expect, onTestFinished, test } from 'vitest'
import { madeStoreIn } from '../made-store.ts'
import { temporaryDirectory } from '../store/opened.ts'
import { openRig, type Rig } from './rig.ts'

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
const soon = { timeout: 10_000, interval: 20 }
const lines = ['storm#1', 'storm#2', 'storm#3', 'storm#4']

test('what a storm brings waits in its order, and is told of while it is set aside', async () => {
  const rig = await rigIn(place())
  rig.keepAside(true)
  await storm(rig, 10)
  await rig.ingest('storm#1', 10)
  expect(rig.calls('storm#1')).toEqual([])
  expect(await rig.inbox.waiting('storm#1')).toHaveLength(11)
  expect(await rig.inbox.waiting('storm#2')).toHaveLength(10)
  const { waiting, oldest_waiting_at } = await rig.inbox.status()
  expect([waiting, oldest_waiting_at]).toEqual([41, expect.stringMatching(/^20/)])
  rig.keepAside(false)
  await expect.poll(() => lines.map((line) => rig.handled(line).length), soon).toEqual([11, 10, 10, 10])
  expect(lines.map((line) => rig.handled(line))).toEqual([upTo(11), upTo(10), upTo(10), upTo(10)])
  await expect.poll(() => rig.inbox.status(), soon).toMatchObject({ waiting: 0, active: 0, oldest_waiting_at: null })
  expect(await rig.inbox.waiting('storm#1')).toEqual([])
}, 30_000)

test('a repository without a storm does not wait for what is set aside', async () => {
  const rig = await rigIn(place())
  rig.keepAside(true)
  await storm(rig, 10)
  await rig.ingest('quiet#1', 'a word')
  await expect.poll(() => rig.handled('quiet#1'), soon).toEqual(['a word'])
  expect(lines.flatMap((line) => rig.calls(line))).toEqual([])
  rig.keepAside(false)
  await expect.poll(() => rig.handled('storm#4'), soon).toEqual(upTo(10))
}, 30_000)

test('what was set aside when the process ended is sorted after the next start, and what comes then stands behind it', async () => {
  const directory = place()
  const before = await openRig(directory, undefined, { stormFrom: 0 })
  before.keepAside(true)
  await storm(before, 10)
  await before.close()
  const rig = await rigIn(directory)
  await rig.ingest('storm#1', 10)
  await rig.ingest('storm#1', 'brought again', 'storm#1 3')
  await expect.poll(() => rig.handled('storm#1').length, soon).toBe(11)
  await expect.poll(() => rig.inbox.status(), soon).toMatchObject({ waiting: 0, active: 0 })
  expect(lines.map((line) => rig.handled(line))).toEqual([upTo(11), upTo(10), upTo(10), upTo(10)])
}, 30_000)

function place(): string {
  const { directory, remove } = temporaryDirectory()
  onTestFinished(remove)
  return madeStoreIn(directory)
}

async function rigIn(directory: string): Promise<Rig> {
  const rig = await openRig(directory, undefined, { stormFrom: 0 })
  onTestFinished(() => rig.close())
  return rig
}

/** All at once, line by line. */
async function storm(rig: Rig, each: number): Promise<void> {
  await Promise.all(lines.flatMap((line) => upTo(each).map((number) => rig.ingest(line, number, `${line} ${number}`))))
}
