// A rejection follows its tree: what somebody rejected in one pull request is rejected in every other that has the same tree,
// whatever task that is. Derived from what is on record, so that a crash in between leaves nothing open.
import type { TaskState } from '../core/decision/model.ts'
import type { Input } from '../core/decision/rules/inputs.ts'
import { isSameTree, type Subject } from '../core/decision/subject.ts'
import { treeKey } from '../ports.ts'
import { load, type Engine, type TaskRef } from './engine.ts'
import { app, record } from './record.ts'

type Carry = Extract<Input, { type: 'carry_rejection' }>

/** Whatever stands elsewhere against a tree that is judged here, and whatever no longer does. */
export async function carryRejections(engine: Engine, ref: TaskRef): Promise<void> {
  const { task } = await load(engine, ref)
  const inputs: Carry[] = []
  for (const attempt of task.attempts) {
    if (!attempt.live || attempt.tree_sha === '' || attempt.group !== null) continue
    for (const stream of await streamsWith(engine, attempt, ref)) {
      const { task: other } = await load(engine, { stream, task_id: ref.task_id })
      inputs.push(
        ...rejectionsIn(other, attempt).map((found) => ({ ...found, rejection: { ...found.rejection, stream } })),
      )
    }
  }
  if (inputs.length > 0) await record(engine, ref, inputs, { actor: app, correlation_id: 'rejected elsewhere' })
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

function rejectionsIn(task: TaskState, subject: Subject): Carry[] {
  return task.attempts
    .filter((attempt) => isSameTree(attempt, subject))
    .flatMap(({ head_sha, tree_sha, acts }) =>
      acts
        .filter(({ type }) => type === 'REJECTION')
        .map(({ id, user, user_id, permission, reason, standing }): Carry => {
          const rejection = { id, user, user_id, permission, reason, standing, head_sha, tree_sha, stream: '' }
          return { type: 'carry_rejection', rejection }
        }),
    )
}
