// What the tables themselves hold to, whatever code writes to them, and how they come to be.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Migration, migrate, migrations } from '../../src/adapters/store/migrations.ts'
import { openPostgres } from '../../src/adapters/store/postgres/postgres.ts'
import type { Sql } from '../../src/adapters/store/sql.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import { sha256 } from '../../src/core/canonical.ts'
import { Conflict } from '../../src/ports.ts'
import { everySql, postgresSql } from './opened.ts'
import { lastOf, sealedEvents } from './streams.ts'

const databaseUrl = process.env['DATABASE_URL']
const databases = await everySql()

const insert = (sql: Sql, type: string, data: object): Promise<unknown> =>
  sql.query(`insert into event values ($1, 1, 'id', $2, 'at', 'hash', $3)`, [
    randomUUID(),
    type,
    JSON.stringify({ type, data }),
  ])

describe.each(Object.entries(databases))('the tables in %s', (_, sql) => {
  test.each(['bot-1', 'BOT-1'])('refuse a verdict of the one who made it, written %s', async (generator_agent_id) => {
    const verdict = {
      evaluator: { agent_id: 'Bot-1' },
      reasoning: 'nul \u0000, half a pair \ud83e',
      generator_agent_id,
    }
    await expect(insert(sql, 'VerificationCompleted', verdict)).rejects.toThrow('nobody_judges_their_own_work')
  })

  test.each([{ generator_agent_id: 'bot-2' }, { generator_agent_id: null }, {}])(
    'take a verdict of somebody else: %j',
    async (generator) => {
      const verdict = { evaluator: { agent_id: 'bot-1' }, reasoning: 'nul \u0000, half a pair \ud83e', ...generator }
      await expect(insert(sql, 'VerificationCompleted', verdict)).resolves.toEqual([])
    },
  )

  test('a queue that nobody has counted yet is read by its index, in order, and not collected and sorted', async () => {
    await sql.query('create table queue (name text, turn integer, at timestamptz default now(), words text)')
    await sql.query('create index queue_next on queue (name, turn desc, at)')
    await sql.query(
      `insert into queue select 'wake', n * 7919 % 1000, now(), repeat('x', 200) from generate_series(1, 3000) as n`,
    )
    const next = `select words from queue where name = 'wake' and at <= now() order by turn desc, at limit 64`
    const plan = JSON.stringify(await sql.query(`explain (costs off) ${next}`))
    await sql.query('drop table queue')
    expect(plan).toContain('Index Scan using queue_next')
    expect(plan).not.toMatch(/Sort|Bitmap/)
  })

  test('a place that was taken between the look and the write is a conflict', async () => {
    const store = sqlStore(sql)
    await store.append('taken', 0, sealedEvents('taken', ['first']))
    const again = 'insert into event select * from event where stream = $1'
    const late = sqlStore({ ...sql, query: () => sql.query(again, ['taken']) })
    const end = await late.append('taken', 0, sealedEvents('taken', ['second'])).catch((error: unknown) => error)
    expect(end).toBeInstanceOf(Conflict)
    expect(end).toHaveProperty('cause.code', '23505')
    expect(await store.read('taken')).toHaveLength(1)
  })

  test('trouble that is no lost race is not called a conflict', async () => {
    const broken = sqlStore({ ...sql, query: () => sql.query('select 1 / 0') })
    const end = await broken.append('x', 0, sealedEvents('x', ['first'])).catch((error: unknown) => error)
    expect(end).not.toBeInstanceOf(Conflict)
    expect(end).toHaveProperty('code', '22012')
  })

  test('an append is taken up where a longer history ends', async () => {
    const store = sqlStore(sql)
    const events = sealedEvents('long', Array<string>(1_000).fill('x'))
    await store.append('long', 0, events)
    await store.append('long', 1_000, sealedEvents('long', ['y'], lastOf(events)))
    expect(await store.read('long', 1_000)).toHaveLength(1)
  })

  test('each migration is applied once, and what fails leaves nothing behind', async () => {
    const more = (statement: string): readonly Migration[] => [
      ...migrations,
      { number: 999, statements: ['create table half ()', statement] },
    ]
    await expect(migrate(sql, more('nonsense'))).rejects.toThrow('syntax error')
    await migrate(sql, more('drop table half'))
    await migrate(sql, more('drop table half'))
    await expect(migrate(sql)).rejects.toThrow('set up by a newer Countersign: it has migration 999')
    await sql.query('delete from migration where number = 999')
  })
})

test.skipIf(databaseUrl === undefined)(
  'processes that start at once on Postgres set it up once (needs DATABASE_URL)',
  async () => {
    const fresh = await postgresSql(databaseUrl ?? '')
    await Promise.all(Array.from({ length: 8 }, () => migrate(fresh)))
    expect(await fresh.query('select number from migration order by number')).toEqual(
      migrations.map(({ number }) => ({ number })),
    )
    await fresh.close()
  },
)

test('a Postgres server that does not answer is named as the trouble', async () => {
  await expect(openPostgres('postgres://nobody@127.0.0.1:1/none')).rejects.toThrow(
    'The event store in Postgres could not be opened: connect ECONNREFUSED 127.0.0.1:1.',
  )
})

test('shipped migrations are as they were shipped', () => {
  expect(migrations.map(({ number, statements }) => [number, sha256(statements.join(';'))])).toEqual([
    [1, 'bd3ae71935b6728b97c72e08c1704b5277c963f576dcbc7d774b3c48b2104958'],
    [2, 'c3711899d8dbfc5f65a85428333fd7aa61c600e432e57161f460d6ccdb8ddc9d'],
    [3, '6b98fd1301a469be8311dee8e6af82ab848b6a94e607e1874fcbb36e6553f752'],
    [4, '73a8d0215996df587e0b5365526c085cb1127d3277f07dd7029ca7a741edadb6'],
    [5, 'ecebddb4c2811b8b424e647fd52717852a2253d2f222fe448844b10acf0bac89'],
    [6, '4be69e9edab82b4e55b262e0e7b29859dcbeb34f0dbe4f60fdb962295cd15083'],
    [7, '448838fd83039fd2a14676b7566869eef175b187a987563eb43b53c506d60bc6'],
    [8, '48d6353ec42f547945c439959504ef19df5d3b292e838cc99e03dc3f03eb6c05'],
    [9, 'd687695cdaca353cebe23d7f85497b4b2ede4877f45d0959adf52ad722f95135'],
    [10, '5543c37c74413e1960e99005e8b6f940f4a88a4e3710f5774a0c0d86254864bf'],
    [11, '4637d54702101a863fcb0bccb0bf8d7059189bd9d3be970b293a580390f7ee32'],
    [12, 'ed4565c0647551750d49a7fee299ed69ba9f28101fee93c881b977925a265300'],
    [13, '6ef8c5083c4c52e0f62621d72b29d5dbcb2ff93b5071c28f0bb2e6eeb2102d70'],
    [14, 'e7dc1624d85a449a6e8f407e8f5a51c763a00075906c470440049faf8d55ff5d'],
    [15, 'd316e58afa2b6da6271a021c96885688c3c377311ba52426f9161e103a5e4ff7'],
    [16, '8e978d20784c35bb6308351ba96191189d40d63311b77b315d2cc41cfdd46136'],
    [17, '397d68e9c7e4415eac5857b7be185b18d61e3bcde3f14f6ce94a4738b6325bbe'],
  ])
})
