// Goals, requests and unclear tasks on the record: each has a stream of its own, named by the number of its issue.
import {
  decideCriteria,
  emptyCriteria,
  evolveCriteria,
  type CriteriaInput,
  type CriteriaState,
} from '../../core/criteria/criteria.ts'
import { decideGoal, type GoalInput } from '../../core/goals/decide-goal.ts'
import { emptyGoal, evolveGoal, type GoalState } from '../../core/goals/goal.ts'
import type { TaskState } from '../../core/decision/model.ts'
import type { Repository } from '../../core/news.ts'
import { decideRequest, type RequestInput } from '../../core/requests/decide-request.ts'
import { emptyRequest, evolveRequest, type RequestState } from '../../core/requests/request.ts'
import { appended, loaded, type Aggregate, type Appended } from '../aggregates.ts'
import type { Engine, TaskRef } from '../engine.ts'
import type { Told } from '../record.ts'
import { numberIn, repositoryIn } from '../../core/names.ts'

export const issueKinds = ['goal', 'request', 'criteria'] as const
export type IssueKind = (typeof issueKinds)[number]

export const goals: Aggregate<GoalState, GoalInput> = {
  empty: emptyGoal,
  evolve: evolveGoal,
  decide: decideGoal,
  remembered: (engine) => engine.goals,
}

export const requests: Aggregate<RequestState, RequestInput> = {
  empty: emptyRequest,
  evolve: evolveRequest,
  decide: decideRequest,
  remembered: (engine) => engine.requests,
}

export const criteria: Aggregate<CriteriaState, CriteriaInput> = {
  empty: emptyCriteria,
  evolve: evolveCriteria,
  decide: decideCriteria,
  remembered: (engine) => engine.criteria,
}

export const issueRef = (kind: IssueKind, { key, full_name }: Repository, number: number): TaskRef => ({
  stream: `${key}#${kind}-${number}`,
  task_id: `${full_name}#${number}`,
})
export const goalRef = (repository: Repository, number: number): TaskRef => issueRef('goal', repository, number)
export const requestRef = (repository: Repository, number: number): TaskRef => issueRef('request', repository, number)

export const criteriaRef = (repository: Repository, number: number): TaskRef => issueRef('criteria', repository, number)

/** What a stream is of; null where it is of a task. */
export const kindOf = (stream: string): IssueKind | null =>
  issueKinds.find((kind) => stream.includes(`#${kind}-`)) ?? null

/** Where it lies. */
export function placeOf({ stream, task_id }: TaskRef): { readonly repository: Repository; readonly number: number } {
  return {
    repository: { key: repositoryIn(stream), full_name: repositoryIn(task_id) },
    number: numberIn(stream),
  }
}

/** What a task belongs to. */
export const issuesAbove = (
  ref: TaskRef,
  { goals: above, request }: Pick<TaskState, 'goals' | 'request'>,
): readonly TaskRef[] => {
  const { repository } = placeOf(ref)
  const ofRequest = request === null ? [] : [requestRef(repository, request)]
  return [...above.map(({ number }) => goalRef(repository, number)), ...ofRequest]
}

export const goalAt = async (engine: Engine, ref: TaskRef): Promise<GoalState> =>
  (await loaded(engine, goals, ref)).state

export const requestAt = async (engine: Engine, ref: TaskRef): Promise<RequestState> =>
  (await loaded(engine, requests, ref)).state

export const criteriaAt = async (engine: Engine, ref: TaskRef): Promise<CriteriaState> =>
  (await loaded(engine, criteria, ref)).state

export const tellCriteria = (
  engine: Engine,
  ref: TaskRef,
  input: CriteriaInput,
  told: Told,
): Promise<Appended<CriteriaState>> => appended(engine, criteria, ref, [input], told)

export const tellGoal = (engine: Engine, ref: TaskRef, input: GoalInput, told: Told): Promise<Appended<GoalState>> =>
  appended(engine, goals, ref, [input], told)

export const tellRequest = (
  engine: Engine,
  ref: TaskRef,
  input: RequestInput,
  told: Told,
): Promise<Appended<RequestState>> => appended(engine, requests, ref, [input], told)
