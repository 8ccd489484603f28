// A goal is an issue above tasks, which are its sub-issues. Its state is a fold over its events; where a task stands is
// what that task's own record says, and is only copied here. Nothing is decided here.
import { equal } from '../canonical.ts'
import { laterOf } from '../overtaken.ts'
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
  /** When it was confirmed; left out where it is not, or nobody knows. */
  readonly verified_at?: string
}

/** What the policy of the default branch asks of goals. */
export type GoalTerms = {
  readonly lead: readonly string[]
  readonly integration_checks: readonly string[]
  readonly max_tasks: number
  readonly merge_requires: 'verified' | 'completed' | 'success'
}

export type Wish = { readonly number: number; readonly linked: boolean; readonly by: string; readonly at?: string }

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
  /** What is delivered is as it is since then: its last task was confirmed, or let go, or it was sent back. Empty where unknown. */
  readonly delivered_at: string
  /** When somebody said last of an issue that it is a task, or is none, by its number. */
  readonly asked: Readonly<Record<number, string>>
  /** What was said up to then is heard, but for what was about nothing; empty where an older record does not tell. */
  readonly heard_until: string
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
  delivered_at: '',
  asked: {},
  heard_until: '',
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
      const { number, title, by: login, user_id: id, terms, at: heard_until = '' } = event.data
      return moved({ ...goal, number, title, terms, heard_until, created_by: { id, login } }, 'none', 'open')
    }
    case 'GoalSeen':
      return { ...goal, ...event.data }
    case 'GoalTaskAsked':
      return hearing(wished(goal, event.data), event.data.key)
    case 'GoalTaskRefused':
      return without(goal, event.data.number)
    case 'GoalTaskLinked': {
      const { task } = event.data
      return deliveredBy({ ...without(goal, task.number), awaits_change: false, tasks: [...goal.tasks, task] }, task)
    }
    case 'GoalTaskUnlinked': {
      const { number } = event.data
      const said = goal.wishes.find((wish) => wish.number === number)?.at
      const tasks = goal.tasks.filter((task) => task.number !== number)
      return { ...without(goal, number), tasks, delivered_at: laterOf(goal.delivered_at, said) }
    }
    case 'GoalTaskMoved': {
      const { task } = event.data
      const known = goal.tasks.find(({ number }) => number === task.number)
      const tasks = goal.tasks.map((one) => (one === known ? task : one))
      const awaits_change = goal.awaits_change && isButDated(known, task)
      return deliveredBy({ ...goal, awaits_change, tasks }, task)
    }
    case 'GoalStateChanged':
      return moved(goal, event.data.from, event.data.to)
    case 'GoalVerified': {
      const { by, notes, evidence, key, at } = event.data
      const heard_until = laterOf(goal.heard_until, at)
      const confirmed = { ...goal, heard_until, confirmed: { by, notes, evidence } }
      return hearing(moved(confirmed, 'pending_verify', 'verified'), key)
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

function wished(goal: GoalState, { number, linked, by, at }: DataOf<'GoalTaskAsked'>): GoalState {
  const wish = { number, linked, by, ...(at !== undefined && { at }) }
  return {
    ...goal,
    wishes: [...without(goal, number).wishes, wish],
    asked: at === undefined ? goal.asked : { ...goal.asked, [number]: at },
    heard_until: laterOf(goal.heard_until, at),
  }
}

const deliveredBy = (goal: GoalState, { verified_at }: GoalTask): GoalState => ({
  ...goal,
  delivered_at: laterOf(goal.delivered_at, verified_at),
})

/** Only when it was confirmed was not known before, which is nothing that happened. */
const isButDated = (known: GoalTask | undefined, now: GoalTask): boolean =>
  known?.verified_at === undefined && equal({ ...known, verified_at: '' }, { ...now, verified_at: '' })

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

function rejected(goal: GoalState, { key, by, reason, fixes, at }: DataOf<'GoalRejected'>): GoalState {
  const rejection = { key, by, reason, fixes: fixes.map((title) => ({ title, number: null })) }
  const rejections = [...goal.rejections, rejection]
  const sent = { ...goal, rejections, awaits_change: true, delivered_at: laterOf(goal.delivered_at, at) }
  return moved(sent, goal.status, 'active')
}
type DataOf<T extends OfGoal['type']> = Extract<OfGoal, { type: T }>['data']

function withFix(rejection: GoalRejection, made: DataOf<'GoalFixMade'>): GoalRejection {
  if (rejection.key !== made.rejection) return rejection
  const fixes = rejection.fixes.map((fix, index) => (index === made.index ? { ...fix, number: made.number } : fix))
  return { ...rejection, fixes }
}
