// Whoever is in the merge queue and becomes a success, or is none any more, takes the groups along that it is in, whatever it was
// that moved it, and those that stand on them. That their members have to be looked at comes on their own record, so that whoever
// dies leaves it to others. A look that was under way meanwhile may end after that: so this process also remembers of which groups
// nobody has moved since it looked.
import { queuedKey, standsOnKey } from '../../core/decision/record/keys.ts'
import { liveAttempt } from '../../core/decision/rules/attempt.ts'
import { equal } from '../../core/canonical.ts'
import { forgetOldest } from '../../core/forget.ts'
import { repositoryIn, shownAs } from '../../core/names.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'

/** GitHub builds no more groups at a time. */
export const GROUPS_MAX = 100
const SEEN_MAX = 10_000

type Moved = { readonly before: TaskState; readonly next: TaskState }
type Tell = (group: TaskRef, input: Input) => Promise<unknown>

export async function tellQueued(engine: Engine, ref: TaskRef, moved: Moved, tell: Tell): Promise<void> {
  const groups = new Map<string, Found>()
  for (const pull of movedIn(moved)) await findGroups(engine, ref, queuedKey(repositoryIn(ref.stream), pull), groups)
  for (const { group, attempt } of groups.values()) {
    engine.membersSeen.delete(attempt.id)
    const covers = attempt.group?.covers ?? []
    await tell(group, { type: 'report_members', attempt_id: attempt.id, lacking: null, covers })
    engine.again(group)
  }
}

/** Those of which a group would be told something else. */
function movedIn({ before, next }: Moved): readonly number[] {
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

type Found = { readonly group: TaskRef; readonly attempt: Attempt }

async function findGroups(engine: Engine, { task_id }: TaskRef, key: string, found: Map<string, Found>): Promise<void> {
  const name = repositoryIn(task_id)
  for (const stream of await engine.store.find(key)) {
    if (found.has(stream) || found.size === GROUPS_MAX) continue
    const group = { stream, task_id: shownAs(name, stream) }
    const attempt = (await load(engine, group)).task.attempts.find(({ live }) => live)
    if (attempt === undefined) continue
    found.set(stream, { group, attempt })
    await findGroups(engine, group, standsOnKey(attempt.repository, attempt.head_sha), found)
  }
}

export function noteMembersSeen({ membersSeen }: Pick<Engine, 'membersSeen'>, { id }: Attempt): void {
  membersSeen.add(id)
  forgetOldest(membersSeen, SEEN_MAX)
}
