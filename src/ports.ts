// The outside world as the engine needs it. Adapters implement these; nothing else crosses the floors.
import type { RecordedEvent } from './core/decision/events.ts'

/** Thrown by `append` when the stream is no longer at the expected version: somebody else was faster. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}

export interface Store {
  /** The events of a stream with a version above `after`, in order. An unknown stream is an empty one. */
  read(stream: string, after?: number): Promise<readonly RecordedEvent[]>
  /** Whole batch or nothing; versions and hashes are already sealed into the events. Rejects with Conflict. */
  append(stream: string, expectedVersion: number, events: readonly RecordedEvent[]): Promise<void>
  /** Names of all streams, in order, a page at a time. */
  streams(after: string, limit: number): Promise<readonly string[]>
  close(): Promise<void>
}

export interface Clock {
  /** Now, as ISO text in UTC. */
  now(): string
}
