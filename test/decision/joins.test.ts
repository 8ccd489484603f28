// What a task becomes part of: a goal, a request, or the task that a guest's pull request was taken up for.
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/core/decision/rules/decide.ts'
import { emptyTask, evolve } from '../../src/core/decision/record/evolve.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { TaskState } from '../../src/core/decision/model.ts'
import { anAttempt, aTask } from '../words/attempts.ts'

const at = '2026-01-05T09:00:00.000Z'
const none = emptyTask('acme/shop#7')
const begun: TaskState = { ...none, status: 'in_progress' }

function after(task: TaskState, ...inputs: readonly Input[]): { task: TaskState; said: string[] } {
  const said: string[] = []
  for (const input of inputs) {
    const events = decide(task, input, at)
    said.push(...events.map(({ type, data }) => ('source' in data ? `${type} ${data.source}` : type)))
    task = events.reduce((state, event) => evolve(state, event, at), task)
  }
  return { task, said }
}
const goal = (number: number, merge_requires: 'success' | 'completed' | 'verified' = 'success'): Input => ({
  type: 'join_goal',
  goal: number,
  merge_requires,
  title: 'Vouchers',
})
const leave = (number: number): Input => ({ type: 'leave_goal', goal: number })

describe('an issue of a goal', () => {
  test.each<[string, TaskState, readonly Input[], string[], number[]]>([
    ['is a task though nobody began with it', none, [goal(3)], ['TaskCreated goal', 'TaskOfGoal'], [3]],
    ['that is one already stays it', begun, [goal(3)], ['TaskOfGoal'], [3]],
    ['is told once', begun, [goal(3), goal(3)], ['TaskOfGoal'], [3]],
    ['is told when more is asked of it', begun, [goal(3), goal(3, 'verified')], ['TaskOfGoal', 'TaskOfGoal'], [3]],
    ['may be of several', begun, [goal(3), goal(4)], ['TaskOfGoal', 'TaskOfGoal'], [3, 4]],
    ['leaves the one alone', begun, [goal(3), goal(4), leave(3)], ['TaskOfGoal', 'TaskOfGoal', 'TaskLeftGoal'], [4]],
    ['leaves none that it is not of', begun, [goal(3), leave(4)], ['TaskOfGoal'], [3]],
  ])('%s', (_title, task, inputs, said, goals) => {
    const found = after(task, ...inputs)
    expect([found.said, found.task.goals.map(({ number }) => number)]).toEqual([said, goals])
  })
})

test.each<[string, TaskState, string[]]>([
  ['is a task though nobody began with it, once', none, ['TaskCreated request', 'TaskOfRequest']],
  ['that is one already stays it', begun, ['TaskOfRequest']],
])('a request that was approved %s', (_title, task, said) => {
  const request: Input = { type: 'join_request', request: 5, title: 'Vouchers' }
  const found = after(task, request, request)
  expect([found.said, found.task.request]).toEqual([said, 5])
})

describe("a guest's pull request that was taken up", () => {
  const [first, second] = [anAttempt({ ordinal: 1, live: false }), anAttempt({ ordinal: 2 })]
  const taken = (to: string | null): Input => ({ type: 'take_up', pull: 7, to })

  test('for another task ends here, once and for all', () => {
    const { said, task } = after(aTask(first, second), taken('R1#4'), taken('R1#5'))
    expect(said).toEqual(['GuestTakenUp', 'AttemptSuperseded'])
    expect([task.taken_up, task.attempts.some(({ live }) => live)]).toEqual([{ to: 'R1#4' }, false])
  })

  test('for itself goes on', () => {
    const { said, task } = after(aTask(first, second), taken(null))
    expect([said[0], task.taken_up, task.attempts.map(({ live }) => live)]).toEqual([
      'GuestTakenUp',
      { to: null },
      [false, true],
    ])
  })
})
