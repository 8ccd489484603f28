// What holds for every history of a goal, whatever is said by whomever, in whichever order GitHub is read.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../src/core/decision/record/events.ts'
import type { TaskStatus } from '../../src/core/decision/model.ts'
import { decideGoal, isDone, type GoalInput } from '../../src/core/goals/decide-goal.ts'
import { emptyGoal, evolveGoal, goalMayMove, type GoalState, type GoalTask } from '../../src/core/goals/goal.ts'
import type { Person } from '../../src/core/people/people.ts'
import { tries } from '../depth.ts'

const terms = {
  lead: ['ada', 'robot[bot]'],
  integration_checks: ['e2e'],
  max_tasks: 3,
  merge_requires: 'verified',
} as const
const people: readonly Person[] = [
  { id: 1, login: 'ada', kind: 'human', permission: 'write', teams: [] },
  { id: 2, login: 'bob', kind: 'human', permission: 'admin', teams: [] },
  { id: 3, login: 'robot[bot]', kind: 'bot', permission: 'admin', teams: [] },
  // Once called ada, and a stranger by now.
  { id: 4, login: 'ada', kind: 'human', permission: 'read', teams: [] },
  { id: 1, login: 'ada', kind: 'human', permission: 'write', teams: [], nameless: true },
]
const statuses: readonly TaskStatus[] = ['pending', 'assigned', 'in_progress', 'review', 'completed', 'verified']
const census = { admin: 1, maintain: 0, write: 2, complete: true }

const task: fc.Arbitrary<GoalTask> = fc.record({
  number: fc.integer({ min: 2, max: 5 }),
  title: fc.constant('A task'),
  status: fc.oneof({ weight: 3, arbitrary: fc.constant<TaskStatus>('verified') }, fc.constantFrom(...statuses)),
  pull: fc.constant(null),
  who: fc.constant(null),
})
const tasks = fc.uniqueArray(task, { selector: ({ number }) => number, maxLength: 4 })
const input: fc.Arbitrary<GoalInput> = fc.oneof(
  fc.record({
    type: fc.constant('see_goal' as const),
    number: fc.constant(1),
    title: fc.constant('A goal'),
    closed: fc.constantFrom(null, { by: null, lead: false }, { by: null, lead: true }),
    by: fc.constant({ id: 1, login: 'ada' }),
    terms: fc.constant(terms),
    tasks,
    left_out: fc.constant([]),
  }),
  fc.record({ type: fc.constant('report_tasks' as const), tasks }),
  fc.record({
    type: fc.constant('give_goal_command' as const),
    verb: fc.constantFrom('verify', 'verify', 'reject', 'link', 'unlink'),
    text: fc.constantFrom('', '#3', '#1', 'it works'),
    items: fc.constantFrom([], ['Mend it']),
    saying: fc.record({
      key: fc.string({ minLength: 3, maxLength: 3 }),
      user: fc.constantFrom(...people),
      sha: fc.constant(''),
      source: fc.constant('comment' as const),
      census: fc.constant(census),
      text: fc.constant('/goal'),
      at: fc.constant(''),
      through: fc.constantFrom(null, null, 'some-app'),
    }),
    terms: fc.constant(terms),
    apps: fc.constant([]),
    evidence: fc.constantFrom(
      [],
      [{ check: 'e2e', conclusion: 'success', sha: 'a1' }],
      [{ check: 'e2e', conclusion: 'failure', sha: 'a1' }],
    ),
  }),
  fc.record({
    type: fc.constant('note_fix' as const),
    rejection: fc.string({ minLength: 3, maxLength: 3 }),
    index: fc.nat(1),
    number: fc.integer({ min: 6, max: 9 }),
  }),
  fc.record({
    type: fc.constant('refuse_task' as const),
    number: fc.integer({ min: 2, max: 5 }),
    why: fc.constant('no'),
  }),
)

type Step = {
  readonly input: GoalInput
  readonly before: GoalState
  readonly goal: GoalState
  readonly types: readonly string[]
}

