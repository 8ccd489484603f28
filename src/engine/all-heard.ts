// Whether all that bears on a pull request is on record, before it turns green: a webhook that never arrived leaves no other trace
// than what the last look found.
import type { TaskState } from '../core/decision/model.ts'
import type { Beside } from '../core/decision/task-parts.ts'
import { asksOfTasks } from '../core/goals/owed-goal.ts'
import { forgetOldest } from '../core/forget.ts'
import { numberIn, repositoryIn } from '../core/names.ts'
import type { LastSaid, PlaceHeard } from '../core/news.ts'
import type { LastLook } from '../ports.ts'
import { issueOf, load, type Closes, type Engine, type TaskRef } from './engine.ts'
import { goalAt, goalRef, placeOf } from './issues/issue-record.ts'
import { ownRef } from './attempts/own-task.ts'

/** Whether everything is on record that was said about a pull request, what it closes, and which goals stand above that. */
export async function isAllHeard(
  engine: Engine,
  ref: TaskRef,
  pull: Pick<PlaceHeard, 'number' | 'updated_at'>,
  look: Pick<LastLook, 'said' | 'at_issue' | 'closes' | 'above'>,
): Promise<boolean> {
  const repository = repositoryIn(ref.stream)
  const { task } = await load(engine, ref)
  const { heard, beside } = task
  const closes = closesElse(ref, pull.number, look.closes, beside[pull.number])
  if (closes !== null || engine.ears.mayHaveMissed(repository, { number: pull.number }))
    await engine.askedAgain(ref, closes)
  if (closes !== null || !(await areAboveKnown(engine, ref, look.above))) return false
  for (const { said, place } of placesOf(ref, task, pull, look))
    if (!(await engine.ears.heardAll(repository, { ...place, heard }, said))) return false
  return true
}

/** What a pull request closes, where that is something else than is on record. */
function closesElse(
  ref: TaskRef,
  pull: number,
  issues: readonly number[] | null,
  before: readonly Beside[] = [],
): Closes | null {
  const others = new Set(issues?.filter((number) => number !== pull && number !== numberIn(ref.stream)))
  const isAsBefore = others.size === before.length && before.every(({ number }) => others.has(number))
  return issues === null || isAsBefore ? null : { pull, issues }
}

type Place = { readonly place: Omit<PlaceHeard, 'heard'>; readonly said: LastSaid | null }

/** Where something may have been said about a pull request: there, and since it is there at the issue that is its task. */
export function placesOf(
  ref: TaskRef,
  { attempts }: TaskState,
  pull: Pick<PlaceHeard, 'number' | 'updated_at'>,
  { said, at_issue }: Pick<LastLook, 'said' | 'at_issue'>,
): readonly Place[] {
  const issue = issueOf(ref, pull.number)
  const own: Place = { place: { is: 'pull', since: '', ...pull }, said }
  if (issue === null) return [own]
  const since = attempts.find((one) => one.pull === pull.number)?.head_at ?? ''
  return [{ place: { is: 'issue', number: issue, since, updated_at: '' }, said: at_issue }, own]
}

/** Whether nothing that was said at a pull request of a task waits to be heard, whatever became of it. */
export async function isHeardAt(engine: Engine, ref: TaskRef, number: number): Promise<boolean> {
  const repository = repositoryIn(ref.stream)
  if (await engine.ears.isWaiting(repository, number)) return false
  const look = await (await engine.forges.of(ref.stream)).lastLook(number, issueOf(ref, number))
  return isAllHeard(engine, ref, { number, updated_at: look.now?.updated_at ?? '' }, look)
}

const REMEMBERED_MAX = 10_000
/** So long it counts that a goal was looked at and left an issue out. */
const LEFT_OUT_MS = 60_000

/**
 * Whether each issue is on record as a task of the goal above it. Where one is not, the goal is looked at, which may have a reason to
 * leave it out.
 */
async function areAboveKnown(engine: Engine, ref: TaskRef, above: LastLook['above']): Promise<boolean> {
  const { repository } = placeOf(ref)
  let areKnown = true
  for (const { issue, goal: number } of above) {
    const goal = goalRef(repository, number)
    if (asksOfTasks(await goalAt(engine, goal)) === null) continue
    const { goals } = (await load(engine, ownRef(repository, issue))).task
    const name = `${goal.stream} ${issue}`
    const { begun, ended } = engine.goalLooks.get(goal.stream) ?? { begun: 0, ended: 0 }
    if (goals.some((one) => one.number === number)) {
      engine.seenAbove.delete(name)
      continue
    }
    const now = Date.parse(engine.clock.now())
    const before = engine.seenAbove.get(name)
    const found = before !== undefined && now - before.at < LEFT_OUT_MS ? before : { behind: begun, at: now }
    if (ended > found.behind) continue
    engine.seenAbove.set(name, found)
    forgetOldest(engine.seenAbove, REMEMBERED_MAX)
    engine.toSee.add(goal.stream)
    engine.onIssueTask(goal)
    areKnown = false
  }
  return areKnown
}
