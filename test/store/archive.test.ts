// Closed tasks in files: read as if they were in the store, verified with it, and in exactly one of the two whatever happens
// in between. Raw answers that were removed leave a chain that holds.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { archiveIn } from '../../src/adapters/store/archive.ts'
import { verifyAll, verifyStream } from '../../src/adapters/store/audit.ts'
import { retention } from '../../src/adapters/store/retention.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import type { Store } from '../../src/ports.ts'
import type { Sql } from '../../src/adapters/store/sql.ts'

import { kept } from '../../src/core/decision/record/answers.ts'
import type { RawAnswer } from '../../src/core/decision/examined.ts'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import { Conflict } from '../../src/ports.ts'
import { everySql } from './opened.ts'
import { lastOf, numbered, sealAll, sealedEvents } from './streams.ts'

const databases = await everySql()

// Events of these tests are of November.
const [before, later] = ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']

describe.each(Object.entries(databases))('in %s', (_, sql) => {
  let directory: string
  let store: Store
  beforeEach(async () => {
    for (const table of ['event', 'open_stream', 'closed_stream', 'archived', 'kept_answer']) {
      await sql.query(`delete from ${table}`)
    }
    directory = mkdtempSync(join(tmpdir(), 'countersign-archive-'))
    store = sqlStore(sql, archiveIn(directory))
    return () => rmSync(directory, { recursive: true })
  })

  const keeping = (over: Sql = sql) => retention(over, store, archiveIn(directory))
  const archive = () => keeping().archive(before, later)
  const closed = async (stream: string, length = 5) => {
    const events = sealedEvents(stream, numbered(length))
    await store.append(stream, 0, events)
    await store.finish(stream, length)
    return events
  }
  const rowsOf = async (stream: string): Promise<number> =>
    (await sql.query('select from event where stream = $1', [stream])).length
  const files = (): string[] => readdirSync(directory)
  const lines = (): string[] =>
    files().flatMap((file) =>
      gunzipSync(readFileSync(join(directory, file)))
        .toString()
        .trimEnd()
        .split('\n'),
    )

  test('a closed task moves, its last event stays, and both are read and verified as one', async () => {
    const [one, two] = [await closed('one'), await closed('two', 700)]
    await store.append('open', 0, sealedEvents('open', numbered(3)))
    expect(await archive()).toEqual({ looked: 2, moved: 2, failed: [] })
    expect([await rowsOf('one'), await rowsOf('two'), await rowsOf('open')]).toEqual([1, 1, 3])
    expect(await store.read('one')).toEqual(one)
    expect(await store.readRaw('one')).toEqual(one)
    for (const after of [0, 1, 300, 698, 699, 700]) expect(await store.read('two', after)).toEqual(two.slice(after))
    expect(await verifyAll(store)).toEqual({ streams: 3, broken: [] })
    expect(await archive()).toEqual({ looked: 0, moved: 0, failed: [] })
  })

  test('a file is called by the hash of its bytes, and is read with zcat and sha256sum alone', async () => {
    const events = await closed('one')
    await archive()
    const [file = ''] = files()
    expect(file).toBe(`${sha256Of(readFileSync(join(directory, file)))}.jsonl.gz`)
    expect(lines()).toEqual(events.slice(0, -1).map((event) => JSON.stringify(event)))
  })

  test('what is younger, or open again, stays', async () => {
    const events = await closed('one')
    expect((await keeping().archive('2026-11-20T10:00:00Z', later)).looked).toBe(0)
    await store.append('one', 5, sealedEvents('one', ['more'], lastOf(events)))
    expect((await archive()).looked).toBe(0)
    expect(await rowsOf('one')).toBe(6)
  })

  test('news follow what was archived, nobody begins it anew, and only what is new moves later', async () => {
    const events = await closed('one')
    await archive()
    await expect(store.append('one', 0, sealedEvents('one', ['anew']))).rejects.toThrow(Conflict)
    const more = sealedEvents('one', ['reopened', 'closed'], lastOf(events))
    await store.append('one', 5, more)
    expect(await store.read('one')).toEqual([...events, ...more])
    await store.finish('one', 7)
    expect(await archive()).toMatchObject({ moved: 1 })
    expect(await store.read('one')).toEqual([...events, ...more])
    expect(await rowsOf('one')).toBe(1)
    expect(lines()).toHaveLength(6)
  })

  test.each(['before the file', 'after the file', 'while it deletes'])(
    'an end %s loses and doubles nothing',
    async (when) => {
      const events = await closed('one')
      const died = new Error('the process ended')
      const dying = {
        ...sql,
        transaction: (work) =>
          sql.transaction(async (query) => {
            if (when === 'after the file') throw died
            await work(query)
            throw died
          }),
      } satisfies Sql
      const files = archiveIn(directory)
      const write = when === 'before the file' ? () => Promise.reject(died) : files.write
      await expect(retention(dying, store, { ...files, write }).archive(before, later)).rejects.toThrow(died)
      expect(await rowsOf('one')).toBe(5)
      expect(await archive()).toEqual({ looked: 1, moved: 1, failed: [] })
      expect(await store.read('one')).toEqual(events)
      expect(lines()).toHaveLength(4)
    },
  )

  test('two who archive at once move everything once', async () => {
    const streams = await Promise.all(numbered(5).map((name) => closed(name)))
    await Promise.allSettled([archive(), archive()])
    for (const events of streams) expect(await store.read(lastOf(events).stream)).toEqual(events)
    expect(await verifyAll(store)).toEqual({ streams: 5, broken: [] })
  })

  test('a stream whose chain does not hold is not moved, and keeps no other one', async () => {
    await closed('a')
    await closed('b')
    await sql.query(`delete from event where stream = 'a' and version = 2`)
    const { looked, moved, failed } = await archive()
    expect({ looked, moved, failed: failed.map(String) }).toEqual({
      looked: 2,
      moved: 1,
      failed: ['Error: a cannot be archived'],
    })
    expect(await rowsOf('a')).toBe(4)
    await expect(store.read('a')).rejects.toThrow('a is not whole')
  })

  test('a file that was changed, cut or taken away is named, and nothing is read past it', async () => {
    await closed('one')
    await closed('two')
    await archive()
    const path = join(directory, files()[0] ?? '')
    const whole = readFileSync(path)
    const why = async () => (await verifyStream(store, 'one'))?.why
    // One that knows how to write such a file, too.
    const place = (await sql.query(`select start::integer as start, bytes from archived where stream = 'one'`))[0]
    const [start, bytes] = [Number(place?.['start']), Number(place?.['bytes'])]
    const forged = gzipSync(
      gunzipSync(whole.subarray(start, start + bytes))
        .toString()
        .replace('number 2', 'number 3'),
    )
    writeFileSync(path, Buffer.concat([whole.subarray(0, start), forged, whole.subarray(start + bytes)]))
    await sql.query(`update archived set bytes = $1 where stream = 'one'`, [forged.length])
    expect(await why()).toBe('its content does not match its own hash')
    await expect(store.read('one')).rejects.toThrow('its content does not match its own hash')
    await sql.query(`update archived set bytes = $1 where stream = 'one'`, [bytes])
    writeFileSync(path, whole.subarray(0, start + 20))
    expect(await why()).toContain('is not what was written there')
    await expect(store.read('one')).rejects.toThrow('is not what was written there')
    renameSync(path, `${path}.away`)
    expect(await why()).toContain('the archive cannot be read')
    await expect(store.read('one')).rejects.toMatchObject({ name: 'DatabaseAway' })
    await expect(store.append('one', 0, sealedEvents('one', ['anew']))).rejects.toThrow(Conflict)
    expect((await verifyAll(store)).broken).toHaveLength(2)
    writeFileSync(path, whole)
    expect(await verifyAll(store)).toEqual({ streams: 2, broken: [] })
  })

  describe('raw answers', () => {
    const answer = { key: 'k', nonce: 'n', model: 'm', text: 'PASS, says the model\u0000 🦉' }
    const failed = (raw: RawAnswer): NewEvent => ({
      type: 'VerificationUnavailable',
      attempt_id: 'acme/app#1@a1',
      head_sha: 'a1',
      data: { task_id: 't', attempt_id: 'a', session_id: 's', reason: 'transient', retry_at: null, raw: [raw] },
    })
    const forget = (until = before) => keeping().forgetAnswers(until, later)
    const answered = async (raw = kept(answer)) => {
      const events = sealAll('one', [failed(raw), failed(kept(answer))])
      await store.append('one', 0, events)
      return events
    }

    test('go after their days, and leave their hashes, with which the chain holds', async () => {
      const events = await answered()
      expect(await store.read('one')).toEqual(events)
      expect(await forget('2026-11-20T10:00:00Z')).toEqual({ looked: 0, failed: [] })
      expect(await forget()).toEqual({ looked: 2, failed: [] })
      const read = await store.read('one')
      expect(read).toEqual(
        events.map((event) => ({ ...event, data: { ...event.data, raw: [{ ...kept(answer), text: '' }] } })),
      )
      expect(JSON.stringify(await sql.query('select body from event'))).not.toContain('says the model')
      expect(await verifyStream(store, 'one')).toBeNull()
      expect(await forget()).toEqual({ looked: 0, failed: [] })
      await store.append('one', 2, sealedEvents('one', ['more'], lastOf(events)))
      expect(await verifyStream(store, 'one')).toBeNull()
    })

    test('that were changed are named', async () => {
      const [event] = await answered({ ...kept(answer), text: 'another one' })
      expect(await verifyStream(store, 'one')).toEqual({
        stream: 'one',
        version: event?.version,
        why: 'an answer of a model in it does not match its hash',
      })
    })

    test('of an older record, which are part of what was hashed, stay', async () => {
      const events = await answered(answer)
      await forget()
      expect((await store.read('one'))[0]).toEqual(events[0])
      expect(await verifyStream(store, 'one')).toBeNull()
    })
  })
})

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
