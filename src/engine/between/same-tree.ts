// Other pull requests that have, or had, the tree of one that is to turn green: a no that somebody said there counts here, so
// nothing of that may be unheard either. Of those that are closed by now the older ones are looked at once, and again where their task
// has moved.
import { lastAttempt } from '../../core/decision/rules/attempt.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import { isSameTree } from '../../core/decision/subject.ts'
import { forgetOldest } from '../../core/forget.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import { isHeardAt } from '../all-heard.ts'
import { carryRejections, streamsWith } from './carry.ts'
import { repositoryIn } from '../../core/names.ts'

type IsSeen = (task: TaskState, other: Attempt) => boolean

/** What was heard there meanwhile is on record here by the end. `isSeen`: whoever asks looks at that one anyway. */
export async function isHeardElsewhere(
  engine: Engine,
  ref: TaskRef,
  attempt: Attempt,
  isSeen: IsSeen = () => false,
): Promise<boolean> {
  const streams = [ref.stream, ...(await streamsWith(engine, attempt, ref))]
  const others: { readonly there: TaskRef; readonly pull: number }[] = []
  for (const stream of streams) {
    const there = { stream, task_id: ref.task_id }
    for (const pull of await pullsWith(engine, there, attempt, isSeen)) others.push({ there, pull })
  }
  for (const [index, { there, pull }] of others.toSorted((one, other) => other.pull - one.pull).entries())
    if (!(await isHeardThere(engine, there, pull, index < ALWAYS))) return false
  if (streams.length > 1) await carryRejections(engine, ref)
  return true
}

async function pullsWith(engine: Engine, there: TaskRef, attempt: Attempt, isSeen: IsSeen): Promise<Set<number>> {
  const { task } = await load(engine, there)
  const others = task.attempts.filter(
    (one) => one.pull !== attempt.pull && one.group === null && isSameTree(one, attempt),
  )
  return new Set(others.filter((one) => !isSeen(task, one)).map(({ pull }) => pull))
}

const LOOKED_MAX = 10_000
/** So many of the newest are looked at each time. Whoever opens and closes a hundred makes nobody read them again and again. */
const ALWAYS = 5

/** Also where it was looked at already, what is waiting is not heard. */
async function isHeardThere(engine: Engine, there: TaskRef, pull: number, always: boolean): Promise<boolean> {
  const repository = repositoryIn(there.stream)
  const { task, tail } = await load(engine, there)
  const looked = `${there.stream}@${tail.version}#${pull}`
  if (!always && engine.lookedElsewhere.has(looked)) return !(await engine.ears.isWaiting(repository, pull))
  if (!(await isHeardAt(engine, there, pull))) return false
  if (lastAttempt(task, pull)?.live !== true) {
    engine.lookedElsewhere.add(looked)
    forgetOldest(engine.lookedElsewhere, LOOKED_MAX)
  }
  return true
}
