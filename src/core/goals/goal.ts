// A goal is an issue above tasks, which are its sub-issues. Its state is a fold over its events; where a task stands is
// what that task's own record says, and is only copied here. Nothing is decided here.
import { hearing, refusedOnce, type Conversation } from '../people/conversation.ts'
import type { Account } from '../people/people.ts'
import type { NewEvent } from '../decision/record/events.ts'
import type { Slot, TaskStatus } from '../decision/model.ts'
import type { GoalClosed } from './events.ts'

export type GoalStatus = 'none' | 'open' | 'active' | 'pending_verify' | 'verified'

export type GoalTask = {
  readonly number: number
  readonly title: string
  readonly status: TaskStatus
  /** The pull request that was judged last; null before there is one. */
  readonly pull: number | null
  /** Whose turn it is, or whose it was last, by name; null where nobody is known. */
  readonly who: string | null
  /** What has to be verified before it; left out where that is nothing. */
  readonly blocked_by?: readonly string[]
}

/** What the policy of the default branch asks of goals. */
export type GoalTerms = {
  readonly lead: readonly string[]
  readonly integration_checks: readonly string[]
  readonly max_tasks: number
  readonly merge_requires: 'verified' | 'completed' | 'success'
}

export type Wish = { readonly number: number; readonly linked: boolean; readonly by: string }

export type GoalRejection = {
  readonly key: string
  readonly by: string
  readonly reason: string
  /** `number`: its issue, once it is made. */
  readonly fixes: readonly { readonly title: string; readonly number: number | null }[]
}

export type GoalState = Conversation & {
  readonly goal_id: string
  readonly number: number
  readonly status: GoalStatus
  readonly title: string
  readonly created_by: Account | null
  readonly terms: GoalTerms
  readonly closed: GoalClosed | null
  readonly tasks: readonly GoalTask[]
  /** Sub-issues that are no tasks of it, with the reason. */
  readonly left_out: readonly string[]
  /** What leads want linked and unlinked, until it is. */
  readonly wishes: readonly Wish[]
  readonly confirmed: { readonly by: string; readonly notes: string; readonly evidence: readonly string[] } | null
  readonly rejections: readonly GoalRejection[]
  /** It was sent back, and nothing of it has changed since. */
  readonly awaits_change: boolean
  /** How often all its tasks were verified. */
  readonly rounds: number
  readonly invariants_broken: readonly string[]
  readonly slots: Readonly<Record<string, Slot>>
}

const noTerms: GoalTerms = { lead: [], integration_checks: [], max_tasks: 20, merge_requires: 'verified' }

export const emptyGoal = (goal_id: string): GoalState => ({
  goal_id,
  number: 0,
  status: 'none',
  title: '',
  created_by: null,
  terms: noTerms,
  closed: null,
  tasks: [],
  left_out: [],
  wishes: [],
  confirmed: null,
  rejections: [],
  awaits_change: false,
  rounds: 0,
  heard: [],
  refusals: {},
  invariants_broken: [],
  slots: {},
})

type OfGoal = Extract<NewEvent, { type: `Goal${string}` | (typeof common)[number] }>
/** What is on the record of tasks too. */
const common = ['CommandRefused', 'OverrideDenied', 'StrangerAnswered', 'SlotShown'] as const
const isOfGoal = (event: NewEvent): event is OfGoal =>
  event.type.startsWith('Goal') || common.some((type) => type === event.type)

export const evolveGoal = (goal: GoalState, event: NewEvent): GoalState =>
  isOfGoal(event) ? after(goal, event) : broken(goal, `${event.type} is no event of a goal`)

