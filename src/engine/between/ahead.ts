// Which pull requests came before another one and write the same places, where a policy asks for that. It follows from what is on
// record, and is looked at again whenever one of them moves; what a process that died told nobody, the sweep finds.
import type { PullAhead } from '../../core/decision/ahead.ts'
import type { ChangedFile, Attempt, TaskState } from '../../core/decision/model.ts'
import { touchedPaths } from '../../core/contract/scope.ts'
import { asksWhoIsAhead, mayBeAhead } from '../../core/decision/gate/ahead.ts'
import { behindKey } from '../../core/decision/record/keys.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import { kindOf } from '../issues/issue-record.ts'
import { repositoryIn, shownAs } from '../../core/names.ts'

const PAGE = 500
/** So many open tasks of one repository are held against a pull request. */
const TASKS_MAX = 5_000
/** So many pull requests are named, and of each so many of the places. */
const AHEAD_MAX = 10
const PATHS_MAX = 5

type Listed = Attempt & { readonly files: readonly ChangedFile[] }
const isListed = (attempt: Attempt): attempt is Listed => attempt.files !== null

/** What is to be told to a task whose pull requests others may have come before; nothing where its policy does not ask. */
export async function aheadNow(engine: Engine, ref: TaskRef, attempts: readonly Attempt[]): Promise<Input[]> {
  const asking = attempts.filter(asksWhoIsAhead).filter(isListed)
  if (asking.length === 0) return []
  const others = await othersOpen(engine, ref)
  return Promise.all(
    asking.map(async (attempt) => {
      const pulls = await pullsAhead(engine, ref, attempt, others)
      return { type: 'report_ahead', attempt_id: attempt.id, pulls } as const
    }),
  )
}

/** Whoever stands behind a pull request that has moved, or does so now, is looked at again. */
export async function tellBehind(
  engine: Engine,
  ref: TaskRef,
  task: TaskState,
  events: readonly RecordedEvent[],
): Promise<void> {
  const moved = task.attempts.filter(({ id }) =>
    events.some(({ type, attempt_id }) => attempt_id === id && moves.includes(type)),
  )
  if (moved.length === 0) return
  const repository = repositoryIn(ref.stream)
  const behind = new Set<string>()
  for (const { pull } of moved)
    for (const stream of await engine.store.find(behindKey(repository, pull))) behind.add(stream)
  const here = moved.filter(asksWhoIsAhead).filter(isListed)
  const others = here.length === 0 ? [] : await othersOpen(engine, ref)
  for (const { stream, task: other } of others) {
    const later = other.attempts.filter(asksWhoIsAhead)
    if (!behind.has(stream) && (await isInTheWay(engine, repository, task, here, later))) behind.add(stream)
  }
  behind.delete(ref.stream)
  for (const stream of behind) engine.again({ stream, task_id: taskAt(ref, stream) })
}

async function isInTheWay(
  engine: Engine,
  tenant: string,
  task: TaskState,
  here: readonly Listed[],
  later: readonly Attempt[],
): Promise<boolean> {
  for (const one of here)
    for (const of of later)
      // What is being listed just now may have been held against what was there before.
      if (mayBeAhead(task, one, of) && (!isListed(of) || (await meeting(engine, one, of, tenant)) !== null)) return true
  return false
}

/** Where a pull request writes, whether it is open, and whether it was asked for. */
const moves: readonly RecordedEvent['type'][] = [
  'FilesListed',
  'AttemptStarted',
  'AttemptSuperseded',
  'HumanOverride',
  'OverrideRevoked',
]

type Other = { readonly stream: string; readonly task: TaskState }

/** The other tasks of the repository that are open. */
async function othersOpen(engine: Engine, ref: TaskRef): Promise<readonly Other[]> {
  const repository = repositoryIn(ref.stream)
  const found: Other[] = []
  for (let after = `${repository}#`; found.length < TASKS_MAX;) {
    const page = await engine.store.open(after, PAGE)
    const here = page.filter(({ stream }) => stream.startsWith(`${repository}#`))
    for (const { stream, version } of here) {
      if (stream === ref.stream || kindOf(stream) !== null) continue
      const known = engine.remembered.get(stream)
      const isNewest = known !== undefined && known.tail.version >= version
      const task = isNewest ? known.state : (await load(engine, { stream, task_id: taskAt(ref, stream) })).task
      found.push({ stream, task })
    }
    const last = here.at(-1)
    if (last === undefined || here.length < PAGE) break
    after = last.stream
  }
  return found
}

const taskAt = ({ task_id }: TaskRef, stream: string): string => shownAs(repositoryIn(task_id), stream)

async function pullsAhead(
  engine: Engine,
  { stream }: TaskRef,
  attempt: Listed,
  others: readonly Other[],
): Promise<PullAhead[]> {
  const tenant = repositoryIn(stream)
  const before = others.flatMap(({ task }) => task.attempts.filter((one) => mayBeAhead(task, one, attempt)))
  const found: PullAhead[] = []
  for (const one of before.toSorted((first, second) => first.pull - second.pull)) {
    // What it writes by now is being read: until that is known, what was known holds.
    const known = attempt.ahead.pulls.filter(({ pull }) => pull === one.pull)
    const met = isListed(one) ? await meeting(engine, one, attempt, tenant) : null
    if (!isListed(one)) found.push(...known)
    else if (met !== null) found.push({ pull: one.pull, ...met })
    if (found.length === AHEAD_MAX) break
  }
  return found
}

/** Where both write. What GitHub did not name of either may be anywhere, so nobody can say that they do not meet. */
async function meeting(
  engine: Engine,
  one: Listed,
  other: Listed,
  tenant: string,
): Promise<Omit<PullAhead, 'pull'> | null> {
  const places = await shared(engine, one, other, tenant)
  if (places.length === 0 && one.files_complete && other.files_complete) return null
  return { paths: places.slice(0, PATHS_MAX), more: Math.max(0, places.length - PATHS_MAX) }
}

/** The files of a commit are listed once, so what two have in common does not change either. */
const compared = new WeakMap<readonly ChangedFile[], WeakMap<readonly ChangedFile[], readonly string[]>>()

async function shared(engine: Engine, one: Listed, other: Listed, tenant: string): Promise<readonly string[]> {
  const known = compared.get(one.files)?.get(other.files)
  if (known !== undefined) return known
  const [first, second] = [touchedPaths(one.files), touchedPaths(other.files)]
  const both = new Set(second)
  const places = [
    ...first.filter((path) => both.has(path)),
    ...(await declared(engine, second, one, tenant)),
    ...(await declared(engine, first, other, tenant)),
  ]
  const found = [...new Set(places)].sort()
  const of = compared.get(one.files) ?? new WeakMap<readonly ChangedFile[], readonly string[]>()
  compared.set(one.files, of.set(other.files, found))
  return found
}

/** What takes too long to hold against patterns may all be meant by them. */
async function declared(
  { aside }: Engine,
  paths: readonly string[],
  { contract: { task_scope: scope } }: Attempt,
  tenant: string,
): Promise<readonly string[]> {
  if (scope.write === null) return []
  return (await aside.declared({ paths, scope }, tenant)) ?? paths
}