function played(inputs: readonly GoalInput[]): readonly Step[] {
  let goal = emptyGoal('acme/shop#1')
  return inputs.map((one) => {
    const before = goal
    const events = decideGoal(goal, one)
    goal = events.reduce((state, event) => evolveGoal(state, event), goal)
    return { input: one, before, goal, types: events.map(({ type }) => type) }
  })
}

/** Half of them begin where everything is ready to be confirmed. */
const ready: GoalInput = {
  type: 'see_goal',
  number: 1,
  title: 'A goal',
  closed: null,
  by: { id: 1, login: 'ada' },
  terms,
  tasks: [{ number: 2, title: 'A task', status: 'verified', pull: 3, who: null }],
  left_out: [],
}
const histories = fc
  .tuple(fc.boolean(), fc.array(input, { minLength: 4, maxLength: 25 }))
  .map(([isReady, inputs]) => (isReady ? [ready, ...inputs] : inputs))

test('a goal is verified by a human lead alone, with words and a green default branch, while all its tasks are', () => {
  let verified = 0
  fc.assert(
    fc.property(histories, (inputs) => {
      for (const { input: one, before, types } of played(inputs)) {
        if (!types.includes('GoalVerified')) continue
        verified += 1
        expect(before.status).toBe('pending_verify')
        expect(before.tasks.every(({ status }) => status === 'verified') && before.tasks.length > 0).toBe(true)
        if (one.type !== 'give_goal_command') throw new Error('Nobody said so')
        const { user, through } = one.saying
        expect([user.id, user.kind, user.nameless, through]).toEqual([1, 'human', undefined, null])
        expect(one.text.trim()).not.toBe('')
        expect(one.evidence).toMatchObject([{ check: 'e2e', conclusion: 'success' }])
      }
    }),
    { numRuns: tries(4_000) },
  )
  expect(verified).toBeGreaterThan(tries(10))
})

test('no history breaks the record, leaves a state behind its tasks, or moves where nothing is declared', () => {
  fc.assert(
    fc.property(histories, (inputs) => {
      for (const { before, goal } of played(inputs)) {
        expect(goal.invariants_broken).toEqual([])
        if (goal.status === 'verified' || goal.status === 'pending_verify') expect(isDone(goal)).toBe(true)
        if (goal.status === 'verified') expect(goal.confirmed).not.toBeNull()
        if (before.status === 'verified' && goal.status !== 'verified')
          expect(goalMayMove('verified', 'active')).toBe(true)
      }
    }),
    { numRuns: tries(800) },
  )
})

test('what is said or read twice counts once', () => {
  fc.assert(
    fc.property(histories, (inputs) => {
      for (const { input: one, goal } of played(inputs)) expect(decideGoal(goal, one).filter(isNews)).toEqual([])
    }),
    { numRuns: tries(400) },
  )
})

const isNews = ({ type }: Pick<RecordedEvent, 'type'>): boolean => type !== 'SlotShown'

test('no machine and nobody but a lead is heard, and each is told who is', () => {
  const [ada, ...others] = people
  const goal = played([
    {
      type: 'see_goal',
      number: 1,
      title: 'A goal',
      closed: null,
      by: { id: 1, login: 'ada' },
      terms: { ...terms, integration_checks: [] },
      tasks: [{ number: 2, title: 'A task', status: 'verified', pull: 3, who: null }],
      left_out: [],
    },
  ]).at(-1)?.goal
  if (goal === undefined || ada === undefined) throw new Error('There is no goal')
  const said = (user: Person, through: string | null = null) =>
    decideGoal(goal, {
      type: 'give_goal_command',
      verb: 'verify',
      text: 'it works',
      items: [],
      saying: { key: 'k', user, sha: '', source: 'comment', census, text: '/goal verify it works', at: '', through },
      terms: { ...terms, integration_checks: [] },
      apps: ['its-own-app'],
      evidence: [],
    }).map(({ type }) => type)
  expect(goal.status).toBe('pending_verify')
  for (const other of others) expect(said(other)).toEqual(['OverrideDenied'])
  expect(said(ada, 'some-app')).toEqual(['OverrideDenied'])
  expect(said(ada, 'its-own-app')).toEqual(['GoalVerified'])
  expect(said(ada)).toEqual(['GoalVerified'])
})
