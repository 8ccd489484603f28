// A rejection follows its tree: what somebody rejected in one pull request is rejected in every other that has the same tree,
// whatever task that is. So does what somebody said that could not be taken in, since it may be one. Derived from what is on
// record, so that a crash in between leaves nothing open.
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import { movedTo } from '../../core/decision/gate/taken-up.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import { isSameTree, type Subject } from '../../core/decision/subject.ts'
import { treeKey } from '../../core/decision/record/keys.ts'
import { isUnheardElsewhere, isUnheardWord, unheardElsewhere } from '../../core/decision/unheard.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import { app, record } from '../record.ts'

type Carry = Extract<Input, { type: 'carry_rejection' }>

/** Whatever stands elsewhere against a tree that is judged here, or may, and whatever no longer does. */
export async function carryRejections(engine: Engine, ref: TaskRef): Promise<void> {
  const { task } = await load(engine, ref)
  const inputs: Input[] = []
  for (const attempt of task.attempts) {
    if (!attempt.live || attempt.tree_sha === '' || attempt.group !== null) continue
    const here = task.attempts.flatMap(({ acts }) => acts)
    const untaken = new Map(untakenIn(task, attempt))
    for (const stream of await streamsWith(engine, attempt, ref)) {
      const { task: other } = await load(engine, { stream, task_id: ref.task_id })
      for (const [doing, what] of untakenIn(other, attempt)) untaken.set(doing, what)
      const to = movedTo(other)
      const now = to === null ? [] : (await load(engine, { stream: to, task_id: ref.task_id })).task.attempts
      const moved = now.flatMap(({ acts }) => acts)
      for (const { type, rejection } of rejectionsIn(other, attempt)) {
        // What came along to another task is on record there, and taken back there.
        if (here.some(({ id }) => id === rejection.id)) continue
        const standing = moved.find(({ id }) => id === rejection.id)?.standing ?? rejection.standing
        inputs.push({ type, rejection: { ...rejection, standing, stream } })
      }
    }
    inputs.push(...faultsOf(attempt, untaken))
  }
  if (inputs.length > 0) await record(engine, ref, inputs, { actor: app, correlation_id: 'rejected elsewhere' })
}

/** What could not be taken in at other pull requests with this tree, in our words, and why. */
const untakenIn = ({ attempts }: TaskState, attempt: Attempt): readonly (readonly [string, string])[] =>
  attempts
    .filter((other) => other.pull !== attempt.pull && isSameTree(other, attempt))
    .flatMap(({ faults, pull }) =>
      Object.entries(faults)
        .filter(([doing]) => isUnheardWord(doing))
        .map(([doing, what]) => [unheardElsewhere(doing, pull), what] as const),
    )

function faultsOf({ id: attempt_id, faults }: Attempt, untaken: ReadonlyMap<string, string>): Input[] {
  const over = Object.keys(faults).filter((doing) => isUnheardElsewhere(doing) && !untaken.has(doing))
  const note = (doing: string, what: string | null): Input => ({ type: 'note_fault', attempt_id, doing, what })
  return [...Array.from(untaken, ([doing, what]) => note(doing, what)), ...over.map((doing) => note(doing, null))]
}

/** The other tasks that judge a tree. */
export async function streamsWith(
  engine: Engine,
  { repository, tree_sha }: Pick<Subject, 'repository' | 'tree_sha'>,
  ref: TaskRef,
): Promise<readonly string[]> {
  if (tree_sha === '') return []
  return (await engine.store.find(treeKey(repository, tree_sha))).filter((stream) => stream !== ref.stream)
}

export function rejectionsIn(task: TaskState, subject: Subject): Carry[] {
  return task.attempts
    .filter((attempt) => isSameTree(attempt, subject))
    .flatMap(({ head_sha, tree_sha, acts }) =>
      acts
        .filter(({ type }) => type === 'REJECTION')
        .map(({ id, user, user_id, permission, reason, standing, at }): Carry => {
          const rejection = { id, user, user_id, permission, reason, standing, at, head_sha, tree_sha, stream: '' }
          return { type: 'carry_rejection', rejection }
        }),
    )
}
