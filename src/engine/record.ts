// RECORD: replay, decide, append with the version that was decided on. A lost race decides again on the new state.
import { seal } from '../core/decision/record/chain.ts'
import { decide } from '../core/decision/rules/decide.ts'
import type { Actor, NewEvent, RecordedEvent } from '../core/decision/record/events.ts'
import { evolve } from '../core/decision/record/evolve.ts'
import type { Input } from '../core/decision/rules/inputs.ts'
import type { TaskState } from '../core/decision/model.ts'
import { Conflict } from '../ports.ts'
import { redacted } from './redaction.ts'
import { after, load, remember, type Engine, type TaskRef } from './engine.ts'

const CONFLICTS_MAX = 25

/** We ourselves, where nobody else acted. */
export const app: Actor = { kind: 'app', login: 'countersign', id: null }

export type Told = { readonly actor: Actor; readonly correlation_id: string }
export type Recorded = { readonly task: TaskState; readonly events: readonly RecordedEvent[] }

/** Several inputs are one append: each is decided on what those before it made. */
export async function record(
  engine: Engine,
  ref: TaskRef,
  input: Input | readonly Input[],
  told: Told,
): Promise<Recorded> {
  const inputs = redacted('type' in input ? [input] : input, engine.redact)
  let lost: unknown
  for (let attempt = 0; attempt < CONFLICTS_MAX; attempt += 1) {
    const { task, tail } = await load(engine, ref)
    const at = engine.clock.now()
    const decided = decideAll(task, inputs, at)
    if (decided.length === 0) return { task, events: [] }
    const events = seal(decided, tail, { ...ref, ...told, at })
    try {
      await engine.store.append(ref.stream, tail.version, events)
    } catch (error) {
      // Whatever went wrong, what is remembered may no longer be what is stored.
      engine.remembered.delete(ref.stream)
      if (!(error instanceof Conflict)) throw error
      lost = error
      continue
    }
    const now = after({ task, tail }, events)
    remember(engine, ref.stream, now)
    engine.onRecorded(ref, now.task, events)
    abandon(engine, events)
    return { task: now.task, events }
  }
  throw new Error(`Could not record on ${ref.stream}: others were faster ${CONFLICTS_MAX} times in a row`, {
    cause: lost,
  })
}

function decideAll(task: TaskState, inputs: readonly Input[], at: string): NewEvent[] {
  const decided: NewEvent[] = []
  let state = task
  for (const input of inputs) {
    const events = decide(state, input, at)
    decided.push(...events)
    if (input !== inputs.at(-1)) state = events.reduce((before, event) => evolve(before, event, at), state)
  }
  return decided
}

/** This only spares money: what is not ended here ends by itself, with an answer about a commit that is no longer judged. */
function abandon({ verifier }: Engine, events: readonly RecordedEvent[]): void {
  for (const { type, attempt_id } of events) {
    if (type === 'AttemptSuperseded' && attempt_id !== null) verifier.abort?.(attempt_id)
  }
}
