// Goals on the record: each has a stream of its own, named by the number of its issue.
import { decideGoal, type GoalInput } from '../../core/goals/decide-goal.ts'
import { emptyGoal, evolveGoal, type GoalState } from '../../core/goals/goal.ts'
import type { Repository } from '../../core/news.ts'
import { appended, loaded, type Aggregate, type Appended } from '../aggregates.ts'
import type { Engine, TaskRef } from '../engine.ts'
import type { Told } from '../record.ts'

export const goals: Aggregate<GoalState, GoalInput> = {
  empty: emptyGoal,
  evolve: evolveGoal,
  decide: decideGoal,
  remembered: (engine) => engine.goals,
}

export const goalRef = ({ key, full_name }: Repository, number: number): TaskRef => ({
  stream: `${key}#goal-${number}`,
  task_id: `${full_name}#${number}`,
})

export const isGoalStream = (stream: string): boolean => stream.includes('#goal-')

/** Where a goal lies. */
export function placeOf({ stream, task_id }: TaskRef): { readonly repository: Repository; readonly number: number } {
  const [key = '', rest = ''] = stream.split('#')
  const [full_name = ''] = task_id.split('#')
  return { repository: { key, full_name }, number: Number(rest.replace('goal-', '')) }
}

export const goalAt = async (engine: Engine, ref: TaskRef): Promise<GoalState> =>
  (await loaded(engine, goals, ref)).state

export const tellGoal = (engine: Engine, ref: TaskRef, input: GoalInput, told: Told): Promise<Appended<GoalState>> =>
  appended(engine, goals, ref, [input], told)
