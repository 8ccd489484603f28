// One thing that is owed, shown at its place: nothing green before everything is heard that may forbid it, and nothing milder
// than what others say of the same commit.
import { equal } from '../core/canonical.ts'
import type { DecisionStatus } from '../core/decision/decision.ts'
import { isProposal } from '../core/decision/gate/proposal.ts'
import { isUnasked } from '../core/decision/gate/taken-up.ts'
import type { Attempt, TaskState } from '../core/decision/model.ts'
import type { Owed } from '../core/decision/shown/owed.ts'
import { isAbout, isSamePlace } from '../core/decision/subject.ts'
import { checkRunText, type CheckRunText } from '../core/words/report.ts'
import { BusyElsewhere, type Behind } from '../ports.ts'
import { commitKey } from '../core/decision/record/keys.ts'
import { isHeardAt, isAllHeard } from './all-heard.ts'
import { behindNow, bringsSuccess, isHeardBelow, onTopWords } from './behind.ts'
import { load, type Engine, type TaskRef } from './engine.ts'
import { areResultsOfNow } from './heard/results-now.ts'
import { placeOf } from './issues/issue-record.ts'
import { lookBefore } from './last-look.ts'
import { isHeardElsewhere } from './between/same-tree.ts'
import { areTakenIn } from './between/twins.ts'
import { isWithout } from './attempts/proposal.ts'
import { repositoryIn } from '../core/names.ts'

export type ShowDebt = Extract<Owed, { kind: 'show' }>

export const isGreen = ({ shown }: Pick<ShowDebt, 'shown'>): boolean =>
  shown.kind === 'check_run' && shown.conclusion === 'success'

/** Null where it must not be shown yet. */
export async function show(
  engine: Engine,
  ref: TaskRef,
  debt: ShowDebt,
  version: number,
): Promise<{ ref: string | null } | null> {
  const { attempt, shown } = debt
  const mayBeShown = attempt.group === null ? mayTurnGreen : mayGroupTurnGreen
  if (isGreen(debt) && attempt.live && !(await mayBeShown(engine, ref, attempt, version))) return null
  if (shown.kind === 'deployment' && shown.answer === 'approved') {
    // Whoever is not behind it any more, or never was, has no say, and no time changes that.
    const behind = await behindNow(engine, ref, attempt, shown.sha)
    if (behind === null) return null
    if (!(await mayLetGo(engine, ref, attempt, version, behind))) return null
    if (!(await bringsSuccess(engine, placeOf(ref).repository, behind))) {
      const words = `#${attempt.pull} ${onTopWords(behind)}. Run it again once they are.`
      return shownTogether(engine, ref, { ...debt, shown: { ...shown, answer: null, words } }, null)
    }
  }
  return shownTogether(engine, ref, debt, null)
}

/** Where another pull request of the commit came while this was written, GitHub may have got the two in either order. */
async function shownTogether(
  engine: Engine,
  ref: TaskRef,
  debt: ShowDebt,
  before: Written | null,
): Promise<{ ref: string | null } | null> {
  const { shown, ref: place, beside } = await strictest(engine, ref, debt)
  if (before !== null && equal(shown, before.shown)) return before
  if (isGreen({ shown }) && beside.length > 0) {
    if (!(await mayTurnGreenBeside(engine, ref, beside))) return before
    // Others record while we ask GitHub.
    const now = await strictest(engine, ref, debt)
    if (!equal(now.shown, shown)) return shownTogether(engine, ref, debt, before)
  }
  if (!(await engine.holds(ref.stream)))
    throw new BusyElsewhere(`Another process took over ${ref.task_id} while this one stood still`)
  const forge = await engine.forges.of(ref.stream)
  const written = { shown, ...(await forge.show(shown, before?.ref ?? place ?? debt.ref)) }
  return shown.kind === 'check_run' ? shownTogether(engine, ref, debt, written) : written
}
type Written = Pick<ShowDebt, 'shown' | 'ref'>

/** It is green for everybody who has the commit. */
async function mayTurnGreenBeside(engine: Engine, ref: TaskRef, beside: readonly Beside[]): Promise<boolean> {
  for (const { ref: there, attempt, version } of beside) {
    if (await mayTurnGreen(engine, there, attempt, version)) continue
    engine.again(ref)
    return false
  }
  return true
}

/**
 * Head and base are read once more: a stale evaluation must not overtake either. And nothing that somebody said may be
 * unheard; it may be a no.
 */
