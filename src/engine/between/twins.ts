// Pull requests that share a commit share its check run. Before that turns green by one of them the others are known, also those of
// which nobody told us: they may merge into a branch that asks for more, and somebody may have said no there.
import { pullKey } from '../../core/decision/record/keys.ts'
import type { Repository } from '../../core/news.ts'
import type { LastLook, Twin } from '../../ports.ts'
import { attemptOf, taskOf } from '../attempts/own-task.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { placeOf } from '../issues/issue-record.ts'

/** `twins`: as GitHub has them. What is not known yet is on its way in when this says no. */
export async function areTakenIn(engine: Engine, ref: TaskRef, twins: LastLook['twins']): Promise<boolean> {
  if (twins === null) return false
  const { repository } = placeOf(ref)
  let areKnown = true
  for (const twin of twins) {
    const name = nameOf(repository, twin)
    if (await isJudged(engine, repository, twin)) engine.unjudgedTwins.delete(name)
    else if (!engine.unjudgedTwins.has(name)) {
      areKnown = false
      // What somebody told of is taken in with what they told.
      if (!(await engine.ears.isWaiting(repository.key, twin.pull))) engine.onTwin(ref, twin)
    }
  }
  return areKnown
}

export async function isJudged(engine: Engine, repository: Repository, twin: Twin): Promise<boolean> {
  const attempt = await attemptOf(engine, await taskOf(engine, repository, twin.pull), twin.pull)
  return attempt?.head_sha === twin.head_sha && attempt.merges_into === twin.merges_into
}

export const nameOf = ({ key }: Repository, { pull, head_sha, merges_into }: Twin): string =>
  `${pullKey(key, pull)} ${head_sha} ${merges_into}`