function after(goal: GoalState, event: OfGoal): GoalState {
  switch (event.type) {
    case 'GoalCreated': {
      const { number, title, by: login, user_id: id, terms } = event.data
      return moved({ ...goal, number, title, terms, created_by: { id, login } }, 'none', 'open')
    }
    case 'GoalSeen':
      return { ...goal, ...event.data }
    case 'GoalTaskAsked': {
      const { number, linked, by, key } = event.data
      return hearing(
        { ...without(goal, number), wishes: [...without(goal, number).wishes, { number, linked, by }] },
        key,
      )
    }
    case 'GoalTaskRefused':
      return without(goal, event.data.number)
    case 'GoalTaskLinked': {
      const { task } = event.data
      return { ...without(goal, task.number), awaits_change: false, tasks: [...goal.tasks, task] }
    }
    case 'GoalTaskUnlinked': {
      const { number } = event.data
      return { ...without(goal, number), tasks: goal.tasks.filter((task) => task.number !== number) }
    }
    case 'GoalTaskMoved': {
      const { task } = event.data
      return {
        ...goal,
        awaits_change: false,
        tasks: goal.tasks.map((one) => (one.number === task.number ? task : one)),
      }
    }
    case 'GoalStateChanged':
      return moved(goal, event.data.from, event.data.to)
    case 'GoalVerified': {
      const { by, notes, evidence, key } = event.data
      return hearing(moved({ ...goal, confirmed: { by, notes, evidence } }, 'pending_verify', 'verified'), key)
    }
    case 'GoalRejected':
      return hearing(rejected(goal, event.data), event.data.key)
    case 'GoalFixMade':
      return {
        ...goal,
        rejections: goal.rejections.map((one) => withFix(one, event.data)),
        wishes: [...goal.wishes, { number: event.data.number, linked: true, by: 'countersign' }],
      }
    case 'CommandRefused':
    case 'OverrideDenied': {
      const { user: login, user_id: id = null, key } = event.data
      return hearing(refusedOnce(goal, { id, login }), key)
    }
    case 'StrangerAnswered': {
      const { user: login, user_id: id, key } = event.data
      return hearing(refusedOnce(goal, { id, login }), key)
    }
    case 'SlotShown': {
      const { slot, digest, ref } = event.data
      return { ...goal, slots: { ...goal.slots, [slot]: { digest, ref } } }
    }
  }
}

/** Nothing is wished of this issue any more. */
const without = (goal: GoalState, number: number): GoalState => ({
  ...goal,
  wishes: goal.wishes.filter((wish) => wish.number !== number),
})

const transitions: Readonly<Record<GoalStatus, readonly GoalStatus[]>> = {
  none: ['open'],
  open: ['active'],
  active: ['pending_verify'],
  pending_verify: ['verified', 'active'],
  verified: ['active'],
}
export const goalMayMove = (from: GoalStatus, to: GoalStatus): boolean => transitions[from].includes(to)

function moved(goal: GoalState, from: GoalStatus, to: GoalStatus): GoalState {
  if (goal.status !== from || !goalMayMove(from, to))
    return broken(goal, `the goal cannot go from ${goal.status} to ${to}`)
  const rounds = goal.rounds + (to === 'pending_verify' ? 1 : 0)
  return { ...goal, rounds, status: to, confirmed: to === 'verified' ? goal.confirmed : null }
}

const broken = (goal: GoalState, what: string): GoalState => ({
  ...goal,
  invariants_broken: [...goal.invariants_broken, what],
})

function rejected(goal: GoalState, { key, by, reason, fixes }: RejectedData): GoalState {
  const rejection = { key, by, reason, fixes: fixes.map((title) => ({ title, number: null })) }
  const sent = { ...goal, rejections: [...goal.rejections, rejection], awaits_change: true }
  return moved(sent, 'pending_verify', 'active')
}
type RejectedData = Extract<NewEvent, { type: 'GoalRejected' }>['data']

function withFix(rejection: GoalRejection, made: Extract<NewEvent, { type: 'GoalFixMade' }>['data']): GoalRejection {
  if (rejection.key !== made.rejection) return rejection
  const fixes = rejection.fixes.map((fix, index) => (index === made.index ? { ...fix, number: made.number } : fix))
  return { ...rejection, fixes }
}
