// The event store in SQL: the same statements for Postgres and for PGlite.
// An append is one statement, so it is whole or nothing without a transaction; a race is lost at the primary key and
// never skipped over, since skipping would let half a batch in.
// Older events may lie in the archive. They are read as if they were here, and a stream that is not whole is not read at all.
import { z } from 'zod'
import { hasAnswers } from '../../core/decision/record/answers.ts'
import { genesis, verifyChain } from '../../core/decision/record/chain.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { isLink, upcast } from '../../core/decision/record/upcast.ts'
import { Conflict, type Store } from '../../ports.ts'
import { archiveIn, ArchiveUnreadable, type Archive } from './archive.ts'
import { type Batch, eventBytesMax, packBatch, pageEventsMax } from './batch.ts'
import { pack, unpack } from './packing.ts'
import type { Sql } from './sql.ts'

export type SqlStore = Store & {
  /** What `find` says of each of several keys. */
  readonly findEach: (keys: readonly string[]) => Promise<readonly (readonly string[])[]>
}

export function sqlStore(db: Sql, archive: Archive = archiveIn(null)): SqlStore {
  const findEach = async (keys: readonly string[]): Promise<readonly (readonly string[])[]> => {
    const rows = z.array(keyRow).parse(await db.query(findStatement, [keys]))
    const found = Map.groupBy(rows, ({ key }) => key)
    return keys.map((key) => (found.get(key) ?? []).map(({ stream }) => stream))
  }
  return {
    read: async (stream, after = 0) => {
      const { bodies, archived } = await readBodies(db, archive, stream, after)
      if (archived) return (await readVerified(db, archive, stream)).slice(after)
      const events = bodies.map((body) => upcast(body))
      if (events.some(({ version }, index) => version !== after + index + 1)) throw new Error(`${stream} is not whole`)
      return events
    },
    readRaw: async (stream) => (await readBodies(db, archive, stream, 0)).bodies,
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
      await db.query(finishStatement, [stream, version])
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
  answered as (
    insert into kept_answer (stream, version, at)
    select $1, version, at from appended where version = any($13::integer[])
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
    events.filter(hasAnswers).map((event) => event.version),
  ]
}

/** A page travels as one value: a thousand small rows cost twice as much. */
const readStatement = `
  select json_agg(coalesce(body, to_json(encode(packed, 'base64'))) order by version)::text as bodies,
    min(version) as first, max(version) as last
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

const finishStatement = `
  with finished as (delete from open_stream where stream = $1 and version = $2 returning stream, at)
  insert into closed_stream (stream, at) select stream, at from finished
  on conflict (stream) do update set at = excluded.at`

const openStatement = 'select stream, version, at from open_stream where stream > $1 order by stream limit $2'
const openRow = z.object({ stream: z.string(), version: z.int(), at: z.string() })

const findStatement = 'select key, stream from stream_key where key = any($1::text[]) order by stream'

const keyRow = z.object({ key: z.string(), stream: z.string() })
const nameRow = z.object({ stream: z.string() })
const pageRow = z.object({ bodies: z.string().nullable(), first: z.int().nullable(), last: z.int().nullable() })
const archivedStatement = `
  select first, file, start::float8 as start, bytes from archived
  where stream = $1 and last > $2 and first < $3 order by first`
const archivedRow = z.object({ first: z.int(), file: z.string(), start: z.int(), bytes: z.int() })

/** `archived`: some of them lie in files. */
type Bodies = { readonly bodies: readonly unknown[]; readonly archived: boolean }

async function readBodies(db: Sql, archive: Archive, stream: string, after: number): Promise<Bodies> {
  const pages: (readonly unknown[])[] = []
  let archived = false
  for (let last = after; ;) {
    const [row] = await db.query(readStatement, [stream, last, pageEventsMax])
    const page = pageRow.parse(row)
    if (page.bodies === null || page.first === null || page.last === null) return { bodies: pages.flat(), archived }
    if (page.first > last + 1) {
      const older = await readArchived(db, archive, stream, { after: last, before: page.first })
      archived ||= older.length > 0
      pages.push(older)
    }
    const events: unknown = JSON.parse(page.bodies)
    if (!Array.isArray(events)) throw new Error(`${stream}: the database answered without a list of events`)
    pages.push(
      events.map((event): unknown => (typeof event === 'string' ? JSON.parse(unpack(event, eventBytesMax)) : event)),
    )
    if (events.length < pageEventsMax) return { bodies: pages.flat(), archived }
    last = page.last
  }
}

async function readArchived(
  db: Sql,
  archive: Archive,
  stream: string,
  { after, before }: { readonly after: number; readonly before: number },
): Promise<readonly unknown[]> {
  const bodies: unknown[] = []
  for (const { first, ...place } of z
    .array(archivedRow)
    .parse(await db.query(archivedStatement, [stream, after, before]))) {
    const lines = await archive.read(place)
    const wanted = lines.slice(Math.max(0, after + 1 - first), Math.max(0, before - first))
    bodies.push(...wanted.map((line): unknown => JSON.parse(line)))
  }
  return bodies
}

/** Files can be changed more easily than a database: nothing is decided on one that does not hold. */
async function readVerified(db: Sql, archive: Archive, stream: string): Promise<readonly RecordedEvent[]> {
  const { bodies } = await readBodies(db, archive, stream, 0)
  const broken = verifyChain(bodies.filter(isLink))
  if (broken !== null) throw new ArchiveUnreadable(`${stream}: event ${broken.version}: ${broken.why}`)
  return bodies.map((body) => upcast(body))
}

/** SQLSTATE 23505, unique_violation: the only unique thing in the table is the place in the stream. */
const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505'

const conflict = (stream: string, expectedVersion: number, cause?: unknown): Conflict =>
  new Conflict(`${stream} is no longer at version ${expectedVersion}: somebody else was faster`, { cause })
