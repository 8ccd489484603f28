// SETTLE: make the outside show what the state concludes, and ask for what the state lacks, until nothing is owed.
// Everything is derived from state, so doing it again after a crash does only what is still missing.
import { owed, type Owed, type Question } from '../core/decision/owed.ts'
import type { Input } from '../core/decision/inputs.ts'
import type { Attempt } from '../core/decision/model.ts'
import { load, type Engine, type TaskRef } from './engine.ts'
import { record, type Told } from './record.ts'

/** `waiting`: something is owed that the outside cannot give yet. */
export type Settled = 'settled' | 'waiting'

/** Each round does what it can; more rounds than this mean that two rules chase each other. */
const ROUNDS_MAX = 30

const clockwork: Told = { actor: { kind: 'clock', login: 'countersign', id: null }, correlation_id: 'settle' }
const app: Told = { actor: { kind: 'app', login: 'countersign', id: null }, correlation_id: 'settle' }
const model: Told = { actor: { kind: 'llm', login: 'countersign', id: null }, correlation_id: 'settle' }

export async function settle(engine: Engine, ref: TaskRef): Promise<Settled> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const failures: unknown[] = []
    const { task } = await load(engine, ref)
    const debts = owed(task, engine.clock.now())
    if (debts.length === 0) return 'settled'
    // What changes the state goes first, so that a burst is shown once; the verifier is slow and goes last.
    const moved =
      (await each(engine, ref, debts.filter(isQuick), failures)) ||
      (await each(
        engine,
        ref,
        debts.filter(({ kind }) => kind === 'show'),
        failures,
      )) ||
      (await each(engine, ref, debts.filter(isSlow), failures))
    if (moved) continue
    if (failures.length > 0)
      throw new AggregateError(failures, `Could not settle ${ref.task_id}: ${describe(failures)}`)
    return 'waiting'
  }
  throw new Error(`${ref.task_id} did not settle in ${ROUNDS_MAX} rounds`)
}

const isSlow = (debt: Owed): boolean =>
  debt.kind === 'ask' && (debt.question.kind === 'verdict' || debt.question.kind === 'gate')
const isQuick = (debt: Owed): boolean => debt.kind !== 'show' && !isSlow(debt)

const describe = ([first]: readonly unknown[]): string => (first instanceof Error ? first.message : String(first))

/** Pays each debt; one that fails does not keep the others waiting. True when the state has moved. */
async function each(engine: Engine, ref: TaskRef, debts: readonly Owed[], failures: unknown[]): Promise<boolean> {
  let moved = false
  for (const debt of debts) {
    try {
      if (await pay(engine, ref, debt)) moved = true
    } catch (error) {
      failures.push(error)
    }
  }
  return moved
}

async function pay(engine: Engine, ref: TaskRef, debt: Owed): Promise<boolean> {
  switch (debt.kind) {
    case 'tell':
      return tell(engine, ref, debt.input, clockwork)
    case 'show':
      return show(engine, ref, debt)
    case 'ask':
      return ask(engine, ref, debt.attempt, debt.question)
  }
}

async function tell(engine: Engine, ref: TaskRef, input: Input, told: Told): Promise<boolean> {
  return (await record(engine, ref, input, told)).events.length > 0
}

/** Before anything turns green the head is read once more: a stale evaluation must not overtake a push. */
async function show(engine: Engine, ref: TaskRef, debt: Extract<Owed, { kind: 'show' }>): Promise<boolean> {
  const { attempt, shown, slot, digest } = debt
  const green = shown.kind === 'check_run' && shown.conclusion === 'success'
  if (green && attempt.live && (await engine.forge.head(attempt.pull)) !== attempt.head_sha) return false
  const { ref: where } = await engine.forge.show(shown)
  return tell(engine, ref, { type: 'show_slot', attempt_id: attempt.id, slot, digest, ref: where }, app)
}

async function ask(engine: Engine, ref: TaskRef, attempt: Attempt, question: Question): Promise<boolean> {
  const attempt_id = attempt.id
  switch (question.kind) {
    case 'files': {
      const files = await engine.forge.changedFiles(attempt)
      return tell(engine, ref, { type: 'report_files', attempt_id, files }, app)
    }
    case 'results': {
      let moved = false
      for (const input of await engine.forge.results(attempt)) {
        if (await tell(engine, ref, input, { ...app, actor: { ...app.actor, kind: 'action' } })) moved = true
      }
      return moved
    }
    case 'verdict':
      return askVerifier(engine, ref, attempt)
    case 'gate': {
      const answer = await engine.verifier.judgeGate(attempt, question.gate)
      return tell(
        engine,
        ref,
        { type: 'report_gate', attempt_id, gate: question.gate, run: engine.ids.next(), ...answer },
        model,
      )
    }
  }
}

/** A verification that a crash interrupted is asked again under its own session, so that each start has one end. */
async function askVerifier(engine: Engine, ref: TaskRef, attempt: Attempt): Promise<boolean> {
  const attempt_id = attempt.id
  const { verifier } = attempt
  const session_id = verifier.phase === 'running' ? verifier.session_id : engine.ids.next()
  const start = {
    type: 'start_verification',
    attempt_id,
    session_id,
    tier: 2,
    prompt_hash: null,
    handoff_hash: null,
  } as const
  await tell(engine, ref, start, app)
  const answer = await engine.verifier.verify(attempt, session_id)
  return tell(engine, ref, { ...answer, attempt_id }, model)
}
