// What the chain of hashes shows, and what it does not: it has no anchor outside of the record.
import { expect, test } from 'vitest'
import { emptyTail, seal, verifyChain } from '../../src/core/decision/record/chain.ts'
import type { NewEvent, RecordedEvent } from '../../src/core/decision/record/events.ts'

const note = (title: string): NewEvent => ({
  type: 'TaskCreated',
  attempt_id: null,
  head_sha: null,
  data: { title, source: 'test' },
})
const told = { actor: { kind: 'app', login: 'countersign', id: null }, correlation_id: 'test' } as const
const sealed = (...titles: readonly string[]): readonly RecordedEvent[] =>
  seal(titles.map(note), emptyTail, { stream: 'R1#1', task_id: 'acme/shop#1', ...told, at: '2026-01-05T09:00:00.000Z' })
const record = sealed('one', 'two', 'three', 'four')
const [one, two, three, four] = record
const between = sealed('one', 'other')[1]
const edited = (event: RecordedEvent | undefined): RecordedEvent | undefined =>
  event && { ...event, task_id: 'acme/shop#2' }

test.each<[string, readonly (RecordedEvent | undefined)[]]>([
  ['edited', [one, edited(two), three, four]],
  ['removed from the middle', [one, three, four]],
  ['inserted', [one, between, two, three, four]],
  ['put elsewhere', [one, three, two, four]],
])('the chain shows an event that was %s', (_what, events) => {
  expect(verifyChain(events.flatMap((event) => event ?? []))).not.toBeNull()
})

test.each([
  ['the newest events were cut off', record.slice(0, 2)],
  ['it was rebuilt as a whole', sealed('one', 'forged', 'three', 'four')],
])('the chain does not show that %s', (_what, events) => {
  expect(verifyChain(events)).toBeNull()
})
