// The embedded store on a disk that fills up: whether a statement fails or the database ends in the middle of it, nothing
// stands still, nothing acknowledged is lost, and it goes on by itself when there is room.
import { expect, onTestFinished, test } from 'vitest'
import { openPglite, type Embedded } from '../../src/adapters/store/embedded/embedded.ts'
import { hasSmallDisks, smallDisk, type SmallDisk } from '../app/lab/small-disk.ts'
import { until } from '../app/lab/running.ts'
import { madeStoreIn } from '../made-store.ts'

const TEST_MS_MAX = 180_000

async function opened(): Promise<{ disk: SmallDisk; store: Embedded; write: () => Promise<void>; taken: Set<number> }> {
  const disk = smallDisk(200)
  onTestFinished(disk.remove)
  const store = await openPglite(madeStoreIn(disk.path))
  await store.sql.query('create table noise (number integer primary key, text text)')
  const taken = new Set<number>()
  let number = 0
  const write = async (): Promise<void> => {
    number += 1
    const text = `(select string_agg(md5(random()::text), '') from generate_series(1, 100))`
    await store.sql.transaction((query) => query(`insert into noise select $1, ${text}`, [number]))
    await store.flush()
    taken.add(number)
  }
  await write()
  return { disk, store, write, taken }
}

/** Empty once it is taken. */
const refusalOf = (write: () => Promise<void>): Promise<string> =>
  write().then(
    () => '',
    (error: unknown) => String(error),
  )

const isTaken = (write: () => Promise<void>) => async (): Promise<boolean> => (await refusalOf(write)) === ''

/** Fills its log, a segment at a time, until it cannot. */
async function fillLog({ sql }: Embedded): Promise<never> {
  for (;;) {
    await sql.query('select pg_switch_wal() from (select pg_logical_emit_message(true, $1, $1)) as said', ['x'])
  }
}

async function expectKept({ sql }: Embedded, taken: ReadonlySet<number>): Promise<void> {
  const rows = await sql.query('select number from noise')
  const kept = new Set(rows.map((row) => Number(row['number'])))
  expect([...taken].filter((number) => !kept.has(number))).toEqual([])
  expect(await sql.query(`select count(distinct length(text)) as lengths from noise`)).toEqual([{ lengths: 1 }])
}

test.skipIf(!hasSmallDisks)(
  'a table that cannot grow refuses what comes, and takes it again when there is room',
  async () => {
    const { disk, store, write, taken } = await opened()
    disk.fill()
    await expect(
      (async () => {
        for (;;) await write()
      })(),
    ).rejects.toMatchObject({ name: 'DatabaseAway', message: expect.stringContaining('No space left on device') })
    await expect(write()).rejects.toThrow('No space left on device')
    await expectKept(store, taken)
    disk.clear()
    await until(isTaken(write))
    await expectKept(store, taken)
    await store.sql.close()
  },
  TEST_MS_MAX,
)

test.skipIf(!hasSmallDisks)(
  'a log that cannot grow ends the database, which is opened again when there is room',
  async () => {
    const { disk, store, write, taken } = await opened()
    disk.fill()
    await expect(Promise.all([fillLog(store), fillLog(store)])).rejects.toMatchObject({
      name: 'DatabaseAway',
      message: expect.stringContaining('ended while it wrote: could not write to file "pg_wal/'),
    })
    await expect(write()).rejects.toMatchObject({ name: 'DatabaseAway' })
    await until(async () => (await refusalOf(write)).includes('Make room there'))
    disk.clear()
    await until(isTaken(write))
    await expectKept(store, taken)
    await store.sql.close()
  },
  TEST_MS_MAX,
)

test.skipIf(!hasSmallDisks)(
  'a store that dies and is closed meanwhile gives its lock back, and is whole when it is opened again',
  async () => {
    const { disk, store, write, taken } = await opened()
    disk.fill()
    await expect(fillLog(store)).rejects.toMatchObject({ name: 'DatabaseAway' })
    await store.sql.close()
    await expect(openPglite(disk.path)).rejects.toMatchObject({ name: 'DatabaseAway' })
    disk.clear()
    const again = await openPglite(disk.path)
    await expectKept(again, taken)
    await again.sql.close()
    await expect(write()).rejects.toThrow('is closed')
  },
  TEST_MS_MAX,
)
