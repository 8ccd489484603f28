// The way in: stores what arrives together in one transaction, wakes its lines in the same one, and answers when the disk
// has it.
import type { PgBoss } from 'pg-boss'
import type { Clock } from '../../ports.ts'
import type { InboxDatabase, Query } from './database.ts'
import { grouped } from '../together/grouped.ts'
import type { Arrival } from './inbox.ts'
import { type Incoming, appendDeliveries } from './lines.ts'
import { shares } from './shares.ts'
import { openSetAside } from './set-aside.ts'
import { insertWakes } from './wakes.ts'

export type Ingestion = {
  readonly ingest: (arrival: Arrival) => Promise<void>
  /** Something is being stored. */
  readonly busy: () => boolean
  /** Stores what is on its way and takes nothing more. */
  readonly close: () => Promise<void>
}

const groupItemsMax = 200
const groupCharsMax = 16 * 1024 * 1024
const waitingMax = 10_000
/** Shorter, and it is none of the door: others are on their way. */
const PAUSE_MS = 5

export type IngestionOptions = {
  readonly clock: Clock
  /** What a repository brought lately, to be a storm. */
  readonly stormFrom: number
  /** Something stands in its line. */
  readonly onStored: () => void
  readonly onError: (error: Error) => void
}

export async function ingestion(
  { sql, flush, lanes, alone }: InboxDatabase,
  boss: PgBoss,
  { clock, stormFrom, onStored, onError }: IngestionOptions,
): Promise<Ingestion> {
  let closed = false
  const turns = shares(() => performance.now())
  let storedLast = -Infinity
  const intoLines = async (query: Query, deliveries: readonly Incoming[], receivedAt: string): Promise<void> =>
    insertWakes(boss, query, await appendDeliveries(query, deliveries, receivedAt), turns)
  const storm = await openSetAside({
    sql,
    alone,
    intoLines,
    turns,
    stormFrom,
    busy: () => arrivals.busy() || performance.now() - storedLast < PAUSE_MS,
    onSorted: onStored,
    onError,
  })
  const store = async (group: readonly Incoming[]): Promise<readonly Incoming[]> => {
    await storm.room()
    const { aside, atOnce } = storm.parted(group)
    const receivedAt = clock.now()
    if (atOnce.length === 0) await storm.put(sql.query, aside, receivedAt)
    else
      await sql.transaction(async (query) => {
        if (aside.length > 0) await storm.put(query, aside, receivedAt)
        await intoLines(query, atOnce, receivedAt)
      })
    await flush()
    storedLast = performance.now()
    if (aside.length > 0) storm.kick()
    if (atOnce.length > 0) onStored()
    return group
  }
  const arrivals = grouped(store, {
    lanesMax: lanes,
    itemsMax: groupItemsMax,
    weight: { of: ({ text }) => text.length, max: groupCharsMax },
    waitingMax,
  })
  return {
    ingest: async (arrival) => {
      if (closed) throw new Error('The inbox is closed; bring this delivery again when the process has restarted.')
      await arrivals.add(pack(arrival))
    },
    busy: arrivals.busy,
    close: async () => {
      closed = true
      await arrivals.idle()
      await storm.stop()
    },
  }
}

const name = /^[^\0]{1,500}$/u
/** GitHub sends no more: https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
const bodyBytesMax = 25 * 1024 * 1024

/** What the database would refuse is refused here, or it would take its neighbours in the transaction with it. */
function pack({ guid, key, body }: Arrival): Incoming {
  if (!name.test(guid) || !name.test(key)) {
    throw new Error(`Delivery ${JSON.stringify(guid)} of ${JSON.stringify(key)} needs names of 1 to 500 characters`)
  }
  const text = JSON.stringify(body)
  const bytes = Buffer.byteLength(text)
  if (bytes <= bodyBytesMax) return { guid, key, text }
  throw new Error(`Delivery ${guid} is ${bytes} bytes long; the inbox takes deliveries of up to ${bodyBytesMax} bytes`)
}
