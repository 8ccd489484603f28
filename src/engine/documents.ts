// READ: what agents and the command line are told of attempts, tasks, goals and requests, from the record alone, in whichever process.
import { movedTo } from '../core/decision/gate/taken-up.ts'
import { emptyTask, replay } from '../core/decision/record/evolve.ts'
import type { RecordedEvent } from '../core/decision/record/events.ts'
import type { Attempt, TaskState } from '../core/decision/model.ts'
import { explain, sayMoment } from '../core/words/timeline/explain.ts'
import { attemptJson } from '../core/words/documents/attempt-json.ts'
import { goalJson } from '../core/words/documents/goal-document.ts'
import { taskJson } from '../core/words/documents/task-document.ts'
import { emptyGoal, evolveGoal } from '../core/goals/goal.ts'
import { emptyRequest, evolveRequest } from '../core/requests/request.ts'
import { requestJson } from '../core/words/documents/request-document.ts'
import { type Store } from '../ports.ts'
import { wordsOf } from '../core/error-words.ts'
import { isOutage } from './outage.ts'
import { pullKey } from '../core/decision/record/keys.ts'

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

async function requestOf(store: Record, repository: string, number: number): Promise<string | null> {
  const events = await store.read(`${repository}#request-${number}`)
  const request = events.reduce(evolveRequest, emptyRequest(events[0]?.task_id ?? ''))
  return request.status === 'none' ? null : requestJson(request)
}

const PAGE_STREAMS_MAX = 500

/** `unread`: why it cannot be read, where somebody damaged it. */
export type TaskRecord = {
  readonly task_id: string
  readonly events: readonly RecordedEvent[]
  readonly unread: string | null
}

/** All that is recorded about the newest tasks of a repository, named by its key, the latest first. */
export async function newestTasks(
  store: Pick<Store, 'streams' | 'read'>,
  repository: string,
  last: number,
): Promise<TaskRecord[]> {
  const numbers: number[] = []
  const mine = `${repository}#`
  for (let after = mine; ;) {
    const page = await store.streams(after, PAGE_STREAMS_MAX)
    const own = page.filter((stream) => stream.startsWith(mine))
    numbers.push(...own.flatMap((stream) => (/#\d+$/.test(stream) ? [Number(stream.slice(mine.length))] : [])))
    after = page.at(-1) ?? ''
    if (own.length < PAGE_STREAMS_MAX) break
  }
  const newest = numbers.toSorted((one, other) => other - one).slice(0, last)
  return Promise.all(newest.map((number) => recordOf(store, `${mine}${number}`)))
}

async function recordOf(store: Pick<Store, 'read'>, stream: string): Promise<TaskRecord> {
  try {
    const events = await store.read(stream)
    return { task_id: events[0]?.task_id ?? '', events, unread: null }
  } catch (error) {
    if (isOutage(error)) throw error
    return { task_id: stream, events: [], unread: wordsOf(error) }
  }
}

/** What there is to read; each gives null where nothing is recorded. The repository is named by its key. */
export const documents = { attempt: attemptOf, log: logOf, task: taskOf, goal: goalOf, request: requestOf } as const
export const documentKinds = ['attempt', 'log', 'task', 'goal', 'request'] as const satisfies readonly DocumentKind[]
export type DocumentKind = keyof typeof documents
