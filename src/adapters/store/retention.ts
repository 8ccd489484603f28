// What is kept for how long: events of closed tasks move to the archive, and texts of models go, each after its time.
// A file is on the disk before anything is deleted, and both the note of where it lies and the deletion are one transaction:
// whenever the process ends, every event is in exactly one of the two. The last event of a stream always stays, so that
// whatever is appended follows it, and whoever reads notices that there is more.
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { hasAnswers, withoutAnswers } from '../../core/decision/record/answers.ts'
import type { Store } from '../../ports.ts'
import type { Archive, Piece, Place } from './archive.ts'
import { verifyStream } from './audit.ts'
import { eventBytesMax } from './batch.ts'
import { pack, unpack } from './packing.ts'
import type { Query, Sql } from './sql.ts'

export type Retention = {
  /** Moves a page of what was closed before then, and says how much; a stream that cannot be moved is an error of its own. */
  readonly archive: (before: string, now: string) => Promise<Moved>
  /**
   * Removes a page of the raw answers that are older, and says in how many events it looked; one that cannot be read is an error of
   * its own, and has its turn again when what is of that later time has it.
   */
  readonly forgetAnswers: (before: string, later: string) => Promise<Looked>
  /** Makes the room of what moved usable again, where nobody else does. */
  readonly tidy: () => Promise<void>
}
export type Looked = { readonly looked: number; readonly failed: readonly unknown[] }
export type Moved = Looked & { readonly moved: number }

/** A page is what one transaction takes without keeping others waiting for long. */
const streamsMax = 50
const eventsMax = 2_000
const charactersMax = 16 * 1024 * 1024
const answersMax = 10

/** From which version of a stream to which. */
type Part = { readonly stream: string; readonly first: number; readonly last: number; readonly piece: Piece }

export function retention(db: Sql, store: Store, archive: Archive): Omit<Retention, 'tidy'> {
  return {
    archive: async (before, now) => {
      const closed = z.array(streamRow).parse(await db.query(closedStatement, [before, streamsMax]))
      const parts: Part[] = []
      const empty: string[] = []
      const failed: unknown[] = []
      let looked = 0
      for (const { stream } of closed) {
        if (isEnough(parts)) break
        looked += 1
        // An embedded database answers without ever letting anybody else have a turn.
        await turn()
        try {
          const part = await partOf(db, store, stream)
          if (part === null) empty.push(stream)
          else parts.push(part)
        } catch (error) {
          failed.push(new Error(`${stream} cannot be archived`, { cause: error }))
          // Its turn comes again, after everybody else's.
          await db.query('update closed_stream set at = $2 where stream = $1', [stream, now])
        }
      }
      const places = parts.length === 0 ? [] : await archive.write(parts.map(({ piece }) => piece))
      await db.transaction(async (query) => {
        await moved(query, parts, places)
        const done = [...empty, ...parts.map(({ stream }) => stream)]
        await query('delete from closed_stream where stream = any($1::text[])', [done])
        // What it has cost is on its record.
        await query('delete from task_spending where stream = any($1::text[])', [done])
      })
      return { looked, moved: parts.length, failed }
    },
    forgetAnswers: async (before, later) => {
      await turn()
      return db.transaction(async (query) => {
        const old = z.array(answerRow).parse(await query(answersStatement, [before, answersMax]))
        const failed: unknown[] = []
        for (const one of old) {
          const bare = withoutAnswersIn(one)
          if (!(bare instanceof Error)) await forget(query, one, bare)
          else {
            failed.push(bare)
            await query('update kept_answer set at = $3 where stream = $1 and version = $2', [...placeOf(one), later])
          }
        }
        return { looked: old.length, failed }
      })
    },
  }
}

/** What was opened again meanwhile is not closed, whatever is noted here; it is noted anew when it closes. */
const closedStatement = `
  select stream from closed_stream where at < $1
  and not exists (select from open_stream where open_stream.stream = closed_stream.stream)
  order by at, stream limit $2`
const streamRow = z.object({ stream: z.string() })

const isEnough = (parts: readonly Part[]): boolean =>
  sum(parts.map(({ piece }) => piece.length)) >= eventsMax ||
  sum(parts.flatMap(({ piece }) => piece.map(({ length }) => length))) >= charactersMax
const sum = (numbers: readonly number[]): number => numbers.reduce((before, number) => before + number, 0)

/** Everything of a stream that is not in the archive yet, but for its last event; null where there is no more than that. */
async function partOf(db: Sql, store: Store, stream: string): Promise<Part | null> {
  const broken = await verifyStream(store, stream)
  if (broken !== null) throw new Error(`event ${broken.version}: ${broken.why}`)
  const events = await store.readRaw(stream)
  const [row] = z
    .array(firstRow)
    .parse(await db.query('select min(version) as first from event where stream = $1', [stream]))
  const [first, last] = [row?.first ?? events.length, events.length - 1]
  if (first > last) return null
  return { stream, first, last, piece: events.slice(first - 1, last).map((event) => JSON.stringify(event)) }
}
const firstRow = z.object({ first: z.int().nullable() })

async function moved(query: Query, parts: readonly Part[], places: readonly Place[]): Promise<void> {
  if (parts.length === 0) return
  const versions = [parts.map(({ stream }) => stream), parts.map(({ first }) => first), parts.map(({ last }) => last)]
  await query(
    `insert into archived (stream, first, last, file, start, bytes)
     select * from unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::bigint[], $6::integer[])`,
    [...versions, places.map(({ file }) => file), places.map(({ start }) => start), places.map(({ bytes }) => bytes)],
  )
  for (const table of ['event', 'kept_answer']) {
    await query(
      `delete from ${table} using unnest($1::text[], $2::integer[], $3::integer[]) as part (stream, first, last)
       where ${table}.stream = part.stream and ${table}.version between part.first and part.last`,
      versions,
    )
  }
}

/** Of an event that is gone there is nothing to forget. */
const answersStatement = `
  select stream, version, body::text as body, encode(packed, 'base64') as packed
  from (select stream, version, at from kept_answer where at < $1 order by at, stream, version limit $2) as old
  left join event using (stream, version) order by old.at, stream, version`
const answerRow = z.object({
  stream: z.string(),
  version: z.int(),
  body: z.string().nullable(),
  packed: z.string().nullable(),
})
type AnswerRow = z.output<typeof answerRow>

const placeOf = ({ stream, version }: AnswerRow): readonly [string, number] => [stream, version]

/** The text that is left of an event, null where there was nothing to remove, or why it cannot be read. */
function withoutAnswersIn({ stream, version, body, packed }: AnswerRow): string | null | Error {
  const text = body ?? packed
  if (text === null) return null
  try {
    const event: unknown = JSON.parse(body ?? unpack(text, eventBytesMax))
    const isOne = typeof event === 'object' && event !== null && hasAnswers(event)
    return isOne ? JSON.stringify(withoutAnswers(event)) : null
  } catch (cause) {
    return new Error(`${stream}: event ${version}: its raw answers cannot be removed`, { cause })
  }
}

/** The shape in which an event is stored stays what it was. */
async function forget(query: Query, row: AnswerRow, bare: string | null): Promise<void> {
  if (bare !== null) {
    const again = row.body === null ? pack(bare) : null
    await query("update event set body = $3::json, packed = decode($4, 'base64') where stream = $1 and version = $2", [
      ...placeOf(row),
      again === null ? bare : null,
      again,
    ])
  }
  await query('delete from kept_answer where stream = $1 and version = $2', [...placeOf(row)])
}
