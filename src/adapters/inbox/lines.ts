// The lines and their deliveries in SQL, the same for Postgres and PGlite. A line's row is locked by whoever adds to it
// or moves it on, which makes order of place the order of commit, between processes too: what is behind a place that was
// read under the lock is there, or never will be.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Query } from './database.ts'
import type { Arrival, DeadLetter, Delivery, InboxStatus } from './inbox.ts'

/** Where a line stands: the place of the newest delivery that is done, and of the newest one. */
export type Place = { readonly done: number; readonly last: number }
export type Incoming = Omit<Arrival, 'body'> & {
  /** The body as JSON. */
  readonly text: string
}
export type Waiting = Delivery & { readonly seq: number }

/** Stores deliveries behind those of their lines and gives the keys. What is known by its guid is left out. */
export async function appendDeliveries(
  query: Query,
  arrivals: readonly Incoming[],
  receivedAt: string,
): Promise<readonly string[]> {
  const groups = Map.groupBy(arrivals, ({ key }) => key)
  const keys = [...groups.keys()]
  const counts = keys.map((key) => groups.get(key)?.length ?? 0)
  const lines = lastRows.parse(await query(growStatement, [keys, counts]))
  const placed = lines.flatMap(({ key, last }) => {
    const group = groups.get(key) ?? []
    return group.map((arrival, index) => ({ ...arrival, seq: last - group.length + 1 + index }))
  })
  await query(appendStatement, [
    placed.map(({ key }) => key),
    placed.map(({ seq }) => seq),
    placed.map(({ guid }) => guid),
    placed.map(({ text }) => text).join(between),
    receivedAt,
  ])
  return keys
}

const growStatement = `
  insert into inbox_line (key, last_seq, done_seq)
  select key, count, 0 from unnest($1::text[], $2::integer[]) as batch (key, count)
  order by key collate "C"
  on conflict (key) do update set last_seq = inbox_line.last_seq + excluded.last_seq
  returning key, last_seq as last`
const lastRows = z.array(z.object({ key: z.string(), last: z.int() }))

/**
 * Bodies travel as one text: in an array each quote of theirs would be escaped here and read again there, which costs as
 * much as storing them. JSON never holds this character but escaped.
 */
export const between = '\u001e'

const appendStatement = `
  insert into delivery (key, seq, guid, body, received_at)
  select key, seq, guid, body::json, $5
  from unnest($1::text[], $2::integer[], $3::text[], string_to_array($4, chr(30))) as batch (key, seq, guid, body)
  order by guid
  on conflict (guid) do nothing`

export type Held = { readonly key: string; readonly holder: string }

/** With how many deliveries it is taken up. */
export type Taking = Held & { readonly limit: number }
export type Taken = { readonly place: Place; readonly waiting: readonly Waiting[] }

/**
 * Takes lines up, so that whoever held them before can no longer move them on, with their next deliveries, as many as fit. What
 * came while a line was waited for may be missing behind those. Lines that are gone are none.
 */
export async function takeUp(query: Query, held: readonly Taking[]): Promise<readonly (Taken | null)[]> {
  const rows = takenRows.parse(
    await query(takeStatement, [keysOf(held), holdersOf(held), held.map(({ limit }) => limit), lineBytesMax]),
  )
  const taken = Map.groupBy(rows, ({ holder }) => holder)
  return held.map(({ holder }) => {
    const [first, ...more] = taken.get(holder) ?? []
    if (first === undefined) return null
    return {
      place: { done: first.done, last: first.last },
      waiting: [first, ...more].filter((row) => row.seq !== null),
    }
  })
}

/** Moves lines on and says where they stand then; no place where somebody else took the line up since. */
export async function moveOn(
  query: Query,
  held: readonly (Held & Pick<Place, 'done'>)[],
): Promise<readonly (Place | null)[]> {
  const statement = `
    update inbox_line set done_seq = batch.done
    from unnest($1::text[], $2::text[], $3::integer[]) as batch (key, holder, done)
    where inbox_line.key = batch.key and inbox_line.holder = batch.holder
    returning inbox_line.holder, done_seq as done, last_seq as last`
  return placesOf(held, await query(statement, [keysOf(held), holdersOf(held), held.map(({ done }) => done)]))
}

