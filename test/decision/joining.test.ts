// What comes along when a guest's pull request joins a task that others share: what restricts, always; what allows, only where
// it was said about the very same thing by somebody who could say it there.
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/core/decision/rules/decide.ts'
import { evolve } from '../../src/core/decision/record/evolve.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import type { Act } from '../../src/core/people/act.ts'
import type { Builder, Review } from '../../src/core/people/people.ts'
import { anAttempt, aTask } from '../words/attempts.ts'

const at = '2026-01-05T09:00:00.000Z'
const sha = '9'.repeat(40)
const act = (given: Partial<Act>): Act => ({
  id: `c#${given.type ?? 'CHECK_OVERRIDE'}`,
  type: 'CHECK_OVERRIDE',
  user: 'ada',
  user_id: 1,
  permission: 'maintain',
  reason: 'why',
  at,
  source: 'comment',
  label: null,
  covers: [],
  solo: false,
  seq: 1,
  standing: 'stands',
  ...given,
})
const review = (given: Partial<Review>): Review => ({
  id: 'r1',
  by: 'bob',
  user_id: 2,
  teams: [],
  permission: 'write',
  state: 'approved',
  pull: 5,
  base_ref: 'main',
  merges_into: 'main',
  head_sha: sha,
  tree_sha: sha,
  body: '',
  counts: true,
  why_not: null,
  resolves_refer: false,
  solo: false,
  seq: 2,
  standing: 'stands',
  ...given,
})
const builder = (login: string, id: number): Builder => ({
  id,
  login,
  kind: 'human',
  permission: 'maintain',
  teams: [],
  via: ['author'],
})
const place = {
  pull: 5,
  head_sha: sha,
  tree_sha: sha,
  id: `acme/shop#5@${sha}`,
  state: 'RUNNING',
  decision: null,
} as const
const from = 'R1#5'

type Given = {
  readonly acts?: readonly Act[]
  readonly reviews?: readonly Review[]
  readonly there?: Partial<Attempt>
  readonly here?: Partial<Attempt>
  readonly task?: Partial<TaskState>
  readonly slots?: TaskState['slots']
}

/** The task that is joined, afterwards. */
function after({ acts = [], reviews = [], there = {}, here = {}, task = {}, slots = {} }: Given) {
  const own: TaskState = {
    ...aTask(anAttempt({ ...place, guest: true, live: false, acts, ...there })),
    reviews,
    deeds: 7,
    taken_up: { to: 'R1#4' },
    builders: [builder('guest', 9)],
    heard: ['said'],
    slots,
  }
  const shared: TaskState = { ...aTask(anAttempt({ ...place, ordinal: 2, ...here })), deeds: 3, ...task }
  const input: Input = { type: 'join_task', pull: 5, from, own }
  const events = decide(shared, input, at)
  const joined = events.reduce((state, event) => evolve(state, event, at), shared)
  const attempt = joined.attempts.findLast(({ id }) => id === place.id)
  return {
    types: attempt?.acts.map(({ type }) => type),
    seqs: attempt?.acts.map(({ seq }) => seq),
    reviews: joined.reviews.map(({ state, standing, seq }) => `${state} ${standing} ${seq}`),
    builders: joined.builders.map(({ login }) => login),
    again: decide(joined, input, at),
    joined,
  }
}
const contract = anAttempt().contract
const rejectedHere: Partial<TaskState> = {
  carried: [
    {
      ...act({ type: 'REJECTION', id: 'x#REJECTION', standing: 'revoked' }),
      stream: 'R1#8',
      head_sha: sha,
      tree_sha: sha,
    },
  ],
}

