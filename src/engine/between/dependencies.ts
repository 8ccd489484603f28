// What a task waits for: GitHub's own "blocked by" first, and what the task's block names. Where those stand is what their own
// records say, read again whenever one of them may have moved.
import { equal } from '../../core/canonical.ts'
import type { TaskSeen } from '../../core/goals/goal-board.ts'
import { builtInPolicy } from '../../core/contract/policy/policy.ts'
import { blockersOf } from '../../core/decision/gate/blocked.ts'
import type { TaskState } from '../../core/decision/model.ts'
import type { Dependency } from '../../core/decision/task-parts.ts'
import type { Repository } from '../../core/news.ts'
import type { IssueNamed } from '../../core/issue-boards.ts'
import { BusyElsewhere, NotShownYet, type Forge } from '../../ports.ts'
import { forgeOf, inTurn, load, type Engine, type TaskRef } from '../engine.ts'
import { app, record, type Told } from '../record.ts'
import { numberIn, repositoryIn } from '../../core/names.ts'
import { placeOf } from '../issues/issue-record.ts'

const ours: Told = { actor: app, correlation_id: 'dependencies' }
type Standing = Omit<Dependency, 'status'>

/**
 * All that a task waits for. What its block names in other repositories only GitHub's own list can tell of. Null where GitHub shows
 * no issues there: what was known is no less true.
 */
export async function dependenciesOf(
  engine: Engine,
  forge: Pick<Forge, 'blockedBy' | 'issue'>,
  { key, full_name }: Repository,
  issue: number | null,
  named: readonly string[],
): Promise<readonly Dependency[] | null> {
  const blocking = issue === null ? [] : await forge.blockedBy(issue)
  if (blocking === null) return null
  const isKnown = (name: string): boolean => blocking.some((one) => sameName(one.name, name))
  const numbers = named.filter((name) => !isKnown(name)).flatMap((name) => numberHere(name, full_name))
  const more = await Promise.all(numbers.map((number) => nameAt(forge, full_name, number)))
  return standing(engine, key, [...blocking, ...more])
}

/** Read with the first attempt, and as long as something is waited for; then GitHub tells of it. */
export async function waitsFor(
  engine: Engine,
  forge: Pick<Forge, 'blockedBy' | 'issue'>,
  repository: Repository,
  {
    number,
    pull,
    recorded,
    depends_on,
  }: {
    readonly number: number
    readonly pull: number
    readonly recorded: TaskState
    readonly depends_on: readonly string[]
  },
): Promise<readonly Dependency[] | null> {
  const isOwn = number === pull
  const isKnown = (isOwn || recorded.waits_for !== null) && blockersOf(recorded).length === 0
  if (isKnown && depends_on.length === 0) return null
  return shown(await dependenciesOf(engine, forge, repository, isOwn ? null : number, depends_on), number)
}

/** Where nothing goes on before it is known. */
function shown(on: readonly Dependency[] | null, number: number): readonly Dependency[] {
  if (on === null)
    throw new NotShownYet(`GitHub does not show what #${number} waits for: issues are switched off there`)
  return on
}

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

function numberHere(name: string, full_name: string): number[] {
  return sameName(repositoryIn(name), full_name) ? [numberIn(name)] : []
}

async function nameAt(forge: Pick<Forge, 'issue'>, full_name: string, number: number): Promise<IssueNamed> {
  const found = await forge.issue(number)
  const { title, open } = found ?? { title: 'there is no such issue', open: true }
  return { name: `${full_name}#${number}`, number, title, open }
}

const standing = (engine: Engine, key: string, all: readonly Standing[]): Promise<readonly Dependency[]> =>
  Promise.all(
    all.map(async ({ name, number, title, open }) => {
      if (number === null) return { name, number, title, open, status: 'none' as const }
      const { task } = await load(engine, { stream: `${key}#${number}`, task_id: name })
      return { name, number, title, open, status: task.status, unasked: asksNobody(task) }
    }),
  )

/** Nobody would ever confirm it: what was delivered is all there is to wait for. */
function asksNobody({ status, goals, attempts }: TaskState): boolean {
  const policy = attempts.at(-1)?.contract.policy
  if (policy === undefined) return status === 'none'
  return goals.length === 0 && policy.merge_requires !== 'verified' && !policy.tasks.reopen_unverified
}

/** Before anything is shown: what it waits for may have moved meanwhile. */
export async function followDependencies(engine: Engine, ref: TaskRef): Promise<void> {
  const { task } = await load(engine, ref)
  if (task.waits_for === null || task.waits_for.length === 0) return
  const on = await standing(engine, repositoryIn(ref.stream), task.waits_for)
  await record(engine, ref, { type: 'report_dependencies', on }, ours)
}