/** Whoever is not alone locks several lines in the order of their keys first; otherwise two could wait for each other. */
export async function lockLines(query: Query, held: readonly Held[]): Promise<void> {
  await query('select 1 from inbox_line where key = any($1::text[]) order by key for update', [keysOf(held)])
}

const keysOf = (held: readonly Held[]): readonly string[] => held.map(({ key }) => key)
const holdersOf = (held: readonly Held[]): readonly string[] => held.map(({ holder }) => holder)
const placeRow = z.object({ holder: z.string(), done: z.int(), last: z.int() })
const placeRows = z.array(placeRow)

function placesOf(held: readonly Held[], rows: readonly unknown[]): readonly (Place | null)[] {
  const places = new Map(placeRows.parse(rows).map((place) => [place.holder, place]))
  return held.map(({ holder }) => places.get(holder) ?? null)
}

const lineBytesMax = 16 * 1024 * 1024

export type Wanted = { readonly key: string; readonly place: Place; readonly limit: number }

/** The next deliveries of lines, as many as fit, at least one each. Places that a duplicate left empty are skipped. */
export async function readWaiting(query: Query, wanted: readonly Wanted[]): Promise<readonly (readonly Waiting[])[]> {
  const rows = await query(waitingStatement, [
    wanted.map(({ key }) => key),
    wanted.map(({ place }) => place.done),
    wanted.map(({ place }) => place.last),
    wanted.map(({ limit }) => limit),
    lineBytesMax,
  ])
  const waiting = Map.groupBy(waitingRows.parse(rows), ({ key }) => key)
  return wanted.map(({ key }) => waiting.get(key) ?? [])
}

/** The next deliveries behind the place of a line, with the size of those before. */
const nextDeliveries = `
  select *, sum(octet_length(body::text)) over (order by seq rows unbounded preceding exclude current row) as before
  from (select * from delivery where key = line and seq > done and seq <= last order by seq limit size) as next`

const takeStatement = `
  with taken as (
    update inbox_line set holder = batch.holder
    from unnest($1::text[], $2::text[], $3::integer[]) as batch (line, holder, size)
    where inbox_line.key = line
    returning line, inbox_line.holder, done_seq as done, last_seq as last, size
  )
  select holder, done, last, line as key, seq, guid, body, received_at
  from taken left join lateral (${nextDeliveries}) as measured on true
  where coalesce(before, 0) <= $4
  order by holder, seq`
const waitingRow = z.object({
  key: z.string(),
  seq: z.int(),
  guid: z.string(),
  body: z.unknown(),
  received_at: z.string(),
})
const takenRows = z.array(z.union([placeRow.extend(waitingRow.shape), placeRow.extend({ seq: z.null() })]))

const waitingStatement = `
  select key, seq, guid, body, received_at
  from unnest($1::text[], $2::integer[], $3::integer[], $4::integer[]) as batch (line, done, last, size)
  cross join lateral (${nextDeliveries}) as measured
  where coalesce(before, 0) <= $5
  order by key, seq`
const waitingRows = z.array(waitingRow)

/** What is not done of lines, whoever works on them, or was given up; so many of each tell as much as all. */
const toldMax = 500

export async function waitingOf(query: Query, keys: readonly string[]): Promise<readonly (readonly string[])[]> {
  const statement = `
    with asked as (select line, place from unnest($1::text[]) with ordinality as asked (line, place))
    select place::integer, guid from asked
    cross join lateral (
      select guid, seq from inbox_line join delivery using (key)
      where key = line and (seq > done_seq or dead_error is not null) order by seq limit $2
    ) as undone
    union all
    select place::integer, guid from set_aside
    cross join json_to_recordset(names) as one (key text, guid text) join asked on line = key`
  const rows = Map.groupBy(undoneRows.parse(await query(statement, [keys, toldMax])), ({ place }) => place)
  return keys.map((_, index) => (rows.get(index + 1) ?? []).map(({ guid }) => guid))
}
const undoneRows = z.array(z.object({ place: z.int(), guid: z.string() }))
const guidRows = z.array(z.object({ guid: z.string() }))

const errorCharsMax = 2_000

export async function markDead(query: Query, key: string, seq: number, error: string): Promise<void> {
  const words = error.replaceAll('\0', ' ').slice(0, errorCharsMax)
  await query(deadenStatement, [key, seq, words])
}

const deadenStatement = `
  update delivery set dead_error = $3, dead_at = now(), dead_times = dead_times + 1 where key = $1 and seq = $2`

