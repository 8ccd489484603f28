// What becomes of a task beside its attempts: whose it is, who confirmed it, which goals it belongs to.
import { hearing } from '../../people/conversation.ts'
import type { Attempt, TaskState } from '../model.ts'
import type { Dependency } from '../task-parts.ts'
import type { NewEvent } from './events.ts'
import { on } from './fold.ts'
import { joined } from './untouched.ts'

type Of<T extends NewEvent['type']> = Extract<NewEvent, { type: T }>

export function verified(task: TaskState, event: Of<'TaskVerified'>, recorded: string): TaskState {
  const { key, by, user_id, notes, separation, at = recorded } = event.data
  const known = { ...task, sent_back: [], confirmers: [...task.confirmers, { id: user_id, login: by }] }
  return hearing(
    on(known, event, () => ({ confirmed_by: { by, user_id, notes, separation, at } })),
    key,
  )
}

/** What was confirmed of another pull request that is open stays so: whoever opens one more must not undo it. */
export function sentBack(task: TaskState, event: Of<'TaskSentBack'>): TaskState {
  // By what opens just now, which is none of those that are open.
  const pull = task.attempts.find(({ id }) => id === event.attempt_id)?.pull
  const stays = (one: Attempt): boolean => one.live && one.pull !== pull
  const attempts = task.attempts.map((one) => (stays(one) ? one : { ...one, confirmed_by: null }))
  return { ...task, attempts }
}

export const withoutConfirmation = (task: TaskState): TaskState => ({
  ...task,
  attempts: task.attempts.map((attempt) => ({ ...attempt, confirmed_by: null })),
})

/** What reviewers said before no longer counts; that they said it does. */
export const reopened = (task: TaskState): TaskState => ({
  ...task,
  counted_after: task.attempts.length,
  reviews: task.reviews.map((review) => ({ ...review, standing: 'replaced' })),
})

/** What broke it is said at the pull request that had delivered it. */
export function broke(task: TaskState, event: Of<'TaskReopened'>): TaskState {
  const { regression } = event.data
  if (regression === undefined) return task
  return on(task, event, ({ regressions }) => ({ regressions: [...regressions, regression] }))
}

export const assigned = (task: TaskState, { data }: Of<'TaskAssigned'>): TaskState => ({
  ...task,
  assignee: { id: data.assignee_id ?? null, login: data.assignee },
})

export function ofGoal(task: TaskState, { goal: number, merge_requires }: Of<'TaskOfGoal'>['data']): TaskState {
  const others = task.goals.filter((goal) => goal.number !== number)
  return { ...task, goals: [...others, { number, merge_requires }] }
}

export function triaged(task: TaskState, { key, by, assignee, parts = [] }: Of<'TriageDecided'>['data']): TaskState {
  const more = parts.map((title, index) => ({ key: `${key}/${index}`, title, by }))
  return hearing({ ...task, sent_back: [], assignee: assignee ?? task.assignee, parts: [...task.parts, ...more] }, key)
}

/**
 * What came of it is to be deployed, and a job waits for our word. Older records do not say in which attempt of its run. Of one
 * environment the newest waits: what an earlier one asked was given up.
 */
export const toDeploy = (task: TaskState, event: Of<'DeploymentAsked'>): TaskState =>
  on(task, event, ({ deployments }) => {
    const { run, run_attempt = 1, environment, sha } = event.data
    const others = deployments.filter((one) => one.run !== run || one.environment !== environment)
    return { deployments: [...others, { run, run_attempt, environment, sha }] }
  })

/** Whoever had to wait for others has not waited for results yet. */
const waitingAnew = ({ attempts, waits_for }: TaskState, at: string): readonly Attempt[] =>
  attempts.map((attempt) => (attempt.live && waits_for !== null ? { ...attempt, waiting_since: at } : attempt))

export const waitingFor = (task: TaskState, waits_for: readonly Dependency[], at: string): TaskState => ({
  ...task,
  waits_for,
  attempts: waitingAnew(task, at),
})

export const closing = (task: TaskState, { pull, issues }: Of<'BesideSeen'>['data'], at: string): TaskState => ({
  ...task,
  beside: { ...task.beside, [pull]: issues },
  attempts: waitingAnew(task, at),
})

/** Whoever is found to have had a hand in a commit counts for it as if that had been known when it was opened. */
export function made(task: TaskState, event: Of<'ExternalModificationDetected'>): TaskState {
  const more = [event.data.builder]
  const known = on(task, event, ({ builders }) => ({ builders: joined(builders, more) }))
  return { ...known, builders: joined(task.builders, more) }
}
