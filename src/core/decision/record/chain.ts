// The record as a chain: every event carries the hash of the one before it in its stream.
import { digest } from '../../canonical.ts'
import { answersHold, hashed } from './answers.ts'
import type { Actor, NewEvent, RecordedEvent } from './events.ts'

/** Version of the stored shape. Raise it together with a step in `upcast.ts`; shipped shapes are never edited. */
export const eventSchema = 2
export const genesis = '0'.repeat(64)

export type Tail = { readonly version: number; readonly hash: string }
export const emptyTail: Tail = { version: 0, hash: genesis }

/** What is remembered of a stream is not what stands there: the database was set back to an earlier state. */
export class NotOnRecord extends Error {
  override readonly name = 'NotOnRecord'

  constructor(stream: string, version: number) {
    super(`${stream} was known up to event ${version}, which is not there any more`)
  }
}

export type Sealing = {
  readonly stream: string
  readonly task_id: string
  readonly at: string
  readonly actor: Actor
  readonly correlation_id: string
}

export function seal(events: readonly NewEvent[], after: Tail, sealing: Sealing): RecordedEvent[] {
  const sealed: RecordedEvent[] = []
  let tail = after
  for (const event of events) {
    const version = tail.version + 1
    const unhashed = {
      ...event,
      ...sealing,
      schema: eventSchema,
      id: `${sealing.stream}@${version}`,
      version,
      prev_hash: tail.hash,
    }
    const hash = digest(hashed(unhashed))
    sealed.push({ ...unhashed, hash })
    tail = { version, hash }
  }
  return sealed
}

/** What holds an event in its chain: all that is needed to verify it, whatever its shape otherwise. */
export type Link = Pick<RecordedEvent, 'stream' | 'version' | 'prev_hash' | 'hash'>
export type BrokenLink = { readonly stream: string; readonly version: number; readonly why: string }

/** Walks a stream from its first event, as it was stored, and names the first link that does not hold. */
export function verifyChain(events: readonly Link[]): BrokenLink | null {
  let tail = emptyTail
  for (const event of events) {
    const { hash, ...unhashed } = event
    const link = (why: string): BrokenLink => ({ stream: event.stream, version: event.version, why })
    if (event.version !== tail.version + 1) return link(`version ${tail.version + 1} is missing before it`)
    if (event.prev_hash !== tail.hash) return link('it does not name the hash of the event before it')
    if (digest(hashed(unhashed)) !== hash) return link('its content does not match its own hash')
    if (!answersHold(unhashed)) return link('an answer of a model in it does not match its hash')
    tail = { version: event.version, hash }
  }
  return null
}
