// Every shape that was ever stored reads as today's, and what a newer version wrote is refused with words for a person.
import { describe, expect, test } from 'vitest'
import { eventSchema, verifyChain } from '../../src/core/decision/record/chain.ts'
import { type Step, isLink, shippedSteps, upcast } from '../../src/core/decision/record/upcast.ts'
import { verifyStream } from '../../src/adapters/store/audit.ts'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { numbered, sealedEvents } from './streams.ts'

const events = sealedEvents('s', numbered(3))
const [event] = events

test('there is one step per schema version that came after the first', () => {
  expect(shippedSteps).toHaveLength(eventSchema - 1)
})

test('an event in today’s shape comes out as it went in', () => {
  expect(upcast(event)).toBe(event)
})

const older = { ...event, schema: 1 }

test('older shapes go through every later step, in order, and keep identity and hashes', () => {
  const steps: readonly Step[] = [
    (stored) => ({ ...stored, correlation_id: 'from the first step', hash: 'rewritten', version: 9 }),
    (stored) => ({ ...stored, correlation_id: `${String(stored['correlation_id'])}, then the second` }),
  ]
  expect(upcast(older, steps)).toEqual({ ...event, schema: 3, correlation_id: 'from the first step, then the second' })
  expect(upcast({ ...event, schema: 2 }, steps)).toMatchObject({ correlation_id: 'c1, then the second' })
  expect(upcast({ ...event, schema: 3 }, steps)).toMatchObject({ correlation_id: 'c1' })
})

test('the chain holds over the stored shape, also for events that read differently today', async () => {
  const streams = new Map([['s', events.map((stored) => JSON.stringify(stored))]])
  expect(await verifyStream(memoryStore(streams), 's')).toBeNull()
  const read = events.map((stored) =>
    upcast({ ...stored, schema: 1 }, [(before) => ({ ...before, correlation_id: 'today' })]),
  )
  expect(verifyChain(read)).toMatchObject({ version: 1 })
})

test('an event that lost its links, or lies in another stream, is where the chain breaks', async () => {
  const bodies = events.map((stored) => JSON.stringify(stored))
  const store = memoryStore(
    new Map([
      ['s', bodies.with(1, '{"type":"TaskSubmitted"}')],
      ['other', bodies],
    ]),
  )
  expect(await verifyStream(store, 's')).toEqual({
    stream: 's',
    version: 2,
    why: 'it can no longer be read as an event',
  })
  expect(await verifyStream(store, 'other')).toEqual({ stream: 'other', version: 1, why: 'it belongs to s' })
})

describe('refused is', () => {
  test.each([
    [
      'a newer schema',
      { ...event, schema: 3 },
      /s@1 was written by a newer Countersign: it has schema version 3 \(.* 2\)/,
    ],
    [
      'an unknown type',
      { ...event, type: 'toString' },
      /s@1 was written by a newer Countersign: it has the event type toS/,
    ],
    ['an event without a hash', { ...event, hash: undefined }, /^A stored event is not in a shape/],
    ['an event of nobody', { ...event, actor: null }, /^The stored event s@1 is not in a shape/],
    ['an event without data', { ...event, data: null }, /^The stored event s@1 is not in a shape/],
    ['no event at all', null, /^A stored event is not in a shape/],
  ])('%s', (_, stored, words) => {
    expect(() => upcast(stored)).toThrow(words)
  })
})

test('a link is what has its place and both hashes', () => {
  expect(isLink(event)).toBe(true)
  expect(isLink({ ...event, version: '1' })).toBe(false)
})

test('a record from before facts had subjects reads as one in which nothing unsaid is granted', () => {
  const census = { admin: 1, maintain: 0, write: 1 }
  const maker = { login: 'agent', kind: 'bot', permission: 'write', teams: [], via: ['author'] }
  const of = (type: string, data: object) => ({ ...older, type, attempt_id: 'acme/app#12@a1', data })
  expect(upcast(of('AttemptStarted', { base_ref: 'main', pull: 12, builder_set: [maker], census }))).toMatchObject({
    schema: 2,
    data: {
      repository: 's',
      merges_into: 'main',
      merges_base: false,
      head_branch: null,
      guest: false,
      results_since: null,
      sources: null,
      builder_set: [{ id: null, login: 'agent' }],
      census: { complete: true },
    },
  })
  expect(upcast(of('ReviewSubmitted', { by: 'ada', sha: 'a1', state: 'approved' }))).toMatchObject({
    data: { pull: 12, base_ref: '', head_sha: 'a1', user_id: null },
  })
  expect(upcast(of('AttemptStarted', { base_ref: 'main', pull: 12 })).data).not.toHaveProperty('census')
  expect(upcast({ ...of('ReviewSubmitted', {}), attempt_id: null })).toMatchObject({ data: { pull: 0, head_sha: '' } })
  expect(upcast(of('ReviewDismissed', { by: 'ada' }))).toMatchObject({ data: { by: 'ada', review: '', lifts: true } })
  expect(upcast(of('ExternalModificationDetected', { builder: { login: 'bob' } }))).toMatchObject({
    data: { builder: { id: null, login: 'bob' } },
  })
  expect(upcast(of('TaskVerified', { by: 'ada' }))).toMatchObject({ data: { by: 'ada', user_id: null } })
  expect(upcast(of('ActAsked', { by: 'ada' }))).toMatchObject({ data: { by: 'ada', user_id: null } })
  expect(upcast(of('TaskStarted', { by: 'ada' })).data).toEqual({ by: 'ada' })
  expect(upcast(of('HumanOverride', { user: 'ada' }))).toMatchObject({ data: { user_id: null, label: null } })
})
