// The record as a chain: whatever was changed, left out or moved in it is named by its first broken link.
import { describe, expect, test } from 'vitest'
import { emptyTail, genesis, seal, verifyChain } from '../../src/core/decision/record/chain.ts'
import type { NewEvent, RecordedEvent } from '../../src/core/decision/record/events.ts'

const actor = { kind: 'human', login: 'ada', id: 1 } as const
const sealing = { stream: 'R1#7', task_id: 'acme/shop#7', at: '2026-01-05T09:00:00.000Z', actor, correlation_id: 'c' }
const named = (title: string): NewEvent => ({
  type: 'TaskCreated',
  attempt_id: null,
  head_sha: null,
  data: { title, source: 'pull_request' },
})
const events = seal(['one', 'two', 'three'].map(named), emptyTail, sealing)

test('each event names its place and the one before it', () => {
  expect(events.map(({ id, version }) => [id, version])).toEqual([
    ['R1#7@1', 1],
    ['R1#7@2', 2],
    ['R1#7@3', 3],
  ])
  expect(events.map(({ prev_hash }) => prev_hash)).toEqual([genesis, events[0]?.hash, events[1]?.hash])
  expect(new Set(events.map(({ hash }) => hash)).size).toBe(3)
})

test('what is recorded later goes on where the record ends', () => {
  const [first, ...later] = events
  const tail = { version: 1, hash: first?.hash ?? '' }
  expect(seal(['two', 'three'].map(named), tail, sealing)).toEqual(later)
})

describe('a record', () => {
  const edited = (index: number, given: Partial<RecordedEvent>): RecordedEvent[] =>
    events.map((event, at) => (at === index ? Object.assign({}, event, given) : event))
  const [one, two, three] = events
  if (one === undefined || two === undefined || three === undefined) throw new Error('three events were sealed')

  // prettier-ignore
  test.each<[string, readonly RecordedEvent[], string | null]>([
    ['as it was written holds', events, null],
    ['of nothing holds', [], null],
    ['that lost its end holds as far as it goes', [one, two], null],
    ['in which an event was edited', edited(1, { at: '2026-01-06T09:00:00.000Z' }), '2: its content does not match its own hash'],
    ['in which an event was edited with its hash', edited(1, { hash: 'f'.repeat(64) }), '2: its content does not match its own hash'],
    ['that lost its first event', [two, three], '2: version 1 is missing before it'],
    ['that lost one in the middle', [one, three], '3: version 2 is missing before it'],
    ['in which two changed places', [one, three, two], '3: version 2 is missing before it'],
    ['in which one stands twice', [one, one, two], '1: version 2 is missing before it'],
    ['that was sewn together', [one, ...seal([named('other')], { version: 1, hash: 'e'.repeat(64) }, sealing)], '2: it does not name the hash of the event before it'],
  ])('%s', (_title, record, broken) => {
    const found = verifyChain(record)
    expect(found && `${found.version}: ${found.why}`).toBe(broken)
  })
})
