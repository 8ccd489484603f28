// By which attempt a pull request behind a commit speaks for it: the one at the head that GitHub shows, for the base that it is
// shown to be for. Whatever was found out about another head says nothing about what came of this one.
import type { Attempt } from '../core/decision/model.ts'
import { isAbout } from '../core/decision/subject.ts'
import type { Behind } from '../ports.ts'
import type { Engine, TaskRef } from './engine.ts'

/**
 * What the merge queue made of it is judged beside it. Whoever may push can make a base with a policy of its own, so that nothing
 * but the default branch lends its green.
 */
export const speaksFor = (attempt: Attempt, behind: Behind): boolean =>
  behind.base_is_default && attempt.group === null && isAbout('deployment', attempt, { ...attempt, ...behind })

/** Whether it does by what GitHub shows now. */
export async function isBehind(engine: Engine, ref: TaskRef, attempt: Attempt, sha: string): Promise<boolean> {
  const behind = await (await engine.forges.of(ref.stream)).pullsBehind(sha)
  return behind.some((one) => speaksFor(attempt, one))
}
