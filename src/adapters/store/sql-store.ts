// The event store in SQL: the same statements for Postgres and for PGlite. What many ask at once is asked together.
// Older events may lie in the archive. They are read as if they were here, and a stream that is not whole is not read at all. In the
// place of an event that cannot be unpacked any more, or is gone, stands an error: the audit names it, and whoever reads is refused.
import { z } from 'zod'
import { NotOnRecord, verifyChain } from '../../core/decision/record/chain.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { isLink, upcast } from '../../core/decision/record/upcast.ts'
import type { Store } from '../../ports.ts'
import { appending } from './appending.ts'
import { archiveIn, ArchiveUnreadable, type Archive } from './archive.ts'
import { eventBytesMax, packBatch, pageEventsMax } from './batch.ts'
import { grouped } from '../together/grouped.ts'
import { unpack } from './packing.ts'
import type { Sql } from './sql.ts'

/** `lanesMax`: how many statements of a kind may be under way at once. */
export function sqlStore(db: Sql, archive: Archive = archiveIn(null), lanesMax = 1): Store {
  const limits = { lanesMax, itemsMax: togetherMax }
  const append = appending(db, lanesMax)
  const findEach = async (keys: readonly string[]): Promise<readonly (readonly string[])[]> => {
    const rows = z.array(keyRow).parse(await db.query(findStatement, [keys]))
    const found = Map.groupBy(rows, ({ key }) => key)
    return keys.map((key) => (found.get(key) ?? []).map(({ stream }) => stream))
  }
  const addedEach = async (known: readonly Known[]): Promise<readonly Added[]> => {
    const values = [
      known.map(({ stream }) => stream),
      known.map(({ version }) => version),
      addedMax,
      addedBytesMax,
      known.map(({ hash }) => hash),
    ]
    const rows = z.array(addedRow).parse(await db.query(addedStatement, values))
    const added = new Map<number, Added>(
      rows.map(({ place, bodies, gone }) => [place, gone ? 'gone' : bodies === null ? 'more' : bodiesIn(bodies)]),
    )
    return known.map((_, index) => added.get(index + 1) ?? [])
  }
  // For most commits that deliveries tell of there is nothing of ours, and to most streams nothing was added.
  const finds = grouped(findEach, limits)
  const additions = grouped(addedEach, limits)
  return {
    read: async (stream, after = 0, hash) => {
      const added = after === 0 ? 'more' : await additions.add({ stream, version: after, hash: hash ?? null })
      const few = typeof added === 'string' ? null : eventsIn(stream, added, after)
      // What is missing in between lies in the archive, or nowhere.
      if (few !== null && isWhole(few, after)) return few
      if (added === 'gone') return behind(await readVerified(db, archive, stream), { stream, after, hash })
      const { bodies, archived } = await readBodies(db, archive, stream, after)
      if (archived) return (await readVerified(db, archive, stream)).slice(after)
      const events = eventsIn(stream, bodies, after)
      if (!isWhole(events, after)) throw new Error(`${stream} is not whole`)
      return events
    },
    readRaw: async (stream) => (await readBodies(db, archive, stream, 0)).bodies,
    newest: async (streams) => {
      const rows = z.array(newestRow).parse(await db.query(newestStatement, [streams]))
      return new Map(rows.map(({ stream, bodies }) => [stream, bodiesIn(bodies)[0]]))
    },
    append: async (stream, expectedVersion, events) => {
      const batch = packBatch(stream, expectedVersion, events)
      if (batch === null) return
      await append({ batch, events })
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
    find: finds.add,
    close: () => db.close(),
  }
}

/** A page travels as one value: a thousand small rows cost twice as much. `lost`: of what is behind them only the archive knows. */
const readStatement = `
  select json_agg(coalesce(body, to_json(encode(packed, 'base64'))) order by version)::text as bodies,
    min(version) as first, max(version) as last,
    max(version) is null and exists (select from archived where stream = $1 and last > $2) as lost
  from (select version, body, packed from event where stream = $1 and version > $2 order by version limit $3) as page`

const newestStatement = `
  select stream, json_build_array(coalesce(body, to_json(encode(packed, 'base64'))))::text as bodies
  from unnest($1::text[]) as given (name)
  cross join lateral (
    select stream, body, packed from event where stream = name order by version desc limit 1
  ) as newest`
const newestRow = z.object({ stream: z.string(), bodies: z.string() })

/** Jumps from name to name along the primary keys, past the events in between. All of a stream that is left may lie in the archive. */
const nextAfter = (name: string): string => `least(
  (select stream from event where stream > ${name} order by stream limit 1),
  (select stream from archived where stream > ${name} order by stream limit 1)
)`
const streamsStatement = `
  with recursive page (stream, place) as (
    select ${nextAfter('$1')}, 1
    union all
    select ${nextAfter('page.stream')}, place + 1 from page where stream is not null and place < $2
  )
  select stream from page where stream is not null and place <= $2 order by place`

const finishStatement = `
  with finished as (delete from open_stream where stream = $1 and version = $2 returning stream, at)
  insert into closed_stream (stream, at) select stream, at from finished
  on conflict (stream) do update set at = excluded.at`

const openStatement = 'select stream, version, at from open_stream where stream > $1 order by stream limit $2'
const openRow = z.object({ stream: z.string(), version: z.int(), at: z.string() })

const togetherMax = 100

/** `hash`: of the event of that version, where it matters that it is the one that is known. */
type Known = { readonly stream: string; readonly version: number; readonly hash: string | null }
/** What was added to a stream, or that this has to be read by itself, since there is more or what is known is not there. */
type Added = readonly unknown[] | 'more' | 'gone'

/** With more of them, or larger ones, each stream is read by itself. */
const addedMax = 20
const addedBytesMax = 64 * 1024

const addedStatement = `
  select place::integer, gone, case when count <= $3 and bytes <= $4 then bodies end as bodies
  from unnest($1::text[], $2::integer[], $5::text[]) with ordinality as known (name, last, hash, place)
  cross join lateral (
    select hash is not null and not exists (
      select from event where stream = name and version = last and event.hash = known.hash
    ) as gone
  ) as remembered
  cross join lateral (
    select count(*)::integer as count, sum(coalesce(octet_length(packed), octet_length(body::text))) as bytes,
      json_agg(coalesce(body, to_json(encode(packed, 'base64'))) order by version)::text as bodies
    from (select version, body, packed from event where stream = name and version > last order by version limit $3 + 1)
      as page
  ) as added
  where count > 0 or gone`
const addedRow = z.object({ place: z.int(), gone: z.boolean(), bodies: z.string().nullable() })

/** Of a whole stream, which may lie in the archive in part. */
function behind(
  all: readonly RecordedEvent[],
  { stream, after, hash }: { readonly stream: string; readonly after: number; readonly hash: string | undefined },
): readonly RecordedEvent[] {
  if (all[after - 1]?.hash === hash) return all.slice(after)
  throw new NotOnRecord(stream, after)
}

const isWhole = (events: readonly RecordedEvent[], after: number): boolean =>
  events.every(({ version }, index) => version === after + index + 1)

const findStatement = 'select key, stream from stream_key where key = any($1::text[]) order by stream'

const keyRow = z.object({ key: z.string(), stream: z.string() })
const nameRow = z.object({ stream: z.string() })
const pageRow = z.object({
  bodies: z.string().nullable(),
  first: z.int().nullable(),
  last: z.int().nullable(),
  lost: z.boolean(),
})
const archivedStatement = `
  select first, file, start::float8 as start, bytes from archived
  where stream = $1 and last > $2 and first < $3 order by first`
const archivedRow = z.object({ first: z.int(), file: z.string(), start: z.int(), bytes: z.int() })

/** As PostgreSQL counts them. */
const VERSION_MAX = 2_147_483_647

/** `archived`: some of them lie in files. */
type Bodies = { readonly bodies: readonly unknown[]; readonly archived: boolean }

async function readBodies(db: Sql, archive: Archive, stream: string, after: number): Promise<Bodies> {
  const pages: (readonly unknown[])[] = []
  let archived = false
  for (let last = after; ;) {
    const [row] = await db.query(readStatement, [stream, last, pageEventsMax])
    const page = pageRow.parse(row)
    if (page.bodies === null || page.first === null || page.last === null) {
      if (!page.lost) return { bodies: pages.flat(), archived }
      const older = await readArchived(db, archive, stream, { after: last, before: VERSION_MAX })
      return { bodies: [...pages.flat(), ...older, lostEnd()], archived: true }
    }
    if (page.first > last + 1) {
      const older = await readArchived(db, archive, stream, { after: last, before: page.first })
      archived ||= older.length > 0
      pages.push(older)
    }
    const events = bodiesIn(page.bodies)
    pages.push(events)
    if (events.length < pageEventsMax) return { bodies: pages.flat(), archived }
    last = page.last
  }
}

function bodiesIn(page: string): readonly unknown[] {
  return z
    .array(z.unknown())
    .parse(JSON.parse(page))
    .map((event) => (typeof event === 'string' ? bodyIn(() => unpack(event, eventBytesMax)) : event))
}

const lostEnd = (): Error => new Error('it is gone, and so is all that came after it')

function bodyIn(text: () => string): unknown {
  try {
    return JSON.parse(text())
  } catch (cause) {
    return new Error('it can no longer be read as an event', { cause })
  }
}

const eventsIn = (stream: string, bodies: readonly unknown[], after = 0): readonly RecordedEvent[] =>
  bodies.map((body, index) => {
    if (!(body instanceof Error)) return upcast(body)
    throw new Error(`${stream}: event ${after + index + 1}: ${body.message}`, { cause: body })
  })

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
    bodies.push(...wanted.map((line) => bodyIn(() => line)))
  }
  return bodies
}

/** Files can be changed more easily than a database: nothing is decided on one that does not hold. */
async function readVerified(db: Sql, archive: Archive, stream: string): Promise<readonly RecordedEvent[]> {
  const { bodies } = await readBodies(db, archive, stream, 0)
  const broken = verifyChain(bodies.filter(isLink))
  if (broken !== null) throw new ArchiveUnreadable(`${stream}: event ${broken.version}: ${broken.why}`)
  return eventsIn(stream, bodies)
}
