// Who let us in again, told from one process to the others by the store that they share.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sqlLetIns } from '../../src/adapters/store/notes/let-ins.ts'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { embeddedSql, postgresSql } from '../store/opened.ts'

const databaseUrl = process.env['DATABASE_URL']
const sql = await (databaseUrl === undefined ? embeddedSql() : postgresSql(databaseUrl))
await migrate(sql)
afterAll(() => sql.close())
beforeEach(() => sql.query('delete from let_in'))

const [acme, zoo] = [
  { installation: 7, repositories: ['R1', 'R2'] },
  { installation: 4_000_000_000, repositories: [] },
]

test('what one process was told each other one finds once, and it finds nothing of its own', async () => {
  const [one, two, three] = [sqlLetIns(sql), sqlLetIns(sql), sqlLetIns(sql)]
  for (const each of [one, two, three]) expect(await each.news()).toEqual([])
  await one.note(acme)
  await one.note(zoo)
  expect(await two.news()).toEqual([acme, zoo])
  expect(await two.news()).toEqual([])
  await two.note(acme)
  expect(await one.news()).toEqual([acme])
  expect(await three.news()).toEqual([acme, zoo, acme])
  expect(await two.news()).toEqual([])
})

test('whoever begins finds what was told in the last minute, and nothing older', async () => {
  await sqlLetIns(sql).note(acme)
  await sql.query(`update let_in set at = at - interval '2 minutes'`)
  await sqlLetIns(sql).note(zoo)
  expect(await sqlLetIns(sql).news()).toEqual([zoo])
})

test('what everybody has found is removed after a day', async () => {
  const other = sqlLetIns(sql)
  await sqlLetIns(sql).note(acme)
  expect(await other.news()).toEqual([acme])
  await sql.query(`update let_in set at = at - interval '25 hours'`)
  await sqlLetIns(sql).note(zoo)
  expect(await other.news()).toEqual([zoo])
  expect(await sql.query('select installation::integer from let_in where installation = 7')).toEqual([])
})