describe('an act', () => {
  test.each<[string, Given, readonly string[]]>([
    ['that allows, about the very same', {}, ['ACKNOWLEDGMENT']],
    ['about another commit', { there: { head_sha: '8'.repeat(40) } }, []],
    ['for another base', { there: { base_ref: 'release' } }, []],
    ['for another branch of a stack', { there: { merges_into: 'release' } }, []],
    ['under another policy', { there: { policy_hash: 'other' } }, []],
    ['where something else is asked', { there: { contract: { ...contract, acceptance_criteria: ['more'] } } }, []],
    [
      'where the task has another name',
      { there: { contract: { ...contract, task_id: 'x', contract_hash: 'y' } } },
      ['ACKNOWLEDGMENT'],
    ],
    ['of somebody who built another attempt', { task: { builders: [builder('ada', 1)] } }, []],
    ['where the tree was rejected there, and that was taken back', { task: rejectedHere }, []],
  ])('%s', (_words, given, expected) => {
    expect(after({ acts: [act({ type: 'ACKNOWLEDGMENT' })], ...given }).types).toEqual(expected)
  })

  test('of somebody who is alone comes along although they built it', () => {
    const acts = [act({ type: 'CHECK_OVERRIDE', solo: true })]
    expect(after({ acts, task: { builders: [builder('ada', 1)] } }).types).toEqual(['CHECK_OVERRIDE'])
  })

  test('that grants new attempts was about the other task', () => {
    expect(after({ acts: [act({ type: 'RETRY_RESET' })] })).toMatchObject({ types: [], joined: { counted_after: 0 } })
  })

  test.each<[string, Given]>([
    ['for another base', { there: { base_ref: 'release' } }],
    ['where something else is asked', { there: { contract: { ...contract, brief: 'other' } } }],
    ['of a builder', { task: { builders: [builder('ada', 1)] } }],
    ['where the tree was rejected there as well', { task: rejectedHere }],
  ])('that rejects comes along: %s', (_words, given) => {
    expect(after({ acts: [act({ type: 'REJECTION' })], ...given }).types).toEqual(['REJECTION'])
  })
})

describe('a review', () => {
  test.each<[string, Given, readonly string[]]>([
    ['that approves', {}, ['approved stands 5']],
    ['of a builder of another attempt', { task: { builders: [builder('bob', 2)] } }, ['approved replaced 5']],
    ['where the tree was rejected there', { task: rejectedHere }, ['approved replaced 5']],
    [
      'that requests changes, of whomever',
      { reviews: [review({ state: 'changes_requested' })], task: { ...rejectedHere, builders: [builder('bob', 2)] } },
      ['changes_requested stands 5'],
    ],
  ])('%s', (_words, given, expected) => {
    expect(after({ reviews: [review({})], ...given }).reviews).toEqual(expected)
  })
})

test('it comes after what was done there, once, with whoever made it', () => {
  const { seqs, builders, again, joined } = after({ acts: [act({ type: 'ACKNOWLEDGMENT', seq: 6 })] })
  expect({ seqs, builders, again }).toEqual({ seqs: [9], builders: ['guest'], again: [] })
  expect(joined).toMatchObject({ deeds: 10, heard: ['said'], joined: [from] })
})

test('a rejection of another commit stays with that one', () => {
  const there = { head_sha: '8'.repeat(40), tree_sha: '8'.repeat(40) }
  expect(after({ acts: [act({ type: 'REJECTION' })], there }).types).toEqual([])
})

describe('what is shown', () => {
  const places = ['sticky:5', 'labels:5', 'review-request:5', `verdict:${place.id}`]
  const elsewhere = ['sticky:6', 'labels:6', 'review-request:6', 'verdict:acme/shop#6@abc', 'issue:4', 'part:a']
  const check = `check:${sha}:countersign`

  test('of the pull request is known here, and nothing else', () => {
    const slots = Object.fromEntries([...places, ...elsewhere].map((slot) => [slot, { digest: slot, ref: 'there' }]))
    const found = after({ slots }).joined.slots
    expect(found).toEqual(Object.fromEntries(places.map((slot) => [slot, { digest: slot, ref: 'there' }])))
  })

  test('at the check run is looked at again, where both know it', () => {
    const slots = { [check]: { digest: 'd', ref: 'there' } }
    const again = `joined ${from}`
    expect(after({ slots }).joined.slots).toEqual({ [check]: { digest: again, ref: 'there' } })
    const known = { [check]: { digest: 'k', ref: 'here' } }
    expect(after({ slots, task: { slots: known } }).joined.slots).toEqual({ [check]: { digest: again, ref: 'here' } })
    const ofAnother = { [`check:${'8'.repeat(40)}:countersign`]: { digest: 'd', ref: 'there' } }
    expect(after({ slots: ofAnother }).joined.slots).toEqual({})
  })
})

test('nothing comes along from a task that was not left', () => {
  const own: TaskState = {
    ...aTask(anAttempt({ ...place, acts: [act({ type: 'REJECTION' })] })),
    taken_up: { to: null },
  }
  expect(decide(aTask(anAttempt(place)), { type: 'join_task', pull: 5, from, own }, at)).toEqual([])
})
