// Results may have changed on a commit: they are read for every attempt that has it as its head.
import { movedTo } from '../../core/decision/gate/taken-up.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import type { Attempt } from '../../core/decision/model.ts'
import { type Forge } from '../../ports.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import type { Repository } from '../../core/news.ts'
import { forgeOf, load, type Engine } from '../engine.ts'
import { membersJudged, queuedWith } from '../between/groups.ts'
import { pullSeen } from '../attempts/intake.ts'
import { refOf } from '../attempts/own-task.ts'
import { app, record } from '../record.ts'
import { settle } from '../settle.ts'

/** Every attempt on the commit, since two pull requests can share one. */
export async function resultsChanged(
  engine: Engine<Forge>,
  repository: Repository,
  sha: string,
  correlation_id: string,
): Promise<void> {
  const forge = await forgeOf(engine, repository)
  for (const stream of await engine.store.find(commitKey(repository.key, sha))) {
    const ref = refOf(repository, stream)
    const { task } = await load(engine, ref)
    if (movedTo(task) !== null) continue
    const attempts = task.attempts.filter(({ head_sha }) => head_sha === sha)
    for (const attempt of attempts) {
      await membersJudged(engine, repository, ref, attempt, { actor: app, correlation_id })
      const inputs = await forge.results(attempt)
      if (await isOfNewerPolicy(engine, repository, attempt, inputs, correlation_id)) continue
      await record(engine, ref, inputs, { actor: { ...app, kind: 'action' }, correlation_id })
    }
    // Without the changed files, tier 1 could not be judged yet.
    const answered = attempts.filter(({ files }) => files !== null).map(({ id }) => id)
    await settle(engine, ref, answered)
    for (const { pull, group } of attempts) {
      if (group === null) await queuedWith(engine, repository, pull, correlation_id)
    }
  }
}

/** Results under a policy that came to the base after the attempt had opened: it is opened anew under that one. */
async function isOfNewerPolicy(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, head_at: at, live, group }: Attempt,
  inputs: readonly Input[],
  correlation_id: string,
): Promise<boolean> {
  const other = inputs.some((input) => input.type === 'refuse_result' && input.policy_hash !== null)
  if (!other || !live || group !== null) return false
  const now = await (await forgeOf(engine, repository)).now(pull)
  if (now === null) return false
  return (await pullSeen(engine, repository, { pull, ...now, at }, correlation_id, { again: true })) === 'opened'
}
