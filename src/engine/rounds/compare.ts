// What GitHub shows on a commit, held against what was concluded about it. A write that was cut off may arrive at any time,
// also after another one that was made since; so what stands is read, and where it is something else the place is owed
// again. What is owed anyway is settled by others. Many commits are read in one question.
import { markOf, runsShown, type Shown } from '../../core/decision/shown/owed.ts'
import { labelSlot, stickySlot } from '../../core/decision/shown/slots.ts'
import { supersededText } from '../../core/words/not-judged.ts'
import { type Forge, type LookAtRuns, type RunPlace, type RunSeen } from '../../ports.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import type { Commit } from './doubts.ts'
import { load, recall, type Engine, type TaskRef } from '../engine.ts'
import { app, record } from '../record.ts'
import { redacted } from '../redaction.ts'
import { settle } from '../settle.ts'
import { strictest } from '../showing.ts'
import { resultsAnew } from '../heard/results-now.ts'
import { noteUnsure } from '../unsure.ts'
import { isShutOut } from './sweep.ts'

export type Compared = {
  /** Where GitHub showed something else, in words. */
  readonly differences: readonly string[]
  readonly failed: readonly unknown[]
  /** Those that could be read. */
  readonly looked: readonly Commit[]
}

/** How many commits are held in memory at a time. */
const COMMITS_MAX = 500

/** Who shows something at a place, and what; several tasks may share a commit, and each may have been shown last. */
type Claim = { readonly ref: TaskRef; readonly attempt_id: string; readonly slot: string; readonly digest: string }
type Expected = RunPlace & { readonly claims: Claim[]; readonly marks: Map<string, string | null> }

export async function compare(engine: Engine<Forge>, look: LookAtRuns, commits: readonly Commit[]): Promise<Compared> {
  const differences: string[] = []
  const failed: unknown[] = []
  const looked: Commit[] = []
  const trying = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (!isShutOut(error)) failed.push(error)
      return null
    }
  }
  for (let from = 0; from < commits.length; from += COMMITS_MAX) {
    const some = commits.slice(from, from + COMMITS_MAX)
    const expected: Expected[] = []
    for (const commit of some) expected.push(...((await trying(() => expectedOn(engine, commit))) ?? []))
    const { seen, failed: unseen } = await look(expected)
    failed.push(...unseen)
    const blind = new Set(expected.filter((_, index) => (seen[index] ?? null) === null).map(keyOf))
    looked.push(...some.filter((commit) => !blind.has(keyOf(commit))))
    for (const [index, one] of expected.entries()) {
      const runs = seen[index] ?? null
      if (runs === null || (isAsExpected(one, runs[0]) && strays(runs).length === 0)) continue
      const difference = await trying(() => mended(engine, one))
      if (difference !== null && difference !== '') differences.push(difference)
    }
  }
  return { differences, failed, looked }
}

const keyOf = ({ repository, sha }: Commit): string => commitKey(repository, sha)

async function expectedOn(engine: Engine<Forge>, commit: Commit): Promise<Expected[]> {
  const streams = await engine.store.find(commitKey(commit.repository, commit.sha))
  if (streams.length === 0) await endStrays(engine, commit)
  const places = new Map<string, Expected>()
  for (const stream of streams) {
    const ref = await recall(engine, stream)
    if (ref === null) continue
    const { task } = await load(engine, ref)
    for (const one of runsShown(task)) {
      const { attempt, slot, digest } = one
      const { shown } = await strictest(engine, ref, one)
      if (shown.kind !== 'check_run' || shown.sha !== commit.sha) continue
      const { name } = shown
      const place = places.get(name) ?? { ...commit, name, claims: [], marks: new Map<string, string | null>() }
      places.set(name, place)
      place.claims.push({ ref, attempt_id: attempt.id, slot, digest })
      place.marks.set(markOf(redactedRun(engine, shown)), shown.conclusion)
    }
  }
  return [...places.values()]
}

type RunShown = Extract<Shown, { kind: 'check_run' }>

/** As it goes out. */
const redactedRun = ({ redact }: Engine<Forge>, shown: RunShown): RunShown => redacted(shown, redact)

const isAsExpected = ({ marks }: Expected, run: RunSeen | undefined): boolean =>
  run?.mark !== undefined && run.mark !== null && marks.has(run.mark) && marks.get(run.mark) === run.conclusion

/** Others than the newest that never ended: nobody will write to them any more. */
const strays = (runs: readonly RunSeen[]): readonly RunSeen[] =>
  runs.slice(1).filter(({ conclusion }) => conclusion === null)

/** Read once more, since the first answer may be older than what was shown last. What differed, if anything still does. */
async function mended(engine: Engine<Forge>, one: Expected): Promise<string> {
  const forge = await engine.forges.of(`${one.repository}#0`)
  const runs = (await forge.runs(one.sha))?.filter(({ name }) => name === one.name)
  if (runs === undefined) return ''
  for (const { ref } of strays(runs)) await forge.show({ kind: 'check_run', ...one, ...supersededText }, ref)
  const [newest] = runs
  if (isAsExpected(one, newest)) return ''
  let task = ''
  for (const { ref, attempt_id, slot, digest } of one.claims) {
    const before = (await load(engine, ref)).task.slots[slot]
    // Something else is to be shown by now, and whoever shows it writes to where it was shown last.
    if (before?.digest !== digest) continue
    task = ref.task_id
    const input = {
      type: 'show_slot',
      attempt_id,
      slot,
      digest: `differs ${newest?.ref ?? ''}`,
      ref: newest?.ref ?? null,
    } as const
    await record(engine, ref, input, { actor: app, correlation_id: 'compare' })
    await noteBeside(engine, ref, attempt_id)
    // What stands there may have been concluded from results that are not on record any more.
    await settle(engine, ref, () => resultsAnew(engine, ref, attempt_id))
  }
  const shown = newest === undefined ? 'nothing' : (newest.conclusion ?? 'an open run')
  const concluded = [...one.marks.values()].map((conclusion) => conclusion ?? 'an open run').join(' or ')
  return task === '' ? '' : `GitHub showed ${shown} instead of ${concluded} for ${task} at ${one.sha}`
}

/** Who does not know what the check shows, as behind a backup, does not know what stands beside it either. */
async function noteBeside(engine: Engine, ref: TaskRef, attempt_id: string): Promise<void> {
  const { attempts, slots } = (await load(engine, ref)).task
  const pull = attempts.find(({ id }) => id === attempt_id)?.pull
  if (pull === undefined) return
  const page = stickySlot(pull)
  await noteUnsure(engine, ref, [
    { attempt_id, slot: labelSlot(pull), ref: null },
    { attempt_id, slot: page, ref: slots[page]?.ref ?? null },
  ])
}

/** What was announced there and taken up by nobody. */
async function endStrays(engine: Engine<Forge>, { repository, sha }: Commit): Promise<void> {
  const forge = await engine.forges.of(`${repository}#0`)
  for (const { ref, name, conclusion } of (await forge.runs(sha)) ?? [])
    if (conclusion === null) await forge.show({ kind: 'check_run', sha, name, ...supersededText }, ref)
}
