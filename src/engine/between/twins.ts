// Pull requests that share a commit share its check run. Before that turns green by one of them the others are known, also those of
// which nobody told us: they may merge into a branch that asks for more, and somebody may have said no there.
import { commitKey, pullKey } from '../../core/decision/record/keys.ts'
import type { LastLook, Twin } from '../../ports.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'

/** `twins`: as GitHub has them, all of one commit. What is not known yet is on its way in when this says no. */
export async function areTakenIn(engine: Engine, ref: TaskRef, twins: LastLook['twins']): Promise<boolean> {
  if (twins === null) return false
  const [first] = twins
  if (first === undefined) return true
  const judged = await judgedOn(engine, ref, first.head_sha)
  for (const place of judged) engine.unjudgedTwins.delete(place)
  const unknown = twins.filter((twin) => {
    const place = placeOf(ref, twin)
    return !judged.has(place) && !engine.unjudgedTwins.has(place)
  })
  // What somebody told of is taken in with what they told.
  for (const twin of unknown) if (!(await engine.ears.isWaiting(repositoryOf(ref), twin.pull))) engine.onTwin(ref, twin)
  return unknown.length === 0
}

/** Where attempts on a commit are live. */
export async function judgedOn(engine: Engine, ref: TaskRef, sha: string): Promise<ReadonlySet<string>> {
  const places = new Set<string>()
  for (const stream of await engine.store.find(commitKey(repositoryOf(ref), sha))) {
    const { task } = await load(engine, { stream, task_id: ref.task_id })
    for (const one of task.attempts) if (one.live && one.group === null) places.add(placeOf(ref, one))
  }
  return places
}

export const repositoryOf = ({ stream }: TaskRef): string => stream.split('#')[0] ?? ''

export const placeOf = (
  ref: TaskRef,
  { pull, head_sha, merges_into }: Pick<Twin, 'pull' | 'head_sha' | 'merges_into'>,
): string => `${pullKey(repositoryOf(ref), pull)} ${head_sha} ${merges_into}`
