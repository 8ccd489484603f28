// The event store in SQL: the same statements for Postgres and for PGlite.
// An append is one statement, so it is whole or nothing without a transaction; a race is lost at the primary key and
// never skipped over, since skipping would let half a batch in.
import { z } from 'zod'
import { genesis } from '../../core/decision/record/chain.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { upcast } from '../../core/decision/record/upcast.ts'
import { Conflict, type Store } from '../../ports.ts'
import { type Batch, eventBytesMax, packBatch, pageEventsMax } from './batch.ts'
import { pack, unpack } from './packing.ts'
import type { Sql } from './sql.ts'

export type SqlStore = Store & {
  /** What `find` says of each of several keys. */
  readonly findEach: (keys: readonly string[]) => Promise<readonly (readonly string[])[]>
}

export function sqlStore(db: Sql): SqlStore {
  const findEach = async (keys: readonly string[]): Promise<readonly (readonly string[])[]> => {
    const rows = z.array(keyRow).parse(await db.query(findStatement, [keys]))
    const found = Map.groupBy(rows, ({ key }) => key)
    return keys.map((key) => (found.get(key) ?? []).map(({ stream }) => stream))
  }
  return {
    read: async (stream, after = 0) => (await readBodies(db, stream, after)).map((body) => upcast(body)),
    readRaw: (stream) => readBodies(db, stream, 0),
    append: async (stream, expectedVersion, events) => {
      const batch = packBatch(stream, expectedVersion, events)
      if (batch === null) return
      const appended = await db.query(appendStatement, appendValues(batch, events)).catch((error: unknown) => {
        throw isTaken(error) ? conflict(stream, expectedVersion, error) : error
      })
      if (appended.length === 0) throw conflict(stream, expectedVersion)
    },
    streams: async (after, limit) =>
      z
        .array(nameRow)
        .parse(await db.query(streamsStatement, [after, limit]))
        .map((row) => row.stream),
    open: async (after, limit) => z.array(openRow).parse(await db.query(openStatement, [after, limit])),
    finish: async (stream, version) => {
      await db.query('delete from open_stream where stream = $1 and version = $2', [stream, version])
    },
    find: async (key) => (await findEach([key]))[0] ?? [],
    findEach,
    close: () => db.close(),
  }
}

const appendStatement = `
  with tail as (select version, hash from event where stream = $1 order by version desc limit 1),
  appended as (
    insert into event (stream, version, id, type, at, hash, body, packed)
    select $1, version, id, type, at, hash, body::json, decode(packed, 'base64')
    from unnest($5::integer[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $12::text[])
      as batch (version, id, type, at, hash, body, packed)
    where coalesce((select version from tail), 0) = $2::integer and coalesce((select hash from tail), $4) = $3
    returning version, at
  ),
  opened as (
    insert into open_stream (stream, version, at)
    select $1, version, at from appended order by version desc limit 1
    on conflict (stream) do update set version = excluded.version, at = excluded.at
  ),
  found_by as (
    insert into stream_key (key, stream)
    select key, $1 from unnest($11::text[]) as given (key) where exists (select 1 from appended)
    on conflict do nothing
  )
  select version from appended`

function appendValues({ stream, follows, bodies, keys }: Batch, events: readonly RecordedEvent[]): readonly unknown[] {
  // The database looks into verdicts.
  const packed = bodies.map((body, index) => (events[index]?.type === 'VerificationCompleted' ? null : pack(body)))
  return [
    stream,
    follows.version,
    follows.hash,
    genesis,
    events.map((event) => event.version),
    events.map((event) => event.id),
    events.map((event) => event.type),
    events.map((event) => event.at),
    events.map((event) => event.hash),
    bodies.map((body, index) => (packed[index] === null ? body : null)),
    keys,
    packed,
  ]
}

/** A page travels as one value: a thousand small rows cost twice as much. */
const readStatement = `
  select json_agg(coalesce(body, to_json(encode(packed, 'base64'))) order by version)::text as bodies, max(version) as last
  from (select version, body, packed from event where stream = $1 and version > $2 order by version limit $3) as page`

/** Jumps from name to name along the primary key, past the events in between. */
const streamsStatement = `
  with recursive page (stream, place) as (
    (select stream, 1 from event where stream > $1 order by stream limit 1)
    union all
    select (select stream from event where stream > page.stream order by stream limit 1), place + 1
    from page where stream is not null and place < $2
  )
  select stream from page where stream is not null and place <= $2 order by place`

const openStatement = 'select stream, version, at from open_stream where stream > $1 order by stream limit $2'
const openRow = z.object({ stream: z.string(), version: z.int(), at: z.string() })

const findStatement = 'select key, stream from stream_key where key = any($1::text[]) order by stream'

const keyRow = z.object({ key: z.string(), stream: z.string() })
const nameRow = z.object({ stream: z.string() })
const pageRow = z.object({ bodies: z.string().nullable(), last: z.int().nullable() })

async function readBodies(db: Sql, stream: string, after: number): Promise<readonly unknown[]> {
  const pages: unknown[][] = []
  for (let last = after; ;) {
    const [row] = await db.query(readStatement, [stream, last, pageEventsMax])
    const page = pageRow.parse(row)
    if (page.bodies === null || page.last === null) return pages.flat()
    const events: unknown = JSON.parse(page.bodies)
    if (!Array.isArray(events)) throw new Error(`${stream}: the database answered without a list of events`)
    pages.push(
      events.map((event): unknown => (typeof event === 'string' ? JSON.parse(unpack(event, eventBytesMax)) : event)),
    )
    if (events.length < pageEventsMax) return pages.flat()
    last = page.last
  }
}

/** SQLSTATE 23505, unique_violation: the only unique thing in the table is the place in the stream. */
const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505'

const conflict = (stream: string, expectedVersion: number, cause?: unknown): Conflict =>
  new Conflict(`${stream} is no longer at version ${expectedVersion}: somebody else was faster`, { cause })
