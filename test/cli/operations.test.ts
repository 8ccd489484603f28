// What an operator asks by a name that people know: of a repository that was renamed, or whose name another one has now, of all that lies
// at one number, and beside what cannot be read.
import { beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import { emptyTail, seal } from '../../src/core/decision/record/chain.ts'
import { operationsOver } from '../../src/entry/operations.ts'
import type { Store } from '../../src/ports.ts'
import { embeddedSql } from '../store/opened.ts'
import { aRecord } from './a-store.ts'

const inbox = {
  status: async () => ({ waiting: 0, dead: 0, oldest_waiting_at: null }),
  dead: async () => [],
  replay: async () => false,
}
const actor = { kind: 'human', login: 'ada', id: 7 } as const

let streams: Map<string, readonly string[]>
let store: Store
let day: number
beforeEach(() => {
  streams = new Map()
  store = memoryStore(streams)
  day = 10
})
const operations = () => operationsOver(store, inbox)

/** What is said later is of a later day. */
async function said(stream: string, task_id: string): Promise<void> {
  const data = { by: 'ada', summary: 'one', files_changed: [], implicit: false }
  const event = { type: 'TaskSubmitted', attempt_id: 'one', head_sha: 'a1', data } as const
  day += 1
  const before = (await store.read(stream)).at(-1) ?? emptyTail
  const sealing = { stream, task_id, at: `2026-11-${day}T10:00:00Z`, actor, correlation_id: 'c1' }
  await store.append(stream, before.version, seal([event], before, sealing))
}
const tamper = (stream: string): void => {
  const bodies = streams.get(stream) ?? []
  streams.set(
    stream,
    bodies.map((one) => one.replace('"ada"', '"eve"')),
  )
}

describe('a repository', () => {
  const recorded = async (name: string): Promise<readonly (string | undefined)[]> =>
    (await operations().records(name, 9)).map(({ events }) => events[0]?.stream)

  test('that was never renamed has its name, however it is written', async () => {
    await said('R1#1', 'acme/shop#1')
    await said('R1#2', 'acme/shop#2')
    expect(await recorded('Acme/Shop')).toEqual(['R1#2', 'R1#1'])
    expect(await recorded('acme/app')).toEqual([])
  })

  test('that was renamed has the name by which it was known last, wherever something was said last', async () => {
    await said('R1#1', 'acme/old#1')
    await said('R1#3', 'acme/old#3')
    await said('R1#2', 'acme/new#2')
    expect(await recorded('acme/new')).toEqual(['R1#3', 'R1#2', 'R1#1'])
    expect(await recorded('acme/old')).toEqual(['R1#3', 'R1#2', 'R1#1'])
  })

  test('that has a name now is told of, and none that had it before', async () => {
    await said('R1#1', 'acme/shop#1')
    await said('R1#2', 'acme/attic#2')
    await said('R2#1', 'acme/shop#1')
    expect(await recorded('acme/shop')).toEqual(['R2#1'])
    expect(await recorded('acme/attic')).toEqual(['R1#2', 'R1#1'])
  })

  test('that got its name from one that is gone comes before it', async () => {
    await said('R3#1', 'acme/shop#1')
    await said('R2#1', 'acme/shop#1')
    expect(await recorded('acme/shop')).toEqual(['R2#1', 'R3#1'])
  })
})

describe('of all that lies at a number', () => {
  const verified = async (task: string) => {
    const told = await operations().verify(task)
    return told === null ? null : { streams: told.streams, broken: told.broken.map(({ stream }) => stream) }
  }
  const kinds = ['R1#7', 'R1#goal-7', 'R1#request-7', 'R1#criteria-7']

  test.each(kinds)('%s is named where it was changed', async (changed) => {
    for (const stream of kinds) await said(stream, 'acme/shop#7')
    await said('R1#17', 'acme/shop#17')
    await said('R2#7', 'acme/app#7')
    for (const stream of [changed, 'R1#17', 'R2#7']) tamper(stream)
    expect(await verified('acme/shop#7')).toEqual({ streams: 4, broken: [changed] })
    expect(await verified('acme/shop#8')).toBeNull()
  })

  test('what lies there under an older name of its repository is verified by either name', async () => {
    await said('R1#7', 'acme/old#7')
    await said('R1#8', 'acme/new#8')
    for (const name of ['acme/old#7', 'acme/new#7']) expect(await verified(name)).toEqual({ streams: 1, broken: [] })
  })
})

test('a row that cannot be read is in the way of nothing that is asked about another repository', async () => {
  const sql = await embeddedSql()
  await migrate(sql)
  await aRecord('R1#1', 'acme/shop#1')(sql)
  await aRecord('R2#1', 'acme/app#1')(sql)
  await sql.query(`update event set packed = set_byte(packed, 1, 255) where stream = 'R1#1' and version = 2`)
  store = sqlStore(sql)
  expect(await operations().document('attempt', 'acme/app', 9)).toBeNull()
  expect((await operations().records('acme/app', 9)).map(({ task_id }) => task_id)).toEqual(['acme/app#1'])
  expect((await operations().verify('acme/app#1'))?.broken).toEqual([])
  // Of its own repository it is told beside the others.
  await aRecord('R1#2', 'acme/shop#2')(sql)
  expect((await operations().records('acme/shop', 9)).map(({ task_id, unread }) => [task_id, unread])).toEqual([
    ['acme/shop#2', null],
    ['R1#1', 'R1#1: event 2: it can no longer be read as an event'],
  ])
  expect((await operations().verify('acme/shop#1'))?.broken).toMatchObject([{ stream: 'R1#1', version: 2 }])
  await sql.close()
})
