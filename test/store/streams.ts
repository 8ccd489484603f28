// Sealed events for the store's tests: a small one of a kind that every stream could hold, as many as asked for.
import { emptyTail, seal, type Tail } from '../../src/core/decision/record/chain.ts'
import type { NewEvent, RecordedEvent } from '../../src/core/decision/record/events.ts'

const actor = { kind: 'human', login: 'ada', id: 7 } as const

const said = (summary: string): NewEvent => ({
  type: 'TaskSubmitted',
  attempt_id: 'acme/app#1@a1',
  head_sha: 'a1',
  data: { by: 'ada', summary, files_changed: [], implicit: false },
})

/** One event per summary, sealed to follow `after`. */
export const sealedEvents = (stream: string, summaries: readonly string[], after: Tail = emptyTail): RecordedEvent[] =>
  sealAll(stream, summaries.map(said), after)

export const sealAll = (stream: string, events: readonly NewEvent[], after: Tail = emptyTail): RecordedEvent[] =>
  seal(events, after, { stream, task_id: 'acme/app#1', at: '2026-11-20T10:00:00Z', actor, correlation_id: 'c1' })

export const numbered = (count: number, text = ''): string[] =>
  Array.from({ length: count }, (_, index) => `number ${index + 1}${text}`)

/** Throws where a test expects a last event and there is none. */
export function lastOf(events: readonly RecordedEvent[]): RecordedEvent {
  const last = events.at(-1)
  if (last === undefined) throw new Error('the stream is empty')
  return last
}
