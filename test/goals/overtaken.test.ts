// A word at a goal that is older than what it would move moves nothing, except that a no comes too late for nobody who confirmed
// the same.
import { expect, test } from 'vitest'
import { decideGoal, type GoalInput } from '../../src/core/goals/decide-goal.ts'
import { emptyGoal, evolveGoal, type GoalState, type GoalTask } from '../../src/core/goals/goal.ts'

const terms = { lead: ['ada'], integration_checks: [], max_tasks: 3, merge_requires: 'verified' } as const
const minute = (count: number): string => `2026-01-01T00:0${count}:00Z`
const task: GoalTask = { number: 2, title: 'Show prices', status: 'verified', pull: 3, who: 'eve' }

const seen = (...tasks: readonly GoalTask[]): GoalInput => ({
  type: 'see_goal',
  number: 1,
  title: 'A goal',
  closed: null,
  by: { id: 1, login: 'ada' },
  terms,
  tasks,
  left_out: [],
})

const said = (verb: 'verify' | 'reject' | 'link' | 'unlink', at: number, text = 'it works'): GoalInput => ({
  type: 'give_goal_command',
  verb,
  text,
  items: [],
  terms,
  apps: [],
  evidence: [],
  saying: {
    key: `comment-${at}/${verb}`,
    user: { id: 1, login: 'ada', kind: 'human', permission: 'write', teams: [] },
    sha: '',
    source: 'comment',
    census: { admin: 1, maintain: 0, write: 2, complete: true },
    text: '/goal',
    at: minute(at),
    through: null,
  },
})

const after = (...inputs: readonly GoalInput[]): GoalState =>
  inputs.reduce(
    (goal, input) => decideGoal(goal, input).reduce((state, event) => evolveGoal(state, event), goal),
    emptyGoal('acme/shop#1'),
  )
const outcome = (goal: GoalState, input: GoalInput): string | undefined => {
  const [event] = decideGoal(goal, input)
  return event?.type === 'CommandRefused' ? event.data.why : event?.type
}

const delivered = seen({ ...task, verified_at: minute(4) })
const letGo: GoalTask = { ...task, number: 3, status: 'review' }

test.each<[string, GoalState, GoalInput, string]>([
  ['a yes of now', after(delivered), said('verify', 5), 'GoalVerified'],
  ['a yes of the same second', after(delivered), said('verify', 4), 'GoalVerified'],
  ['a yes from before the last task was confirmed', after(delivered), said('verify', 3), 'overtaken'],
  ['a yes where nobody knows when that was', after(seen(task)), said('verify', 3), 'GoalVerified'],
  ['a no of now', after(delivered), said('reject', 5), 'GoalRejected'],
  ['a no from before the last task was confirmed', after(delivered), said('reject', 3), 'overtaken'],
  ['a no after a yes', after(delivered, said('verify', 5)), said('reject', 6), 'GoalRejected'],
  ['a no before a yes, heard later', after(delivered, said('verify', 6)), said('reject', 5), 'GoalRejected'],
  [
    'a yes from before a task was let go',
    after(seen(task, letGo), said('unlink', 6, '#3'), seen(task)),
    said('verify', 5),
    'overtaken',
  ],
  ['a link from before it was let go', after(seen(task), said('unlink', 6, '#2')), said('link', 5, '#2'), 'overtaken'],
  ['a link of something else', after(seen(task), said('unlink', 6, '#2')), said('link', 5, '#4'), 'GoalTaskAsked'],
])('%s', (_word, goal, input, what) => {
  expect(outcome(goal, input)).toBe(what)
})

test('a yes of the delivery before the one that was sent back is none of the next', () => {
  const next = after(delivered, said('reject', 5), seen({ ...task, verified_at: minute(7) }))
  expect(next.status).toBe('pending_verify')
  expect(outcome(next, said('verify', 4))).toBe('overtaken')
})

test('what was sent back waits for a change, which it is none that it becomes known when a task was confirmed', () => {
  const sent = after(seen(task), said('reject', 5))
  expect(sent).toMatchObject({ status: 'active', awaits_change: true })
  expect(after(seen(task), said('reject', 5), delivered)).toMatchObject({ status: 'active', awaits_change: true })
})