/** Given up so often, it waits for somebody who repairs the cause. */
const deadTimesMax = 12
const reviveMinutesMax = 360

/** Dead deliveries whose time to be tried again has come: after a minute, then two, then four. */
export async function dueToRevive(query: Query, limit: number): Promise<readonly string[]> {
  return guidRows.parse(await query(dueStatement, [deadTimesMax, reviveMinutesMax, limit])).map(({ guid }) => guid)
}

const dueStatement = `
  select guid from delivery
  where dead_error is not null and dead_times < $1
  and dead_at + least(power(2, dead_times - 1), $2) * interval '1 minute' <= now()
  order by received_at limit $3`

export async function readDead(query: Query, limit: number): Promise<readonly DeadLetter[]> {
  return deadRows.parse(await query(deadStatement, [limit]))
}

const deadStatement = `
  select guid, key, received_at, dead_error as error from delivery
  where dead_error is not null order by received_at, guid limit $1`
const deadRows = z.array(z.object({ guid: z.string(), key: z.string(), received_at: z.string(), error: z.string() }))

/** Moves a dead delivery to the end of its line and gives its key; null when there is no such dead delivery. */
export async function revive(query: Query, guid: string): Promise<string | null> {
  const [line] = lastRows.parse(await query(makeRoomStatement, [guid]))
  if (line === undefined) return null
  const place = 'update delivery set seq = $2, dead_error = null where guid = $1 and dead_error is not null returning 1'
  return (await query(place, [guid, line.last])).length === 1 ? line.key : null
}

const makeRoomStatement = `
  update inbox_line set last_seq = last_seq + 1
  where key = (select key from delivery where guid = $1 and dead_error is not null)
  returning key, last_seq as last`

export async function unfinishedKeys(query: Query, after: string, limit: number): Promise<readonly string[]> {
  const statement = 'select key from inbox_line where done_seq < last_seq and key > $1 order by key limit $2'
  return keyRows.parse(await query(statement, [after, limit])).map(({ key }) => key)
}

const keyRows = z.array(z.object({ key: z.string() }))

export async function countDeliveries(query: Query): Promise<Omit<InboxStatus, 'active'>> {
  const [row] = await query(countStatement)
  return countRow.parse(row)
}

const countStatement = `
  with undone as (
    select count(*) as size, min(received_at) as received_at from inbox_line join delivery using (key)
    where done_seq < last_seq and seq > done_seq
    union all
    select size, received_at from set_aside
  )
  select sum(size)::integer as waiting, min(received_at) as oldest_waiting_at,
    (select count(*)::integer from delivery where dead_error is not null) as dead
  from undone`
const countRow = z.object({ waiting: z.int(), oldest_waiting_at: z.string().nullable(), dead: z.int() })

/** What was done before a time keeps its name, by which it is known when it is brought again, and nothing of what it said. */
export async function emptyDone(query: Query, before: string): Promise<void> {
  for (let from = '', more = true; more;) {
    const emptied = emptiedRows.parse(await query(emptyStatement, [from, before, emptiedMax]))
    more = emptied.length === emptiedMax
    from = emptied.at(-1)?.received_at ?? from
    // The embedded database answers without ever leaving the turn.
    await nextTurn()
  }
}

/** At once, so that nobody else waits long for the embedded database. */
const emptiedMax = 200
const emptiedRows = z.array(z.object({ received_at: z.string() }))

// An empty body has five bytes, and this is the one question about its size that does not read it.
const emptyStatement = `
  with done as (
    select delivery.key, seq from delivery join inbox_line using (key)
    where received_at >= $1 and received_at < $2 and seq <= done_seq and dead_error is null and pg_column_size(body) > 8
    order by received_at limit $3 for update of delivery skip locked
  ), emptied as (
    update delivery set body = 'null' from done where delivery.key = done.key and delivery.seq = done.seq
    returning received_at
  )
  select received_at from emptied order by received_at`

/** Forgets what was done before a time, and lines that nothing is left of. Dead deliveries stay. */
export async function forgetDone(query: Query, before: string): Promise<void> {
  await query(
    `delete from delivery using inbox_line
     where delivery.key = inbox_line.key and received_at < $1 and seq <= done_seq and dead_error is null`,
    [before],
  )
  await query(
    `delete from inbox_line
     where done_seq = last_seq and not exists (select from delivery where delivery.key = inbox_line.key)`,
  )
}
