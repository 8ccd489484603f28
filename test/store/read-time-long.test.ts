// How long reading takes on the embedded store. The figures are printed; the bounds are far off, so that a busy machine
// passes, and what depends on the length of the history does not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/adapters/store/migrations.ts'
import type { Sql } from '../../src/adapters/store/sql.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import type { Store } from '../../src/ports.ts'
import { embeddedSql } from './opened.ts'
import { numbered, sealedEvents } from './streams.ts'

let sql: Sql
let store: Store
beforeAll(async () => {
  sql = await embeddedSql()
  await migrate(sql)
  store = sqlStore(sql)
  for (const [stream, count] of [
    ['short', 10],
    ['usual', 1_000],
    ['long', 20_000],
  ] as const) {
    await store.append(stream, 0, sealedEvents(stream, numbered(count, ' and so on'.repeat(50))))
  }
}, 30_000)
afterAll(() => sql.close())

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 21; run += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.toSorted((one, other) => one - other)[10] ?? Infinity
}

test('a stream of a thousand events is read in milliseconds', async ({ annotate }) => {
  expect(await store.read('usual')).toHaveLength(1_000)
  const ms = await medianMs(() => store.read('usual'))
  await annotate(`reading 1,000 events took ${ms.toFixed(1)} ms`)
  expect(ms).toBeLessThan(50)
})

test('reading the end of a stream costs the same whatever came before', async ({ annotate }) => {
  expect(await store.read('long', 19_995)).toHaveLength(5)
  const short = await medianMs(() => store.read('short', 5))
  const long = await medianMs(() => store.read('long', 19_995))
  await annotate(`reading the last 5 took ${short.toFixed(2)} ms of 10 events, ${long.toFixed(2)} ms of 20,000`)
  expect(long).toBeLessThan(10 * short + 2)
})
