// Other pull requests that have, or had, the tree of one that is to turn green: a no that somebody said there counts here, so
// nothing of that may be unheard either. Whoever is closed by now is looked at once, and again where its task has moved.
import { lastAttempt } from '../../core/decision/rules/attempt.ts'
import type { Attempt } from '../../core/decision/model.ts'
import { isAbout, isSameTree } from '../../core/decision/subject.ts'
import { forgetOldest } from '../../core/forget.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import { isHeardAt } from '../last-look.ts'
import { carryRejections, streamsWith } from './carry.ts'

/** What was heard there meanwhile is on record here by the end. */
export async function isHeardElsewhere(engine: Engine, ref: TaskRef, attempt: Attempt): Promise<boolean> {
  const streams = [ref.stream, ...(await streamsWith(engine, attempt, ref))]
  for (const stream of streams) {
    const there = { stream, task_id: ref.task_id }
    for (const pull of await pullsWith(engine, there, attempt))
      if (!(await isHeardOnce(engine, there, pull))) return false
  }
  if (streams.length > 1) await carryRejections(engine, ref)
  return true
}

/** Those that share the check run are looked at where it is shown. */
async function pullsWith(engine: Engine, there: TaskRef, attempt: Attempt): Promise<Set<number>> {
  const { attempts } = (await load(engine, there)).task
  const others = attempts.filter((one) => one.pull !== attempt.pull && one.group === null && isSameTree(one, attempt))
  return new Set(others.filter((one) => !(one.live && isAbout('shown', one, attempt))).map(({ pull }) => pull))
}

const LOOKED_MAX = 10_000

/** Also where it was looked at already, what is waiting is not heard. */
async function isHeardOnce(engine: Engine, there: TaskRef, pull: number): Promise<boolean> {
  const [repository = ''] = there.stream.split('#')
  const { task, tail } = await load(engine, there)
  const looked = `${there.stream}@${tail.version}#${pull}`
  if (engine.lookedElsewhere.has(looked)) return !(await engine.ears.isWaiting(repository, pull))
  if (!(await isHeardAt(engine, there, pull))) return false
  if (lastAttempt(task, pull)?.live !== true) {
    engine.lookedElsewhere.add(looked)
    forgetOldest(engine.lookedElsewhere, LOOKED_MAX)
  }
  return true
}
