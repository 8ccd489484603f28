// What GitHub has of the results of one attempt, read where nobody told of it: before a word about them is judged, where what stands
// there was not concluded from what is on record, and before anything turns green by something else than they.
import { forgetOldest } from '../../core/forget.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import { app, record } from '../record.ts'

/** When they were read last, and how far the record of the task went once they were on it. */
export type ResultsRead = { readonly at: string; readonly version: number }

const READ_MAX = 10_000
/** What is shown at once was concluded from them. */
const FRESH_MS = 5_000

/** A reading that is on its way. */
export type ResultsBegun = { readonly at: string; readonly inputs: Promise<readonly Input[]> }

/** Whether anything is new. */
export async function resultsNow(
  engine: Engine,
  ref: TaskRef,
  attempt: Attempt,
  correlation_id: string,
  begun: ResultsBegun | null = null,
): Promise<boolean> {
  const at = begun?.at ?? engine.clock.now()
  const inputs = await (begun?.inputs ?? (await engine.forges.of(ref.stream)).results(attempt))
  return resultsTaken(engine, ref, attempt, { at, inputs, correlation_id })
}

type Taken = { readonly at: string; readonly inputs: readonly Input[]; readonly correlation_id: string }

/** `at`: when it was begun to read them. */
export async function resultsTaken(
  engine: Engine,
  ref: TaskRef,
  { id }: Attempt,
  { at, inputs, correlation_id }: Taken,
): Promise<boolean> {
  const { events } = await record(engine, ref, inputs, { actor: { ...app, kind: 'action' }, correlation_id })
  engine.resultsRead.set(id, { at, version: (await load(engine, ref)).tail.version })
  forgetOldest(engine.resultsRead, READ_MAX)
  return events.length > 0
}

/**
 * Whether a task at this version was concluded from what GitHub has by now: a webhook that tells of more may be lost. Where it was
 * concluded from something else than results, nobody has read them since.
 */
export async function areResultsOfNow(
  engine: Engine,
  ref: TaskRef,
  attempt: Attempt,
  version: number,
  begun: ResultsBegun | null = null,
): Promise<boolean> {
  const read = engine.resultsRead.get(attempt.id)
  const isFresh = read?.version === version && Date.parse(engine.clock.now()) - Date.parse(read.at) < FRESH_MS
  return isFresh || !(await resultsNow(engine, ref, attempt, 'last look', begun))
}

/** The same before a task is settled, as far as the attempt is judged. */
export async function resultsAnew(engine: Engine, ref: TaskRef, attempt_id: string): Promise<readonly string[]> {
  const attempt = (await load(engine, ref)).task.attempts.find(({ id }) => id === attempt_id)
  if (attempt?.live === true) await resultsNow(engine, ref, attempt, 'read anew')
  return []
}
