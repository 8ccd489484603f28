// What GitHub has of the results of one attempt, read where nobody told of it: before a word about them is judged, and where what
// stands there was not concluded from what is on record.
import { app, record } from '../record.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import type { Attempt } from '../../core/decision/model.ts'

export async function resultsNow(
  engine: Engine,
  ref: TaskRef,
  attempt: Attempt,
  correlation_id: string,
): Promise<void> {
  const forge = await engine.forges.of(ref.stream)
  await record(engine, ref, await forge.results(attempt), { actor: { ...app, kind: 'action' }, correlation_id })
}

/** The same before a task is settled, as far as the attempt is judged. */
export async function resultsAnew(engine: Engine, ref: TaskRef, attempt_id: string): Promise<readonly string[]> {
  const attempt = (await load(engine, ref)).task.attempts.find(({ id }) => id === attempt_id)
  if (attempt?.live === true) await resultsNow(engine, ref, attempt, 'read anew')
  return []
}
