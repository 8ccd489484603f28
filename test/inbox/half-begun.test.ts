// An inbox that could not be opened leaves nothing behind that goes on: whoever waits for the database tries again and again.
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseAway } from '../../src/adapters/store/away.ts'
import { openInbox } from '../../src/adapters/inbox/inbox.ts'
import { openDatabase } from './opened.ts'
import { inDirectory } from './places.ts'

const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length

test('where the database goes away while it is opened, it keeps no timers, and opens once the database is back', async () => {
  const { place, remove } = await inDirectory()
  const database = await openDatabase(place)
  onTestFinished(async () => {
    await database.close()
    remove()
  })
  let isAway = true
  const query: typeof database.sql.query = async (...statement) => {
    if (isAway) throw new DatabaseAway('the connection was cut')
    return database.sql.query(...statement)
  }
  const open = () =>
    openInbox(
      { ...database, sql: { ...database.sql, query } },
      { deliveries: async () => {}, ask: async () => null },
      { clock: { now: () => new Date().toISOString() }, onError: () => {} },
    )
  const before = timers()
  for (let time = 0; time < 3; time += 1) await expect(open()).rejects.toThrow('the connection was cut')
  expect(timers()).toBe(before)
  isAway = false
  const inbox = await open()
  expect(await inbox.status()).toMatchObject({ waiting: 0, dead: 0 })
  await inbox.stop()
})
