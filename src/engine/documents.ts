// READ: what agents and the command line are told of attempts, tasks and goals, from the record alone, in whichever process.
import { movedTo } from '../core/decision/gate/taken-up.ts'
import { emptyTask, replay } from '../core/decision/record/evolve.ts'
import type { RecordedEvent } from '../core/decision/record/events.ts'
import type { Attempt, TaskState } from '../core/decision/model.ts'
import { explain, sayMoment } from '../core/words/explain.ts'
import { attemptJson } from '../core/words/attempt-json.ts'
import { goalJson } from '../core/words/goal-document.ts'
import { taskJson } from '../core/words/task-document.ts'
import { emptyGoal, evolveGoal } from '../core/goals/goal.ts'
import { pullKey, type Store } from '../ports.ts'

type Standing = { readonly task: TaskState; readonly attempt: Attempt; readonly events: readonly RecordedEvent[] }
type Record = Pick<Store, 'find' | 'read'>

/** Null where nothing was judged there. */
export async function standingOf(store: Record, repository: string, pull: number): Promise<Standing | null> {
  const found: Standing[] = []
  const streams = await store.find(pullKey(repository, pull))
  // What is no pull request may be the issue of a task.
  for (const stream of streams.length > 0 ? streams : [`${repository}#${pull}`]) {
    const events = await store.read(stream)
    if (events.length === 0) continue
    const task = replay(emptyTask(events[0]?.task_id ?? stream), events)
    const isOwn = (one: Attempt): boolean => streams.length === 0 || one.pull === pull
    const own = task.attempts.filter((one) => isOwn(one) && one.group === null)
    const opened = own.find(({ id }) => id === task.opened[String(pull)])
    const attempt = own.findLast(({ live }) => live) ?? opened ?? own.at(-1)
    // It may have been taken up, and be judged at another task since.
    if (attempt !== undefined && movedTo(task) === null) found.push({ task, attempt, events })
  }
  return found.find(({ attempt }) => attempt.live) ?? found.at(-1) ?? null
}

const LOG_LINES_MAX = 500

/** What happened to its task, a line each. */
async function logOf(store: Record, repository: string, pull: number): Promise<string | null> {
  const standing = await standingOf(store, repository, pull)
  if (standing === null) return null
  const feedback = standing.attempt.contract.policy.verification.retry.include_verifier_feedback
  return explain(standing.events, { feedback }).slice(-LOG_LINES_MAX).map(sayMoment).join('\n')
}

async function attemptOf(store: Record, repository: string, pull: number): Promise<string | null> {
  const standing = await standingOf(store, repository, pull)
  return standing === null ? null : attemptJson(standing.task, standing.attempt)
}

async function taskOf(store: Record, repository: string, number: number): Promise<string | null> {
  const standing = await standingOf(store, repository, number)
  return standing === null ? null : taskJson(standing.task)
}

async function goalOf(store: Record, repository: string, number: number): Promise<string | null> {
  const events = await store.read(`${repository}#goal-${number}`)
  const goal = events.reduce(evolveGoal, emptyGoal(events[0]?.task_id ?? ''))
  return goal.status === 'none' ? null : goalJson(goal)
}

/** What there is to read; each gives null where nothing is recorded. The repository is named by its key. */
export const documents = { attempt: attemptOf, log: logOf, task: taskOf, goal: goalOf } as const
export const documentKinds = ['attempt', 'log', 'task', 'goal'] as const satisfies readonly (keyof typeof documents)[]
export type DocumentKind = keyof typeof documents
