// Whoever waits for a task is looked at again once that may be confirmed, or is so no longer. A process that dies forgets nothing
// by forgetting this: the sweep looks at every task that is open.
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { closesKey, waitsForKey } from '../../core/decision/record/keys.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { numberIn, repositoryIn, shownAs } from '../../core/names.ts'

const moves: readonly RecordedEvent['type'][] = ['TaskVerified', 'TaskSentBack', 'TaskReopened', 'TaskCreated']

export async function tellWaiting(
  engine: Engine,
  ref: TaskRef,
  events: readonly Pick<RecordedEvent, 'type'>[],
): Promise<void> {
  if (events.some(({ type }) => moves.includes(type)))
    for (const waiting of await waitingFor(engine, ref)) engine.again(waiting)
  if (events.some(({ type }) => asks.includes(type)))
    for (const closing of await found(engine, ref, closesKey)) engine.again(closing)
}

/** With these it asks something else of whatever closes it. */
const asks: readonly RecordedEvent['type'][] = ['TaskOfGoal', 'TaskLeftGoal', 'DependenciesSeen']

/** The tasks that wait, or waited, for this one. */
export const waitingFor = (engine: Engine, ref: TaskRef): Promise<readonly TaskRef[]> => found(engine, ref, waitsForKey)

async function found(
  engine: Engine,
  { stream, task_id }: TaskRef,
  keyOf: (repository: string, issue: number) => string,
): Promise<readonly TaskRef[]> {
  const streams = await engine.store.find(keyOf(repositoryIn(stream), numberIn(stream)))
  return streams.map((one) => ({ stream: one, task_id: shownAs(repositoryIn(task_id), one) }))
}
