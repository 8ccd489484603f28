// What somebody damaged in the database or in a file of the archive is named where it lies, refused to whoever reads it, and in the way
// of nothing else.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { archiveIn } from '../../src/adapters/store/archive.ts'
import { verifyAll } from '../../src/adapters/store/audit.ts'
import { retention } from '../../src/adapters/store/retention.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import { kept } from '../../src/core/decision/record/answers.ts'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import { retiring } from '../../src/entry/app/rounds/retiring.ts'
import { Conflict, type Store } from '../../src/ports.ts'
import { everySql } from './opened.ts'
import { numbered, sealAll, sealedEvents } from './streams.ts'

const databases = await everySql()

describe.each(Object.entries(databases))('in %s', (_, sql) => {
  let directory: string
  let store: Store
  beforeEach(async () => {
    for (const table of ['event', 'open_stream', 'closed_stream', 'archived', 'kept_answer'])
      await sql.query(`delete from ${table}`)
    directory = mkdtempSync(join(tmpdir(), 'countersign-damaged-'))
    store = sqlStore(sql, archiveIn(directory))
    return () => rmSync(directory, { recursive: true })
  })

  const keeping = () => retention(sql, store, archiveIn(directory))
  const threeClosed = async (): Promise<void> => {
    for (const stream of ['R1#1', 'R1#2', 'R1#3']) {
      await store.append(stream, 0, sealedEvents(stream, numbered(5)))
      await store.finish(stream, 5)
    }
  }
  const archive = () => keeping().archive('2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z')
  const garble = (stream: string, version: number) =>
    sql.query('update event set packed = set_byte(packed, 1, 255) where stream = $1 and version = $2', [
      stream,
      version,
    ])

  test('a row that cannot be unpacked breaks its stream at its place, and no other one', async () => {
    await threeClosed()
    await garble('R1#2', 3)
    const why = 'it can no longer be read as an event'
    expect(await verifyAll(store)).toEqual({ streams: 3, broken: [{ stream: 'R1#2', version: 3, why }] })
    await expect(store.read('R1#2')).rejects.toThrow(`R1#2: event 3: ${why}`)
    const read = await Promise.allSettled([store.read('R1#1', 2), store.read('R1#2', 2), store.read('R1#3', 2)])
    expect(read.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await archive()).failed.map(String)).toEqual(['Error: R1#2 cannot be archived'])
  })

  test('a line of the archive that is no JSON any more breaks its stream, and no other one', async () => {
    await threeClosed()
    await archive()
    const path = join(directory, readdirSync(directory)[0] ?? '')
    const rows = await sql.query(`select start::integer as start, bytes from archived where stream = 'R1#2'`)
    const [start, bytes] = [Number(rows[0]?.['start']), Number(rows[0]?.['bytes'])]
    const whole = readFileSync(path)
    const lines = gunzipSync(whole.subarray(start, start + bytes)).toString()
    const forged = gzipSync(lines.replace('{', '['))
    writeFileSync(path, Buffer.concat([whole, forged]))
    await sql.query(`update archived set start = $1, bytes = $2 where stream = 'R1#2'`, [whole.length, forged.length])
    expect((await verifyAll(store)).broken).toMatchObject([{ stream: 'R1#2', version: 1 }])
    await expect(store.read('R1#2')).rejects.toThrow('R1#2: event')
  })

  test('an archived stream of which the last event is gone is no empty one, and nobody begins it anew', async () => {
    await threeClosed()
    const [, second] = await store.read('R1#2')
    await archive()
    await sql.query(`delete from event where stream = 'R1#2'`)
    const why = 'it is gone, and so is all that came after it'
    expect(await verifyAll(store)).toEqual({ streams: 3, broken: [{ stream: 'R1#2', version: 5, why }] })
    await expect(store.read('R1#2')).rejects.toThrow(`R1#2: event 5: ${why}`)
    await expect(store.read('R1#2', 2, second?.hash)).rejects.toThrow(`R1#2: event 5: ${why}`)
    await expect(store.append('R1#2', 0, sealedEvents('R1#2', ['anew']))).rejects.toThrow(Conflict)
    await store.append('R1#4', 0, sealedEvents('R1#4', ['new']))
    expect(await store.streams('', 9)).toEqual(['R1#1', 'R1#2', 'R1#3', 'R1#4'])
    expect(await store.streams('R1#1', 1)).toEqual(['R1#2'])
  })

  describe('of what is kept for a while', () => {
    const raw = [kept({ key: 'k', nonce: 'n', model: 'm', text: 'PASS, says the model' })]
    const answered: NewEvent = {
      type: 'VerificationUnavailable',
      attempt_id: 'acme/app#1@a1',
      head_sha: 'a1',
      data: { task_id: 't', attempt_id: 'a', session_id: 's', reason: 'transient', retry_at: null, raw },
    }
    const days = { archiveDays: 60, answerDays: 30, archiveDir: null }
    const retire = (now = '2027-05-01T00:00:00.000Z') =>
      retiring({ ...keeping(), tidy: async () => undefined }, days, { now: () => now })()
    beforeEach(async () => {
      for (let number = 10; number < 25; number += 1)
        await store.append(`R1#${number}`, 0, sealAll(`R1#${number}`, [answered]))
      await threeClosed()
    })
    const stillAnswered = async () => {
      const all = await Promise.all(
        (await store.streams('', 99)).map(async (stream) => [stream, await store.readRaw(stream)]),
      )
      return all.filter((one) => JSON.stringify(one).includes('says the model')).map(([stream]) => stream)
    }
    const moved = async () => (await sql.query('select from archived')).length

    test('nothing is there when its time is over', async () => {
      expect(await retire()).toEqual([])
      expect([await stillAnswered(), await moved()]).toEqual([[], 3])
    })

    test('answers that cannot be read are told, keep no other ones, and have their turn again a day later', async () => {
      await garble('R1#10', 1)
      const words = 'Error: R1#10: event 1: its raw answers cannot be removed'
      expect((await retire()).map(String)).toEqual([words])
      expect([await stillAnswered(), await moved()]).toEqual([[], 3])
      expect(await retire()).toEqual([])
      expect((await retire('2027-05-02T00:00:00.001Z')).map(String)).toEqual([words])
    })

    test('however many events are gone, what they had is in the way of nothing', async () => {
      for (let number = 10; number < 22; number += 1)
        await sql.query('delete from event where stream = $1', [`R1#${number}`])
      expect(await retire()).toEqual([])
      expect([await stillAnswered(), await moved()]).toEqual([[], 3])
      expect(await sql.query('select from kept_answer')).toEqual([])
    })
  })
})