/** Others read what a task waits for at the same time, and what was read first must not be recorded last. */
const READS_MAX = 5

/** GitHub's list again, for a task that somebody has begun with or that a goal has: settled by whoever asks. */
export const dependenciesAgain = (engine: Engine<Forge>, ref: TaskRef): Promise<void> =>
  readOver(engine, ref, (work) => inTurn(engine, ref.stream, work))

/** The same for whoever is in the turn of another task: two that wait for each other's would wait for ever. */
export const dependenciesBeside = (engine: Engine<Forge>, ref: TaskRef): Promise<void> =>
  readOver(engine, ref, (work) => work())

async function readOver(
  engine: Engine<Forge>,
  ref: TaskRef,
  turn: (work: () => Promise<boolean>) => Promise<boolean>,
): Promise<void> {
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const { task } = await load(engine, ref)
    if (task.waits_for === null && task.goals.length === 0) return
    const on = await readAgain(engine, ref, task)
    if (on === null) return
    const isRecorded = await turn(async () => {
      if (!equal((await load(engine, ref)).task.waits_for, task.waits_for)) return false
      await record(engine, ref, { type: 'report_dependencies', on }, ours)
      return true
    })
    if (isRecorded) return
  }
  throw new BusyElsewhere(`What ${ref.task_id} waits for changed each time that it was read`)
}

/** The same within the turn of the task, before it is relied on; whoever moves it so settles it again. */
export async function dependenciesNow(engine: Engine<Forge>, ref: TaskRef): Promise<void> {
  const { task } = await load(engine, ref)
  if (task.waits_for === null && task.goals.length === 0) return
  const on = await readAgain(engine, ref, task)
  if (on === null) return
  const { events } = await record(engine, ref, { type: 'report_dependencies', on }, ours)
  if (events.length > 0) engine.again(ref)
}

async function readAgain(engine: Engine<Forge>, ref: TaskRef, task: TaskState): Promise<readonly Dependency[] | null> {
  const { repository, number: issue } = placeOf(ref)
  const forge = await forgeOf(engine, repository)
  const begun = task.attempts.filter(({ live }) => live).flatMap(({ contract }) => contract.depends_on)
  const named = task.attempts.length === 0 ? await namedAt(engine, forge, repository, issue) : begun
  return dependenciesOf(engine, forge, repository, issue, named)
}

/** What an issue waits for that a pull request closes: from then on GitHub tells of it. */
export async function dependenciesKnown(engine: Engine<Forge>, ref: TaskRef): Promise<void> {
  const { task } = await load(engine, ref)
  if (task.waits_for !== null) return
  const on = shown(await readAgain(engine, ref, task), numberIn(ref.task_id))
  await record(engine, ref, { type: 'report_dependencies', on }, ours)
}

/** What tasks of a goal wait for with which nobody has begun yet: from then on their first attempt tells. */
export async function dependenciesBelow(
  engine: Engine<Forge>,
  forge: Forge,
  repository: Repository,
  seen: readonly TaskSeen[],
): Promise<void> {
  for (const { number, title, body, may_wait } of seen) {
    const ref = { stream: `${repository.key}#${number}`, task_id: `${repository.full_name}#${number}` }
    const { task } = await load(engine, ref)
    if (task.waits_for !== null) continue
    const named = await namedIn(engine, repository, { number, title, body })
    if (!may_wait && named.length === 0) continue
    const on = await dependenciesOf(engine, forge, repository, number, named)
    if (on === null) continue
    await record(engine, ref, { type: 'report_dependencies', on }, ours)
  }
}

async function namedAt(
  engine: Engine,
  forge: Pick<Forge, 'issue'>,
  repository: Repository,
  number: number,
): Promise<readonly string[]> {
  const text = await forge.issue(number)
  return text === null ? [] : namedIn(engine, repository, text)
}

/** What a block that cannot be read names is told once somebody begins. */
async function namedIn(
  { aside }: Engine,
  { key, full_name }: Repository,
  { number, title, body }: Pick<TaskSeen, 'number' | 'title' | 'body'>,
): Promise<readonly string[]> {
  if (!body.includes('depends_on')) return []
  const own = { number, title, body, edited_by: 'other', may_run: false } as const
  const task_id = `${full_name}#${number}`
  const asked = { task_id, pull: 0, own, issues: [own], policy: builtInPolicy, policy_hash: '' }
  return (await aside.contract(asked, key))?.contract.depends_on ?? []
}
