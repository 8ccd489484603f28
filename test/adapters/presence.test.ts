// By what each process noted last it knows the store again, or sees that it was set back.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { sqlPresence } from '../../src/adapters/store/notes/presence.ts'
import type { Sql } from '../../src/adapters/store/sql.ts'
import { embeddedSql, postgresSql } from '../store/opened.ts'

const databaseUrl = process.env['DATABASE_URL']
const sql = await (databaseUrl === undefined ? embeddedSql() : postgresSql(databaseUrl))
await migrate(sql)
afterAll(() => sql.close())
beforeEach(async () => {
  await sql.query('delete from listener')
  await sql.query('delete from presence')
})

const at = (minute: number): string => `2026-11-25T10:${String(minute).padStart(2, '0')}:00.000Z`

/** What the store is set back to when the answer is called. */
async function savedOf({ query }: Sql): Promise<() => Promise<void>> {
  const [mine, all] = [await query('select * from listener'), await query('select * from presence')]
  return async () => {
    await query('delete from listener')
    await query('delete from presence')
    for (const row of mine) await query('insert into listener values ($1, $2)', [row['process'], row['at']])
    for (const row of all) await query('insert into presence values (true, $1)', [row['at']])
  }
}

test('the newest of all that noted is when somebody listened last', async () => {
  const [one, other] = [sqlPresence(sql), sqlPresence(sql)]
  expect(await one.last()).toEqual({ listened: '', taken: '' })
  expect([await one.note(at(1)), await other.note(at(3)), await one.note(at(2))]).toEqual([null, null, null])
  expect((await one.last()).listened).toBe(at(3))
})

test('a process sees to when the store was set back, also behind others that have noted since, and notes nothing there', async () => {
  const [one, other] = [sqlPresence(sql), sqlPresence(sql)]
  await one.note(at(1))
  await other.note(at(2))
  const setBack = await savedOf(sql)
  await one.note(at(3))
  await other.note(at(4))
  await setBack()
  expect(await one.note(at(5))).toBe(at(1))
  expect((await one.last()).listened).toBe(at(2))
  await sqlPresence(sql).note(at(6))
  expect(await other.note(at(7))).toBe(at(2))
  expect(await one.note(at(8))).toBe(at(1))
})

test('a process that began later than the store remembers goes by when somebody else listened, if that is known', async () => {
  await sqlPresence(sql).note(at(1))
  const setBack = await savedOf(sql)
  const young = sqlPresence(sql)
  await young.note(at(2))
  await setBack()
  expect(await young.note(at(3))).toBe(at(1))
  await sqlPresence(sql).note(at(4))
  expect(await young.note(at(5))).toBe('')
})

test('a note of which nobody said whether it was taken is none that the store forgot', async () => {
  const answers: Sql['query'][] = []
  const cut: Sql['query'] = async (statement, values) => {
    await sql.query(statement, values)
    throw new Error('the connection was cut before the answer')
  }
  const query: Sql['query'] = (statement, values) => (answers.shift() ?? sql.query)(statement, values)
  const one = sqlPresence({ ...sql, query })
  expect(await one.note(at(1))).toBeNull()
  answers.push(cut)
  await expect(one.note(at(2))).rejects.toThrow('cut')
  expect(await one.note(at(3))).toBeNull()
  expect(await Promise.all([one.note(at(4)), one.note(at(5))])).toEqual([null, null])
})

test('while the database is away nothing adds up, however often it is tried, and the store is known again', async () => {
  let isAway: 'before it was taken' | 'behind it' | null = null
  let most = 0
  const query: Sql['query'] = async (statement, values = []) => {
    const known = values[2]
    if (Array.isArray(known)) most = Math.max(most, known.length)
    if (isAway === 'before it was taken') throw new Error('away')
    const rows = await sql.query(statement, values)
    if (isAway === 'behind it') throw new Error('away')
    return rows
  }
  const one = sqlPresence({ ...sql, query })
  let minute = 0
  const notes = async (): Promise<string | null> => one.note(at((minute += 1))).catch(() => 'away')
  for (const away of ['behind it', 'before it was taken', null, 'before it was taken', 'behind it', null] as const) {
    isAway = away
    for (let again = 0; again < 5; again += 1) expect(await notes()).toBe(away === null ? null : 'away')
  }
  expect([most, (await one.last()).listened]).toEqual([2, at(minute)])
})

test('up to when all was taken is what the newest look found, and nothing where nobody ever listened', async () => {
  const [one, other] = [sqlPresence(sql), sqlPresence(sql)]
  await one.took(at(1))
  expect(await other.last()).toEqual({ listened: '', taken: '' })
  await one.note(at(2))
  await other.took(at(3))
  await one.took(at(1))
  await one.note(at(4))
  expect(await other.last()).toEqual({ listened: at(4), taken: at(3) })
})
