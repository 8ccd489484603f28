// SETTLE: make the outside show what the state concludes, and ask for what the state lacks, until nothing is owed.
// Everything is derived from state, so doing it again after a crash does only what is still missing.
import { pathRules, unknownPaths } from '../core/contract/path-facts.ts'
import { beyondLimits } from '../core/contract/problem.ts'
import { doingWords, wentWell } from '../core/decision/shown/asking.ts'
import { owed, type Owed, type Question } from '../core/decision/shown/owed.ts'
import type { Input } from '../core/decision/rules/inputs.ts'
import type { Attempt } from '../core/decision/model.ts'
import { judgedDiff } from '../core/words/retry/judged-diff.ts'
import { foreseen } from './aggregates.ts'
import { aheadNow } from './between/ahead.ts'
import { carryRejections } from './between/carry.ts'
import { followBeside } from './between/beside.ts'
import { followDependencies } from './between/dependencies.ts'
import { followMembers } from './between/members.ts'
import { inTurn, load, tasks, type Engine, type TaskRef } from './engine.ts'
import { isOutage } from './outage.ts'
import { effectOf } from './attempts/policy-effect.ts'
import { resultsNow } from './heard/results-now.ts'
import { peopleAsked } from './attempts/stages.ts'
import { app, record, type Told } from './record.ts'
import { isGreen, show, type ShowDebt } from './showing.ts'
import { noteUnsure } from './unsure.ts'
import { faultOf } from '../core/error-words.ts'
import { repositoryIn } from '../core/names.ts'

/** `waiting`: something is owed that the outside cannot give yet. */
export type Settled = 'settled' | 'waiting'

/** Each round does what it can; more rounds than this mean that two rules chase each other. */
const ROUNDS_MAX = 30

const ours: Told = { actor: app, correlation_id: 'settle' }
const clockwork: Told = { ...ours, actor: { ...app, kind: 'clock' } }
const model: Told = { ...ours, actor: { ...app, kind: 'llm' } }
const action: Told = { ...ours, actor: { ...app, kind: 'action' } }

/**
 * One at a time per task: two that show the same slot at once would make it twice, and of two that read the same results at
 * once the one that read them first could record them last. `answered`, the attempts whose results were read just now, so
 * that they are not asked for again; or what reads and records them first.
 */
export async function settle(
  engine: Engine,
  ref: TaskRef,
  answered: readonly string[] | (() => Promise<readonly string[]>) = [],
): Promise<Settled> {
  return inTurn(engine, ref.stream, async () => {
    const read = typeof answered === 'function' ? await answered() : answered
    return settleAlone(engine, ref, new Set(read))
  })
}

async function settleAlone(engine: Engine, ref: TaskRef, answered: Set<string>): Promise<Settled> {
  // Before anything is shown: what was rejected elsewhere counts here too.
  await carryRejections(engine, ref)
  await followDependencies(engine, ref)
  await followBeside(engine, ref)
  await followAhead(engine, ref)
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const failures: unknown[] = []
    const loaded = await load(engine, ref)
    const { task, tail } = loaded
    const all = owed(task, engine.clock.now())
    const debts = all.filter((debt) => !isAnswered(debt, answered))
    // What changes the state goes first, so that a burst is shown once; the verifier is slow and goes last.
    const moved =
      (await payEach(engine, ref, debts.filter(isQuick), answered, failures)) ||
      (await followMembers(engine, ref, loaded, { debts, answered }, ours)) ||
      (await showAll(engine, ref, debts.filter(isShow), { failures, version: tail.version })) ||
      (await payEach(engine, ref, debts.filter(isSlow), answered, failures))
    if (moved) continue
    if (failures.length > 0)
      throw new AggregateError(failures, `Could not settle ${ref.task_id}: ${describe(failures)}`)
    return all.length === 0 ? 'settled' : 'waiting'
  }
  throw new Error(`${ref.task_id} did not settle in ${ROUNDS_MAX} rounds`)
}

