// The look at GitHub before something turns green by an attempt. Many pieces come in one answer, and such an answer may be
// older than the last push: where it does not find the attempt in its place, the place is read by itself, and who else has the commit
// is not known.
import type { Attempt, TaskState } from '../core/decision/model.ts'
import type { Input } from '../core/decision/rules/inputs.ts'
import { isSamePlace } from '../core/decision/subject.ts'
import { forgetOldest } from '../core/forget.ts'
import { isShadow } from '../core/words/headline.ts'
import type { Board, LastLook } from '../ports.ts'
import { foreseen } from './aggregates.ts'
import { issueOf, tasks, type Engine, type TaskRef } from './engine.ts'
import type { ResultsBegun } from './heard/results-now.ts'

type Looked = { readonly ref: TaskRef | null; readonly pull: number; readonly attempt: Attempt | null }

export async function lastLook(forge: Board, { ref, pull, attempt }: Looked): Promise<LastLook> {
  const look = await forge.lastLook(pull, ref && issueOf(ref, pull))
  if (attempt === null || (look.now !== null && isSamePlace(look.now, attempt))) return look
  return { ...look, now: await forge.now(pull), twins: null }
}

/** `results`: null where they are read already. */
export type BegunLook = {
  readonly at: string
  readonly look: Promise<LastLook>
  readonly results: ResultsBegun | null
}

/** Each holds what was said there; those that nobody needed are of no use any more by the time of so many others. */
const BEGUN_MAX = 100
/** Whoever had to wait longer than that looks again. */
const FRESH_MS = 500

/**
 * What is about to come on record makes an attempt green: whatever led to that was read, so the look may be on its way
 * meanwhile. It is one of several conditions, and the others are asked after the record.
 */
export function lookAhead(engine: Engine, ref: TaskRef, before: TaskState, next: TaskState, byResults = false): void {
  for (const attempt of next.attempts) {
    if (!looksGreen(attempt) || before.attempts.some((one) => one.id === attempt.id && looksGreen(one))) continue
    // A webhook called for it already.
    if (isFresh(engine, engine.looks.get(attempt.id))) continue
    const forge = engine.forges.of(ref.stream)
    const look = forge.then((one) => lastLook(one, { ref, pull: attempt.pull, attempt }))
    const at = engine.clock.now()
    const results = byResults ? null : { at, inputs: forge.then((one) => one.results(attempt)) }
    // Whoever needs it is told.
    for (const begun of [look, results?.inputs]) begun?.catch(() => undefined)
    engine.looks.set(attempt.id, { at, look, results })
    forgetOldest(engine.looks, BEGUN_MAX)
  }
}

/** What was looked at for something else that may make it green serves for the green as well, if that follows at once. */
export function lookKept(engine: Engine, attempt: Attempt | undefined, at: string, look: LastLook): void {
  if (attempt === undefined || look.now === null || !isSamePlace(look.now, attempt)) return
  engine.looks.set(attempt.id, { at, look: Promise.resolve(look), results: null })
  forgetOldest(engine.looks, BEGUN_MAX)
}

/** The look ahead while it is read whether that is so: a webhook told of results that would make it green. */
export async function lookSupposing(engine: Engine, ref: TaskRef, told: readonly Input[]): Promise<void> {
  if (told.length === 0) return
  const { before, next } = await foreseen(engine, tasks, ref, told)
  lookAhead(engine, ref, before, next, true)
}

const looksGreen = (attempt: Attempt): boolean =>
  attempt.live && attempt.group === null && attempt.decision?.status === 'success' && !isShadow(attempt)

const isFresh = (engine: Engine, begun: BegunLook | undefined): begun is BegunLook =>
  begun !== undefined && Date.parse(engine.clock.now()) - Date.parse(begun.at) < FRESH_MS

/** The last look, perhaps begun already, for this attempt alone and once. */
export async function lookBefore(
  engine: Engine,
  forge: Board,
  { ref, attempt }: { readonly ref: TaskRef; readonly attempt: Attempt },
): Promise<LastLook & Pick<BegunLook, 'results'>> {
  const begun = engine.looks.get(attempt.id)
  engine.looks.delete(attempt.id)
  const { look, results } = isFresh(engine, begun)
    ? begun
    : { look: lastLook(forge, { ref, pull: attempt.pull, attempt }), results: null }
  return { ...(await look), results }
}
