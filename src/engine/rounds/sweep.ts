// SWEEP: settle again whatever a crash, an outage or a lost message left behind, and let waits end that are over. Only what
// is open is looked at, and of that what moved since, or may owe something by now.
import { blockersOf } from '../../core/decision/gate/blocked.ts'
import { untold } from '../../core/decision/half-told.ts'
import { dueNext } from '../../core/decision/shown/owed.ts'
import type { TaskState } from '../../core/decision/model.ts'
import { NotInstalled, type OpenStream } from '../../ports.ts'
import type { Commit } from './doubts.ts'
import { anyTurn, each, type Turns } from './each.ts'
import { load, recall, type Engine, type TaskRef } from '../engine.ts'
import { issuesAbove, kindOf, type IssueKind } from '../issues/issue-record.ts'
import { isThroughout } from '../outage.ts'
import { settle, wouldMove, type Settled } from '../settle.ts'
import { failingLast, sparing, type Failing } from './spared.ts'

export type Swept = {
  readonly settled: number
  readonly waiting: number
  /** Everything that is judged, whether its task could be settled or not. */
  readonly judged: readonly Judged[]
  readonly failed: readonly { readonly stream: string; readonly error: unknown }[]
}
/** `at`: when its task moved last. `pull`: null for a merge group. `whole`: all is known of by what it is judged. */
export type Judged = Commit & {
  readonly pull: number | null
  readonly at: string
  readonly whole: boolean
  readonly green: boolean
}

export type Sweeping = {
  readonly turns: Turns
  /** What was settled, by stream, and until when nothing comes due there; kept from one sweep to the next. */
  readonly asleep: Map<string, Asleep>
  readonly failing: Failing
  /** Settles a goal or a request, which has no attempts of its own. */
  readonly issue: (kind: IssueKind, stream: string) => Promise<Settled>
  /** Looks again at what a task waits for, which nobody may have told of. */
  readonly blocked: (ref: TaskRef) => Promise<void>
  /** Reads that nobody waits for. */
  readonly background: <T>(work: () => Promise<T>) => Promise<T>
}
export type Asleep = { readonly version: number; readonly until: number; readonly judged: readonly Judged[] }

const PAGE = 500
/** However quiet it is, a task is looked at so often. */
const SLEEP_MS_MAX = 3_600_000
const QUIET_MS = 600_000
const ASLEEP_MAX = 200_000

const alone = (): Sweeping => ({
  turns: anyTurn(),
  asleep: new Map(),
  failing: new Set(),
  issue: async () => 'settled',
  blocked: async () => undefined,
  background: (work) => work(),
})

export async function sweep(
  engine: Engine,
  { turns, asleep, failing, issue, blocked, background }: Sweeping = alone(),
): Promise<Swept> {
  const counts = { settled: 0, waiting: 0 }
  const judged = new Map<string, Judged>()
  const note = (ones: readonly Judged[]): void =>
    ones.forEach((one) => judged.set(`${one.repository}@${one.sha}#${one.pull}`, one))
  const entries = new Map<string, OpenStream>()
  const spared = sparing(failing)
  const look = async (stream: string, isSpared: boolean): Promise<void> => {
    const entry = entries.get(stream)
    entries.delete(stream)
    const now = Date.parse(engine.clock.now())
    const known = asleep.get(stream)
    if (known !== undefined && known.version === entry?.version && now < known.until) {
      note(known.judged)
      counts.settled += 1
      return
    }
    asleep.delete(stream)
    const kind = kindOf(stream)
    if (kind !== null) {
      if (isSpared) return void (counts.waiting += 1)
      counts[await issue(kind, stream)] += 1
      if (asleep.size < ASLEEP_MAX && entry !== undefined)
        asleep.set(stream, { version: entry.version, until: now + SLEEP_MS_MAX, judged: [] })
      return
    }
    try {
      const ref = await recall(engine, stream)
      if (ref === null) return
      const before = await load(engine, ref)
      const at = entry?.at ?? engine.clock.now()
      note(judgedIn(before.task, at))
      if (isSpared) return void (counts.waiting += 1)
      if (blockersOf(before.task).length > 0) await blocked(ref)
      const outcome = await settledAnew(engine, ref, at, background)
      counts[outcome] += 1
      const { task, tail } = await load(engine, ref)
      // Whoever died just after a task had moved told what is above it nothing.
      for (const above of issuesAbove(ref, task)) engine.onIssueTask(above)
      const moved = tail.version === before.tail.version ? at : engine.clock.now()
      note(judgedIn(task, moved))
      if (outcome === 'waiting') return
      if (task.attempts.every(({ live }) => !live)) return await engine.store.finish(stream, tail.version)
      const until = Math.min(dueNext(task), now + SLEEP_MS_MAX)
      if (asleep.size < ASLEEP_MAX) asleep.set(stream, { version: tail.version, until, judged: judgedIn(task, moved) })
    } catch (error) {
      if (!isShutOut(error)) throw error
      counts.waiting += 1
    }
  }
  const failed = await each(failingLast(open(engine, entries), failing), turns, (stream) =>
    spared(stream, (isSpared) => look(stream, isSpared)),
  )
  counts.waiting += turns.first.size
  return {
    ...counts,
    judged: [...judged.values()],
    failed: failed.map(({ key: stream, error }) => ({ stream, error })),
  }
}

/**
 * Results that webhooks may have failed to tell are what a sweep asks for each time. Nobody waits for that where nothing
 * has happened for a while.
 */
async function settledAnew(
  engine: Engine,
  ref: TaskRef,
  at: string,
  background: Sweeping['background'],
): Promise<'settled' | 'waiting'> {
  if (Date.parse(engine.clock.now()) - Date.parse(at) < QUIET_MS) return settle(engine, ref)
  const asked = (await load(engine, ref)).task.attempts.map(({ id }) => id)
  const outcome = await settle(engine, ref, asked)
  if (outcome === 'settled' || !(await wouldMove(engine, ref, background))) return outcome
  return settle(engine, ref)
}

const judgedIn = ({ attempts }: TaskState, at: string): readonly Judged[] =>
  attempts
    .filter(({ live }) => live)
    .map(({ repository, head_sha: sha, group, pull, ...attempt }) => {
      const green = attempt.decision?.status === 'success'
      return { repository, sha, pull: group === null ? pull : null, at, whole: untold(attempt) === 0, green }
    })

/** What is judged by tasks that moved since then. */
export async function judgedSince(engine: Engine, since: string): Promise<readonly Commit[]> {
  const entries = new Map<string, OpenStream>()
  const judged: Commit[] = []
  for await (const stream of open(engine, entries)) {
    const at = entries.get(stream)?.at ?? ''
    entries.delete(stream)
    const ref = at < since || kindOf(stream) !== null ? null : await recall(engine, stream)
    if (ref !== null) judged.push(...judgedIn((await load(engine, ref)).task, at))
  }
  return judged
}

/** The App was removed from a repository: what there is to do there waits until it is let in again. */
export const isShutOut = (error: unknown): boolean => isThroughout(error, (one) => one instanceof NotInstalled)

/** Every stream in which something may be left to do, a page at a time. */
async function* open({ store }: Engine, entries: Map<string, OpenStream>): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const page = await store.open(after, PAGE)
    for (const entry of page) entries.set(entry.stream, entry)
    yield* page.map(({ stream }) => stream)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.stream
  }
}
