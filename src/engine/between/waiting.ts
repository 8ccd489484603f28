// Whoever waits for a task is looked at again once that may be confirmed, or is so no longer. A process that dies forgets nothing
// by forgetting this: the sweep looks at every task that is open.
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { waitsForKey } from '../../core/decision/record/keys.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { numberIn, repositoryIn, shownAs } from '../../core/names.ts'

const moves: readonly RecordedEvent['type'][] = ['TaskVerified', 'TaskSentBack', 'TaskReopened', 'TaskCreated']

export async function tellWaiting(
  engine: Engine,
  ref: TaskRef,
  events: readonly Pick<RecordedEvent, 'type'>[],
): Promise<void> {
  if (!events.some(({ type }) => moves.includes(type))) return
  for (const waiting of await waitingFor(engine, ref)) engine.again(waiting)
}

/** The tasks that wait, or waited, for this one. */
export async function waitingFor(engine: Engine, { stream, task_id }: TaskRef): Promise<readonly TaskRef[]> {
  const streams = await engine.store.find(waitsForKey(repositoryIn(stream), numberIn(stream)))
  return streams.map((one) => ({ stream: one, task_id: shownAs(repositoryIn(task_id), one) }))
}
