// The engine's hands: the ports it works through, and the states it remembers so that one more event costs the same
// however long the history is.
import type { Tail } from '../core/decision/chain.ts'
import { emptyTail } from '../core/decision/chain.ts'
import { emptyTask, replay } from '../core/decision/evolve.ts'
import type { TaskState } from '../core/decision/model.ts'
import type { Board, Clock, Forges, Ids, Store, Verifier } from '../ports.ts'

export type Ports<F extends Board = Board> = {
  readonly store: Store
  readonly forges: Forges<F>
  readonly verifier: Verifier
  readonly clock: Clock
  readonly ids: Ids
}
export type Engine<F extends Board = Board> = Ports<F> & {
  readonly remembered: Map<string, Remembered>
  /** Nobody else writes to the store, so that what is remembered is what is there. */
  readonly alone: boolean
  /** Who is settling a task right now, in this process. */
  readonly settling: Map<string, Promise<void>>
}
type Remembered = { readonly task: TaskState; readonly tail: Tail }

/** A stream is named by the repository's id, so that a rename changes nothing; people know the task by its name. */
export type TaskRef = { readonly stream: string; readonly task_id: string }

const REMEMBERED_MAX = 1_000

export function engineOver<F extends Board>(ports: Ports<F>, { alone = false } = {}): Engine<F> {
  return { ...ports, remembered: new Map(), alone, settling: new Map() }
}

/** The state of a task now: what is remembered, and whatever was recorded since. */
export async function load(engine: Engine, { stream, task_id }: TaskRef): Promise<Remembered> {
  const kept = engine.remembered.get(stream)
  if (kept !== undefined && engine.alone) return kept
  const known = kept ?? { task: emptyTask(task_id), tail: emptyTail }
  const events = await engine.store.read(stream, known.tail.version)
  const last = events.at(-1)
  const now =
    last === undefined ? known : { task: replay(known.task, events), tail: { version: last.version, hash: last.hash } }
  remember(engine, stream, now)
  return now
}

export function remember(engine: Engine, stream: string, state: Remembered): void {
  engine.remembered.delete(stream)
  engine.remembered.set(stream, state)
  const [oldest] = engine.remembered.keys()
  if (engine.remembered.size > REMEMBERED_MAX && oldest !== undefined) engine.remembered.delete(oldest)
}
