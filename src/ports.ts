// The outside world as the engine needs it. Adapters implement these; nothing else crosses the floors.
import type { RecordedEvent } from './core/decision/events.ts'
import type { Input } from './core/decision/inputs.ts'
import type { Attempt, ChangedFile, GateName, GateRecord, UnavailableReason, Verdict } from './core/decision/model.ts'
import type { Shown } from './core/decision/owed.ts'

/** Thrown by `append` when the stream is no longer at the expected version: somebody else was faster. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}

export interface Store {
  /** The events of a stream with a version above `after`, in order. An unknown stream is an empty one. */
  readonly read: (stream: string, after?: number) => Promise<readonly RecordedEvent[]>
  /** All events of a stream exactly as they were stored, which is what their hashes were taken over. */
  readonly readRaw: (stream: string) => Promise<readonly unknown[]>
  /** Whole batch or nothing; versions and hashes are already sealed into the events. Rejects with Conflict. */
  readonly append: (stream: string, expectedVersion: number, events: readonly RecordedEvent[]) => Promise<void>
  /** Names of all streams, in order, a page at a time. */
  readonly streams: (after: string, limit: number) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

export interface Forge {
  /** Makes a slot show this, whatever it showed before; the same thing twice is one thing. */
  readonly show: (shown: Shown) => Promise<{ ref: string | null }>
  /** The head of an open, ready pull request now, or null. */
  readonly head: (pull: number) => Promise<string | null>
  readonly changedFiles: (attempt: Attempt) => Promise<readonly ChangedFile[]>
  /** What has been reported about an attempt so far; empty while there is nothing. */
  readonly results: (attempt: Attempt) => Promise<readonly Input[]>
}

export type VerifierAnswer =
  | { readonly type: 'report_verdict'; readonly verdict: Verdict }
  | {
      readonly type: 'report_unavailable'
      readonly session_id: string
      readonly reason: UnavailableReason
      readonly retry_at: string | null
    }
export type GateAnswer = Pick<GateRecord, 'verdict' | 'summary'> & { readonly elapsed_ms: number }

export interface Verifier {
  readonly verify: (attempt: Attempt, sessionId: string) => Promise<VerifierAnswer>
  readonly judgeGate: (attempt: Attempt, gate: GateName) => Promise<GateAnswer>
}

/** Fresh identities. */
export interface Ids {
  readonly next: () => string
}

export interface Clock {
  /** Now, as ISO text in UTC. */
  readonly now: () => string
}