/** Whether the results that a task waits for, asked for once more in the way of `reading`, would move it. */
export async function wouldMove(
  engine: Engine,
  ref: TaskRef,
  reading: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<boolean> {
  const { task } = await load(engine, ref)
  const forge = await engine.forges.of(ref.stream)
  for (const { attempt } of owed(task, engine.clock.now()).filter(isOfResults)) {
    const inputs = await reading(() => forge.results(attempt)).catch((error: unknown) => {
      if (isOutage(error)) throw error
      return null
    })
    // A fault of ours is noted by whoever asks for what counts.
    if (inputs === null || (await foreseen(engine, tasks, ref, inputs)).moves) return true
  }
  return false
}

const isOfResults = (debt: Owed): debt is Asked => debt.kind === 'ask' && debt.question.kind === 'results'

type OtherDebt = Exclude<Owed, ShowDebt>

const isShow = (debt: Owed): debt is ShowDebt => debt.kind === 'show'
const isPart = ({ shown }: ShowDebt): boolean => shown.kind === 'part'
const isSlow = (debt: Owed): debt is OtherDebt =>
  debt.kind === 'ask' && (debt.question.kind === 'verdict' || debt.question.kind === 'gate')
const isQuick = (debt: Owed): debt is OtherDebt => !isShow(debt) && !isSlow(debt)

/** Everything there is was told the first time; what comes later arrives as news. */
const isAnswered = (debt: Owed, answered: ReadonlySet<string>): boolean =>
  debt.kind === 'ask' && ((isOfResults(debt) && answered.has(debt.attempt.id)) || answered.has(askedOf(debt)))

type Asked = Extract<Owed, { kind: 'ask' }>
const askedOf = ({ attempt, question }: Asked): string => `${question.kind} of ${attempt.id}`

const describe = ([first]: readonly unknown[]): string => (first instanceof Error ? first.message : String(first))

/** One that fails does not keep the others waiting. True when the state has moved. */
async function payEach(
  engine: Engine,
  ref: TaskRef,
  debts: readonly OtherDebt[],
  answered: Set<string>,
  failures: unknown[],
): Promise<boolean> {
  let moved = false
  for (const debt of debts) {
    try {
      if (await pay(engine, ref, debt, answered)) moved = true
    } catch (error) {
      if (debt.kind === 'ask' && !isOutage(error)) {
        engine.onFault(error, ref.stream)
        answered.add(askedOf(debt))
        if (await noteFault(engine, ref, debt, faultOf(error))) moved = true
        // Models cost money: what asks them is left to the sweep.
        if (!isSlow(debt)) engine.again(ref, undefined, SOON_MAX)
      } else failures.push(error)
    }
  }
  return moved
}

/** Where it fails more often, the sweep tries again. */
const SOON_MAX = 8

/** A fault of ours stops nobody's line: it is on record, a human is asked to look, and it is tried again. */
async function noteFault(engine: Engine, ref: TaskRef, { attempt, question }: Asked, what: string): Promise<boolean> {
  const doing = doingWords[question.kind]
  if ((attempt.faults[doing] ?? null) === what) return false
  return tell(engine, ref, { type: 'note_fault', attempt_id: attempt.id, doing, what }, ours)
}

async function pay(engine: Engine, ref: TaskRef, debt: OtherDebt, answered: Set<string>): Promise<boolean> {
  if (debt.kind === 'tell') return tell(engine, ref, debt.input, clockwork)
  const moved = await ask(engine, ref, debt.attempt, debt.question)
  const healed = await tell(engine, ref, wentWell(debt.attempt, debt.question.kind), ours)
  if (debt.question.kind === 'results') answered.add(debt.attempt.id)
  if (debt.question.kind === 'stages') answered.add(askedOf(debt))
  return moved || healed
}

/**
 * Slots are shown side by side, since each may be a call of its own, and what was shown is recorded in one go. What stands
 * beside a green comes after it, and not where it must not be shown.
 */
async function showAll(
  engine: Engine,
  ref: TaskRef,
  debts: readonly ShowDebt[],
  { failures, version }: { readonly failures: unknown[]; readonly version: number },
): Promise<boolean> {
  const shown: Input[] = []
  const failed: { attempt_id: string; slot: string; ref: string | null }[] = []
  const withheld = new Set<string>()
  const showEach = async (some: readonly ShowDebt[]): Promise<void> => {
    const places = await Promise.allSettled(some.map((debt) => show(engine, ref, debt, version)))
    for (const [index, debt] of some.entries()) {
      const place = places[index]
      const { attempt, slot, digest } = debt
      if (place?.status === 'rejected') {
        failed.push({ attempt_id: attempt.id, slot, ref: debt.ref })
        // The gate never waits for what is said beside it.
        if (debt.shown.kind === 'check_run') failures.push(place.reason)
        else engine.again(ref, place.reason)
      }
      if (place?.status === 'fulfilled' && place.value !== null)
        shown.push({ type: 'show_slot', attempt_id: attempt.id, slot, digest, ref: place.value.ref })
      else withheld.add(attempt.id)
    }
  }
  await showEach(debts.filter(isGreen))
  const others = debts.filter((debt) => !isGreen(debt) && !withheld.has(debt.attempt.id))
  // Whoever listed the parts of a task finds them numbered as they were listed.
  const parts = async (): Promise<void> => {
    for (const part of others.filter(isPart)) await showEach([part])
  }
  await Promise.all([showEach(others.filter((debt) => !isPart(debt))), parts()])
  await noteUnsure(engine, ref, failed)
  return shown.length > 0 && tell(engine, ref, shown, ours)
}

/** Others may have come before it, or gone, meanwhile. */
async function followAhead(engine: Engine, ref: TaskRef): Promise<void> {
  const { task } = await load(engine, ref)
  const ahead = await aheadNow(engine, ref, task.attempts)
  if (ahead.length > 0) await record(engine, ref, ahead, ours)
}

async function tell(engine: Engine, ref: TaskRef, input: Input | readonly Input[], told: Told): Promise<boolean> {
  return (await record(engine, ref, input, told)).events.length > 0
}

async function ask(engine: Engine, ref: TaskRef, attempt: Attempt, question: Question): Promise<boolean> {
  const attempt_id = attempt.id
  const tenant = repositoryIn(ref.stream)
  const forge = await engine.forges.of(ref.stream)
  switch (question.kind) {
    case 'files': {
      const { patches, ...list } = await forge.changedFiles(attempt)
      const { files, complete } = list
      const rules = pathRules(attempt.contract)
      const paths = (await engine.aside.paths({ files, rules }, tenant)) ?? unknownPaths(rules)
      const diff = judgedDiff(files, patches, engine.redact)
      // In one batch with the files, so that nothing is shown before it is known who is ahead.
      const ahead = await aheadNow(engine, ref, [{ ...attempt, files, files_complete: complete }])
      const listed = { type: 'report_files', attempt_id, ...list, paths, diff } as const
      const moved = await tell(engine, ref, [listed, ...ahead], ours)
      // Of two that are listed at the same moment one at least sees the other now.
      await followAhead(engine, ref)
      return moved
    }
    case 'policy_copy': {
      const copy = await forge.policyCopy(attempt)
      const read = copy === null ? [] : await engine.aside.policyCopy(copy, tenant)
      const problems = read ?? [{ line: 1, message: beyondLimits('This copy of the policy') }]
      const effect = copy === null || problems.length > 0 ? [] : await effectOf(engine, ref, attempt, copy)
      return tell(engine, ref, { type: 'report_policy_copy', attempt_id, problems, effect }, ours)
    }
    case 'stages': {
      const people = await peopleAsked(engine, forge, attempt, tenant)
      return people !== null && tell(engine, ref, { type: 'report_stages', attempt_id, people }, ours)
    }
    case 'results':
      return resultsNow(engine, ref, attempt, action.correlation_id)
    case 'verdict':
      return askVerifier(engine, ref, attempt)
    case 'gate': {
      const { gate } = question
      const run = engine.ids.next()
      const answer = await engine.verifier.judgeGate(attempt, gate, run, ref.stream)
      return answer !== null && tell(engine, ref, { type: 'report_gate', attempt_id, gate, run, ...answer }, model)
    }
  }
}

/** A verification that a crash interrupted is asked again under its own session, so that each start has one end. */
async function askVerifier(engine: Engine, ref: TaskRef, attempt: Attempt): Promise<boolean> {
  const attempt_id = attempt.id
  const { verifier } = attempt
  const session_id = verifier.phase === 'running' ? verifier.session_id : engine.ids.next()
  const prepared = (await engine.verifier.prepare?.(attempt, session_id, ref.stream)) ?? { tier: 2, handoff_hash: null }
  const start = { type: 'start_verification', attempt_id, session_id, prompt_hash: null, ...prepared } as const
  await tell(engine, ref, start, ours)
  const answer = await engine.verifier.verify(attempt, session_id, ref.stream)
  return answer === null ? false : tell(engine, ref, { ...answer, attempt_id }, model)
}
