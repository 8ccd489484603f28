// What an input means for a goal: new events, or none where it says nothing new. First the facts that it brings, then where
// they put the goal. The same input twice changes nothing the second time.
import { equal } from '../canonical.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { Account } from '../people/people.ts'
import { evolveGoal, goalMayMove, type GoalState, type GoalStatus, type GoalTask, type GoalTerms } from './goal.ts'
import type { GoalClosed, GoalEventData } from './events.ts'
import { judgeGoal, type GoalAct } from './judge-goal.ts'

export type GoalInput =
  /** The issue and its sub-issues as GitHub has them. */
  | {
      readonly type: 'see_goal'
      readonly number: number
      readonly title: string
      readonly closed: GoalClosed | null
      readonly by: Account
      readonly terms: GoalTerms
      readonly tasks: readonly GoalTask[]
      readonly left_out: readonly string[]
    }
  /** Where its tasks stand by their own records. */
  | { readonly type: 'report_tasks'; readonly tasks: readonly GoalTask[] }
  | ({ readonly type: 'give_goal_command' } & GoalAct)
  /** GitHub will not have this issue as a sub-issue, or not let go of it. */
  | { readonly type: 'refuse_task'; readonly number: number; readonly why: string }
  | { readonly type: 'note_fix'; readonly rejection: string; readonly index: number; readonly number: number }
  | { readonly type: 'note_stranger'; readonly key: string; readonly user: Account }
  | { readonly type: 'show_slot'; readonly slot: string; readonly digest: string; readonly ref: string | null }

type Draft = { goal: GoalState; readonly events: NewEvent[]; readonly at: string }

export function decideGoal(goal: GoalState, input: GoalInput, at = ''): readonly NewEvent[] {
  const draft: Draft = { goal, events: [], at }
  told(draft, input)
  if (draft.events.length > 0) follow(draft)
  return draft.events
}

const nowhere = { attempt_id: null, head_sha: null }

function emit(draft: Draft, event: NewEvent): void {
  draft.events.push(event)
  draft.goal = evolveGoal(draft.goal, event)
}

function told(draft: Draft, input: GoalInput): void {
  switch (input.type) {
    case 'see_goal':
      return seen(draft, input)
    case 'report_tasks':
      for (const task of input.tasks) {
        const known = draft.goal.tasks.find(({ number }) => number === task.number)
        if (known !== undefined && !equal(known, task))
          emit(draft, { type: 'GoalTaskMoved', ...nowhere, data: { task } })
      }
      return
    case 'give_goal_command':
      if (!draft.goal.heard.includes(input.saying.key)) emit(draft, judgeGoal(draft.goal, input))
      return
    case 'refuse_task': {
      const { number, why } = input
      if (draft.goal.wishes.some((wish) => wish.number === number))
        emit(draft, { type: 'GoalTaskRefused', ...nowhere, data: { number, why } })
      return
    }
    case 'note_fix': {
      const { rejection: key, index, number } = input
      const fix = draft.goal.rejections.find((one) => one.key === key)?.fixes[index]
      if (fix?.number === null)
        emit(draft, { type: 'GoalFixMade', ...nowhere, data: { rejection: key, index, number } })
      return
    }
    case 'note_stranger': {
      const { key, user } = input
      const data = { key, user: user.login, user_id: user.id, pull: draft.goal.number }
      if (!draft.goal.heard.includes(key)) emit(draft, { type: 'StrangerAnswered', ...nowhere, data })
      return
    }
    case 'show_slot': {
      const { slot, digest, ref } = input
      if (draft.goal.slots[slot]?.digest !== digest)
        emit(draft, { type: 'SlotShown', ...nowhere, data: { slot, digest, ref } })
    }
  }
}

function seen(draft: Draft, input: Extract<GoalInput, { type: 'see_goal' }>): void {
  const { number, title, closed, terms, tasks, by, left_out } = input
  const { goal } = draft
  if (goal.status === 'none') {
    const data: GoalEventData['GoalCreated'] = { number, title, by: by.login, user_id: by.id, terms, at: draft.at }
    emit(draft, { type: 'GoalCreated', ...nowhere, data })
  }
  const now = { title, closed, terms, left_out }
  if (!equal({ ...draft.goal, ...now }, draft.goal)) emit(draft, { type: 'GoalSeen', ...nowhere, data: now })
  for (const known of goal.tasks) {
    if (!tasks.some((task) => task.number === known.number))
      emit(draft, { type: 'GoalTaskUnlinked', ...nowhere, data: { number: known.number } })
  }
  for (const task of tasks) {
    if (!draft.goal.tasks.some((known) => known.number === task.number))
      emit(draft, { type: 'GoalTaskLinked', ...nowhere, data: { task } })
  }
  told(draft, { type: 'report_tasks', tasks })
  // What is as it was wished is wished no more, whoever made it so.
  for (const { number, linked } of draft.goal.wishes) {
    if (tasks.some((task) => task.number === number) === linked)
      emit(draft, { type: 'GoalTaskRefused', ...nowhere, data: { number, why: 'it is so already' } })
  }
}

/** No state is passed over: a goal whose tasks were all verified before it began was active on the way. */
function follow(draft: Draft): void {
  for (let to = next(draft.goal); to !== null; to = next(draft.goal))
    emit(draft, { type: 'GoalStateChanged', ...nowhere, data: { from: draft.goal.status, to } })
}

function next(goal: GoalState): GoalStatus | null {
  const to = wanted(goal)
  return to !== goal.status && goalMayMove(goal.status, to) ? to : null
}

function wanted(goal: GoalState): GoalStatus {
  const { status, tasks } = goal
  const done = isDone(goal)
  switch (status) {
    case 'none':
      return status
    case 'open':
      return tasks.some(hasBegun) ? 'active' : status
    case 'active':
      return done ? 'pending_verify' : status
    case 'pending_verify':
    case 'verified':
      return done ? status : 'active'
  }
}

const hasBegun = ({ status }: GoalTask): boolean => status !== 'none' && status !== 'pending' && status !== 'assigned'

/** All that it consists of is verified, what was sent back for included. */
export const isDone = ({ tasks, rejections, awaits_change }: GoalState): boolean =>
  tasks.length > 0 &&
  tasks.every(({ status }) => status === 'verified') &&
  !awaits_change &&
  rejections.every(({ fixes }) => fixes.every(({ number }) => number !== null))
