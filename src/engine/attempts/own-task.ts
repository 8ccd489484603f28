// Which task a pull request is an attempt at. Its first attempt fixes that; only a guest's, which has a task to itself, moves
// once, when somebody entitled takes it up. Everything follows from what is on record, so that a crash between leaving and
// joining leaves a pull request that is looked at again, and nothing else.
import { liveAttempt } from '../../core/decision/rules/attempt.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import { awaitsItsTask, movedTo } from '../../core/decision/gate/taken-up.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import { pullKey } from '../../core/decision/record/keys.ts'
import type { Repository } from '../../core/news.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import { record, type Told } from '../record.ts'
import { shownAs } from '../../core/names.ts'

export function refOf({ full_name }: Pick<Repository, 'full_name'>, stream: string): TaskRef {
  return { stream, task_id: shownAs(full_name, stream) }
}

/** The task that a pull request would have to itself. */
export const ownRef = (repository: Repository, pull: number): TaskRef => refOf(repository, `${repository.key}#${pull}`)

/** The task of a pull request, once its first attempt has opened. */
export async function taskOf(engine: Engine, repository: Repository, pull: number): Promise<TaskRef | null> {
  const streams = await engine.store.find(pullKey(repository.key, pull))
  const own = ownRef(repository, pull)
  const [stream] = streams
  if (stream === undefined) return null
  if (!streams.includes(own.stream)) return refOf(repository, stream)
  return refOf(repository, movedTo((await load(engine, own)).task) ?? own.stream)
}

/** How a pull request is judged now. */
export async function attemptOf(engine: Engine, ref: TaskRef | null, pull: number): Promise<Attempt | null> {
  if (ref === null) return null
  const { task } = await load(engine, ref)
  return liveAttempt(task, pull) ?? null
}

/** Somebody took a pull request up, and it has not been looked up yet which task it belongs to. */
export async function isOnItsWay(engine: Engine, ref: TaskRef, pull: number): Promise<boolean> {
  const { task } = await load(engine, ref)
  const attempt = liveAttempt(task, pull)
  return attempt !== undefined && awaitsItsTask(task, attempt)
}

/** A guest's task, where it is to be left for another or was left and has not come there yet. */
export type Leaving = { readonly from: TaskRef; readonly own: TaskState }

/** What is to be told to the task that is joined, together with its first attempt. */
export async function left(
  engine: Engine,
  { from }: Leaving,
  { pull, to }: { readonly pull: number; readonly to: TaskRef },
  told: Told,
): Promise<readonly Input[]> {
  const stays = to.stream === from.stream
  const { task: own } = await record(engine, from, { type: 'take_up', pull, to: stays ? null : to.stream }, told)
  return stays ? [] : [{ type: 'join_task', pull, from: from.stream, own }]
}
