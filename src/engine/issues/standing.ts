// Where a task stands, by its own record, for whatever stands above it.
import { blockersOf } from '../../core/decision/gate/blocked.ts'
import type { GoalTask } from '../../core/goals/goal.ts'
import type { Repository } from '../../core/news.ts'
import type { Confirmation, TaskState } from '../../core/decision/model.ts'
import { load, type Engine } from '../engine.ts'
import { ownRef, refOf } from '../attempts/own-task.ts'

export async function standingOf(
  engine: Engine,
  repository: Repository,
  { number, title }: Pick<GoalTask, 'number' | 'title'>,
): Promise<GoalTask> {
  const { task } = await load(engine, refOf(repository, `${repository.key}#${number}`))
  const { status, attempts } = task
  const [pull = null] = pullsIn(attempts)
  const blockers = blockersOf(task).map(({ name }) => name)
  const blocked = blockers.length === 0 ? {} : { blocked_by: blockers }
  const at = status === 'verified' ? confirmationOf(task)?.at : undefined
  const verified = at === undefined ? {} : { verified_at: at }
  return {
    number,
    title,
    status: status === 'none' ? 'pending' : status,
    pull,
    who: whoIn(task),
    ...blocked,
    ...verified,
  }
}

/** The pull request by which a task stands, and those that are open beside it. */
export async function pullsOf(engine: Engine, repository: Repository, issue: number): Promise<readonly number[]> {
  return pullsIn((await load(engine, ownRef(repository, issue))).task.attempts)
}

function pullsIn(attempts: TaskState['attempts']): readonly number[] {
  const all = attempts.filter(({ group }) => group === null)
  const open = all.filter(({ live }) => live).toReversed()
  // What was opened after it and closed again is not what the task stands by.
  const last = all.findLast(({ merged }) => merged !== null) ?? all.at(-1)
  return open.length > 0 ? [...new Set(open.map(({ pull }) => pull))] : last === undefined ? [] : [last.pull]
}

function whoIn(task: TaskState): string | null {
  const { status, assignee, confirmers } = task
  if (status !== 'verified') return assignee?.login ?? null
  return confirmationOf(task)?.by ?? confirmers.at(-1)?.login ?? null
}

const confirmationOf = ({ attempts }: TaskState): Confirmation | null =>
  attempts.findLast(({ confirmed_by }) => confirmed_by !== null)?.confirmed_by ?? null
