// Appends, as many at once as are asked for at once: one statement for all of their streams, so each is whole or nothing without
// a transaction, and each stream is taken at the version that its own append follows. A race is lost at the primary key, which
// loses it for the whole statement: then each goes by itself, and only the one that lost it is told so.
import { hasAnswers } from '../../core/decision/record/answers.ts'
import { genesis } from '../../core/decision/record/chain.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { Conflict } from '../../ports.ts'
import { z } from 'zod'
import { isAway, isState } from './away.ts'
import type { Batch } from './batch.ts'
import { grouped } from '../together/grouped.ts'
import { pack } from './packing.ts'
import type { Sql } from './sql.ts'

export type Append = { readonly batch: Batch; readonly events: readonly RecordedEvent[] }
type Outcome = { readonly kind: 'appended' } | { readonly kind: 'failed'; readonly error: unknown }

const appendsMax = 50
const charsMax = 4 * 1024 * 1024

export function appending(db: Sql, lanesMax: number): (append: Append) => Promise<void> {
  const appends = grouped((items: readonly Append[]) => appendAll(db, items), {
    lanesMax,
    itemsMax: appendsMax,
    weight: { of: ({ batch }) => batch.bodies.reduce((sum, { length }) => sum + length, 0), max: charsMax },
  })
  return async (append) => {
    const outcome = await appends.add(append)
    if (outcome.kind === 'failed') throw outcome.error
  }
}

/** Two for one stream follow each other, so they are no group. */
async function appendAll(db: Sql, items: readonly Append[]): Promise<readonly Outcome[]> {
  const streams = new Set(items.map(({ batch }) => batch.stream))
  if (streams.size === items.length) return appendTogether(db, items)
  return appendEach(db, items)
}

async function appendEach(db: Sql, items: readonly Append[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const item of items) outcomes.push(...(await appendTogether(db, [item])))
  return outcomes
}

async function appendTogether(db: Sql, items: readonly Append[]): Promise<readonly Outcome[]> {
  try {
    const rows = z.array(streamRow).parse(await db.query(appendStatement, valuesOf(items)))
    const appended = new Set(rows.map(({ stream }) => stream))
    return items.map(({ batch }) => (appended.has(batch.stream) ? { kind: 'appended' } : lost(batch)))
  } catch (error) {
    const [first] = items
    if (first !== undefined && items.length === 1) return [isTaken(error) ? lost(first.batch, error) : failed(error)]
    return isAway(error) ? items.map(() => failed(error)) : appendEach(db, items)
  }
}

const streamRow = z.object({ stream: z.string() })

const failed = (error: unknown): Outcome => ({ kind: 'failed', error })
const lost = ({ stream, follows }: Batch, cause?: unknown): Outcome =>
  failed(new Conflict(`${stream} is no longer at version ${follows.version}: somebody else was faster`, { cause }))

/** SQLSTATE 23505, unique_violation: the only unique thing in the table is the place in the stream. */
const isTaken = (error: unknown): boolean => isState(error, '23505')

/**
 * Everybody writes in the order of the streams: otherwise two could wait for each other. A stream of which only the archive knows has
 * lost its end, and is not begun anew.
 */
const appendStatement = `
  with given as (
    select name, version, hash from unnest($1::text[], $2::integer[], $3::text[]) as given (name, version, hash)
  ),
  free as (
    select name from given
    left join lateral (
      select event.version, event.hash from event where event.stream = name order by event.version desc limit 1
    ) as tail on true
    left join lateral (
      select true as there from archived where tail.version is null and archived.stream = name limit 1
    ) as lost on true
    where lost.there is null and coalesce(tail.version, 0) = given.version and coalesce(tail.hash, $4) = given.hash
  ),
  appended as (
    insert into event (stream, version, id, type, at, hash, body, packed)
    select name, version, id, type, at, hash, body::json, decode(packed, 'base64')
    from unnest($5::text[], $6::integer[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
      as batch (name, version, id, type, at, hash, body, packed)
    where name in (select name from free)
    order by name, version
    returning stream, version, at
  ),
  opened as (
    insert into open_stream (stream, version, at)
    select distinct on (stream) stream, version, at from appended order by stream, version desc
    on conflict (stream) do update set version = excluded.version, at = excluded.at
  ),
  answered as (
    insert into kept_answer (stream, version, at)
    select stream, version, at from appended
    where (stream, version) in (select name, place from unnest($13::text[], $14::integer[]) as given (name, place))
  ),
  found_by as (
    insert into stream_key (key, stream)
    select key, name from unnest($15::text[], $16::text[]) as given (key, name)
    where name in (select stream from appended)
    order by key, name
    on conflict do nothing
  )
  select distinct stream from appended`

function valuesOf(items: readonly Append[]): readonly unknown[] {
  const batches = items.map(({ batch }) => batch)
  const rows = items.flatMap(({ batch: { stream, bodies }, events }) =>
    events.map((event, index) => rowOf(stream, event, bodies[index] ?? '')),
  )
  const answers = rows.filter(({ event }) => hasAnswers(event))
  const keys = batches.flatMap((batch) => batch.keys.map((key) => ({ key, stream: batch.stream })))
  return [
    batches.map(({ stream }) => stream),
    batches.map(({ follows }) => follows.version),
    batches.map(({ follows }) => follows.hash),
    genesis,
    rows.map(({ stream }) => stream),
    rows.map(({ event }) => event.version),
    rows.map(({ event }) => event.id),
    rows.map(({ event }) => event.type),
    rows.map(({ event }) => event.at),
    rows.map(({ event }) => event.hash),
    rows.map(({ body }) => body),
    rows.map(({ packed }) => packed),
    answers.map(({ stream }) => stream),
    answers.map(({ event }) => event.version),
    keys.map(({ key }) => key),
    keys.map(({ stream }) => stream),
  ]
}

function rowOf(stream: string, event: RecordedEvent, text: string) {
  // The database looks into verdicts.
  const packed = event.type === 'VerificationCompleted' ? null : pack(text)
  return { stream, event, body: packed === null ? text : null, packed }
}
