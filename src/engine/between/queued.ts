// Whoever is in the merge queue and becomes a success, or is none any more, takes the groups along that it is in, whatever it was
// that moved it, and those that stand on them. Which groups were looked at since is remembered by this process alone: one that has
// just begun looks at each group once, so nothing is lost with whoever died.
import { queuedKey, standsOnKey } from '../../core/decision/record/keys.ts'
import { liveAttempt } from '../../core/decision/rules/attempt.ts'
import { equal } from '../../core/canonical.ts'
import { forgetOldest } from '../../core/forget.ts'
import { repositoryIn, shownAs } from '../../core/names.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'

/** GitHub builds no more groups at a time. */
export const GROUPS_MAX = 100
const SEEN_MAX = 10_000

export async function tellQueued(engine: Engine, ref: TaskRef, before: TaskState, next: TaskState): Promise<void> {
  const seen = new Set<string>()
  for (const pull of movedIn(before, next))
    await tellGroups(engine, ref, queuedKey(repositoryIn(ref.stream), pull), seen)
}

/** Those of which a group would be told something else. */
function movedIn(before: TaskState, next: TaskState): readonly number[] {
  const judged = [...before.attempts, ...next.attempts].filter(({ live, group }) => live && group === null)
  return [...new Set(judged.map(({ pull }) => pull))].filter(
    (pull) => !equal(toGroups(before, pull), toGroups(next, pull)),
  )
}

function toGroups(task: TaskState, pull: number): object | null {
  const attempt = liveAttempt(task, pull)
  if (attempt === undefined) return null
  return { green: attempt.decision?.status === 'success' ? attempt.id : null, covers: coveredBy(attempt) }
}

/** What stands named by an override of a member, which covers it in a group too. */
export const coveredBy = ({ acts }: Attempt): readonly string[] =>
  acts
    .filter(({ standing }) => standing === 'stands')
    .flatMap(({ covers }) => covers)
    .flatMap(({ subject, result }) => (result === null ? [subject] : []))

async function tellGroups(engine: Engine, { task_id }: TaskRef, key: string, seen: Set<string>): Promise<void> {
  const name = repositoryIn(task_id)
  for (const stream of await engine.store.find(key)) {
    if (seen.has(stream) || seen.size === GROUPS_MAX) continue
    seen.add(stream)
    const ref = { stream, task_id: shownAs(name, stream) }
    const group = (await load(engine, ref)).task.attempts.find(({ live }) => live)
    if (group === undefined) continue
    engine.membersSeen.delete(group.id)
    engine.again(ref)
    await tellGroups(engine, ref, standsOnKey(group.repository, group.head_sha), seen)
  }
}

export function noteMembersSeen({ membersSeen }: Pick<Engine, 'membersSeen'>, { id }: Attempt): void {
  membersSeen.add(id)
  forgetOldest(membersSeen, SEEN_MAX)
}