async function mayTurnGreen(engine: Engine, ref: TaskRef, attempt: Attempt, version: number): Promise<boolean> {
  const { pull: number } = attempt
  const repository = repositoryIn(ref.stream)
  const later = (): boolean => {
    engine.again(ref)
    return false
  }
  if (await engine.ears.isWaiting(repository, number)) return later()
  const forge = await engine.forges.of(ref.stream)
  const { now, twins, results, ...heard } = await lookBefore(engine, forge, { ref, attempt })
  if (now === null || !isSamePlace(now, attempt)) return false
  if (!(await areTakenIn(engine, ref, twins))) return later()
  // What is judged by its own proposal is so only while its base says nothing.
  if (isProposal(attempt) && !isWithout(await forge.policy(attempt.base_ref))) return later()
  if (!(await areResultsOfNow(engine, ref, attempt, version, results))) return later()
  if (!(await isAllHeard(engine, ref, { number, updated_at: now.updated_at }, heard))) return later()
  // Those that have a say in what the check run shows are looked at for themselves.
  const isBeside = (task: TaskState, one: Attempt): boolean => isRival(one, attempt) && !isUnasked(task, one)
  if (!(await isHeardElsewhere(engine, ref, attempt, isBeside))) return later()
  // Others record while we ask GitHub, and longer where this process stood still: it was concluded from what was before.
  return (await load(engine, ref)).tail.version === version || later()
}

/** Its members were looked at where they are followed. */
async function mayGroupTurnGreen(engine: Engine, ref: TaskRef, attempt: Attempt, version: number): Promise<boolean> {
  const may = await areResultsOfNow(engine, ref, attempt, version)
  if (!may) engine.again(ref)
  return may
}

/** What is let go is called back by nobody: whoever was shown green long ago, or is merged, is looked at once more. */
async function mayLetGo(
  engine: Engine,
  ref: TaskRef,
  attempt: Attempt,
  version: number,
  behind: Behind,
): Promise<boolean> {
  const may =
    (!attempt.live || (await areResultsOfNow(engine, ref, attempt, version))) &&
    (await isHeardAt(engine, ref, attempt.pull)) &&
    (await isHeardElsewhere(engine, ref, attempt)) &&
    (await isHeardBelow(engine, placeOf(ref).repository, behind)) &&
    (await load(engine, ref)).tail.version === version
  if (!may) engine.again(ref)
  return may
}

const strictness: readonly DecisionStatus[] = ['success', 'pending', 'refer', 'retry', 'failed']

/** Another pull request of a commit, as its task was when it was looked at. */
type Beside = { readonly ref: TaskRef; readonly attempt: Attempt; readonly version: number }
type Together = Pick<ShowDebt, 'shown' | 'ref'> & { readonly beside: readonly Beside[] }

/** Pull requests that share a commit share its check run, which then shows the strictest of their decisions. */
export async function strictest(
  engine: Engine,
  ref: TaskRef,
  { attempt, shown, slot, ref: place }: ShowDebt,
): Promise<Together> {
  if (shown.kind !== 'check_run') return { shown, ref: place, beside: [] }
  const repository = repositoryIn(ref.stream)
  const streams = await engine.store.find(commitKey(repository, attempt.head_sha))
  let newest = place
  const rivals: (Beside & { readonly rank: number; readonly text: CheckRunText })[] = []
  for (const stream of new Set([ref.stream, ...streams])) {
    const there = { stream, task_id: ref.task_id }
    const { task, tail } = await load(engine, there)
    newest = newer(newest, task.slots[slot]?.ref ?? null)
    for (const one of task.attempts) {
      // What nobody asked for has no say beside others. Once these are gone it is all that is left.
      if (!isRival(one, attempt) || one.decision === null || (attempt.live && isUnasked(task, one))) continue
      const text = checkRunText(task, one, one.decision)
      rivals.push({ ref: there, attempt: one, version: tail.version, rank: rankOf(one), text })
    }
  }
  // Whoever is not asked for, or not open any more, has no say where others are judged.
  const { task: own } = await load(engine, ref)
  const mute = isUnasked(own, attempt) || !attempt.live
  const strict = rivals.toSorted((one, other) => other.rank - one.rank)[0]
  if (strict === undefined || (!mute && strict.rank <= rankOf(attempt))) return { shown, ref: newest, beside: rivals }
  return { shown: { ...shown, ...strict.text }, ref: newest, beside: rivals }
}

const isRival = (one: Attempt, attempt: Attempt): boolean =>
  one.live && one.group === null && isAbout('shown', one, attempt) && one.pull !== attempt.pull

const rankOf = ({ decision }: Attempt): number => strictness.indexOf(decision?.status ?? 'pending')

/** GitHub counts the newest run of a name, so that is the one to write to. */
export function newer(one: string | null, other: string | null): string | null {
  const number = (ref: string | null): number => Number.parseInt(ref ?? '-1', 10)
  return number(other) > number(one) ? other : one
}
