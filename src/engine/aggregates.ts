// What has a stream of its own on the record: tasks and goals. Each is a state, what its events mean for it, and what its
// inputs mean; reading, remembering and recording are the same for all.
import { keptByUse, type KeptByUse } from '../core/forget.ts'
import type { Tail } from '../core/decision/record/chain.ts'
import { emptyTail, NotOnRecord, seal } from '../core/decision/record/chain.ts'
import type { NewEvent, RecordedEvent } from '../core/decision/record/events.ts'
import { Conflict } from '../ports.ts'
import type { Engine, TaskRef } from './engine.ts'
import { redacted } from './redaction.ts'
import type { Told } from './record.ts'

/** `letters`: of the events that it was made of, which tells about how much memory it takes. */
export type Kept<S> = { readonly state: S; readonly tail: Tail; readonly letters: number }
export type Memory<S> = KeptByUse<Kept<S>>

export type Aggregate<S, I> = {
  readonly empty: (name: string) => S
  readonly evolve: (state: S, event: NewEvent, at: string) => S
  readonly decide: (state: S, input: I, at: string) => readonly NewEvent[]
  /** What this process remembers of them, so that one more event costs the same however long the history is. */
  readonly remembered: (engine: Engine) => Memory<S>
}

const CONFLICTS_MAX = 25
/** A change of thousands of files weighs as much as a hundred of the usual ones. */
const BOUNDS = { entriesMax: 1_000, weightMax: 16_000_000 }

export const aMemory = <S>(): Memory<S> => keptByUse<Kept<S>>(BOUNDS)
export const nothingKept = <S>(state: S): Kept<S> => ({ state, tail: emptyTail, letters: 0 })

/** The state now: what is remembered, and whatever was recorded since. */
export async function loaded<S, I>(engine: Engine, kind: Aggregate<S, I>, ref: TaskRef): Promise<Kept<S>> {
  const kept = kind.remembered(engine).get(ref.stream)
  if (kept !== undefined && engine.alone) return kept
  const empty = nothingKept(kind.empty(ref.task_id))
  const now = await continued(engine, kind, ref, kept ?? empty).catch((error: unknown) => {
    if (!(error instanceof NotOnRecord)) throw error
    kind.remembered(engine).delete(ref.stream)
    return continued(engine, kind, ref, empty)
  })
  remember(engine, kind, ref.stream, now)
  return now
}

async function continued<S, I>(engine: Engine, kind: Aggregate<S, I>, ref: TaskRef, from: Kept<S>): Promise<Kept<S>> {
  const { version, hash } = from.tail
  return after(kind, from, await engine.store.read(ref.stream, version, hash))
}

export function after<S, I>(kind: Aggregate<S, I>, before: Kept<S>, events: readonly RecordedEvent[]): Kept<S> {
  const last = events.at(-1)
  if (last === undefined) return before
  const state = events.reduce((known, event) => kind.evolve(known, event, event.at), before.state)
  const letters = events.reduce((sum, { data }) => sum + JSON.stringify(data).length, before.letters)
  return { state, tail: { version: last.version, hash: last.hash }, letters }
}

/** A read that was overtaken does not bring back what was true before. */
export function remember<S, I>(engine: Engine, kind: Aggregate<S, I>, stream: string, kept: Kept<S>): void {
  const remembered = kind.remembered(engine)
  if ((remembered.get(stream)?.tail.version ?? 0) > kept.tail.version) return
  remembered.set(stream, kept, kept.letters)
}

export type Appended<S> = { readonly before: S; readonly state: S; readonly events: readonly RecordedEvent[] }

/**
 * Replay, decide, append with the version that was decided on. A lost race decides again on the new state. Several inputs are
 * one append: each is decided on what those before it made. `onDecided` is told before it is on record.
 */
export async function appended<S, I>(
  engine: Engine,
  kind: Aggregate<S, I>,
  ref: TaskRef,
  given: readonly I[],
  told: Told,
  onDecided: (before: S, next: S) => void = () => undefined,
): Promise<Appended<S>> {
  const inputs = redacted(given, engine.redact)
  let lost: unknown
  for (let attempt = 0; attempt < CONFLICTS_MAX; attempt += 1) {
    const before = await loaded(engine, kind, ref)
    const { state, tail } = before
    const at = engine.clock.now()
    const decided = decideAll(kind, state, inputs, at)
    if (decided.length === 0) return { before: state, state, events: [] }
    const events = seal(decided, tail, { ...ref, ...told, at })
    const now = after(kind, before, events)
    onDecided(state, now.state)
    try {
      await engine.store.append(ref.stream, tail.version, events)
    } catch (error) {
      // Whatever went wrong, what is remembered may no longer be what is stored.
      kind.remembered(engine).delete(ref.stream)
      if (!(error instanceof Conflict)) throw error
      lost = error
      continue
    }
    remember(engine, kind, ref.stream, now)
    return { before: state, state: now.state, events }
  }
  throw new Error(`Could not record on ${ref.stream}: others were faster ${CONFLICTS_MAX} times in a row`, {
    cause: lost,
  })
}

/** What would become of it if that was told now; nothing comes on record. */
export async function foreseen<S, I>(
  engine: Engine,
  kind: Aggregate<S, I>,
  ref: TaskRef,
  given: readonly I[],
): Promise<{ readonly before: S; readonly next: S; readonly moves: boolean }> {
  const { state } = await loaded(engine, kind, ref)
  const at = engine.clock.now()
  const decided = decideAll(kind, state, redacted(given, engine.redact), at)
  const next = decided.reduce((known, event) => kind.evolve(known, event, at), state)
  return { before: state, next, moves: decided.length > 0 }
}

function decideAll<S, I>(kind: Aggregate<S, I>, begin: S, inputs: readonly I[], at: string): NewEvent[] {
  const decided: NewEvent[] = []
  let state = begin
  for (const [index, input] of inputs.entries()) {
    const events = kind.decide(state, input, at)
    decided.push(...events)
    if (index < inputs.length - 1) state = events.reduce((before, event) => kind.evolve(before, event, at), state)
  }
  return decided
}
