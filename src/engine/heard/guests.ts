// Guests' pull requests: what is said at one is shown where it counts from then on, and one may be taken up without a word to
// us, by letting its workflow run begin.
import { isUnasked } from '../../core/decision/gate/taken-up.ts'
import { type Forge } from '../../ports.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import type { News, Repository } from '../../core/news.ts'
import { forgeOf, load, type Engine } from '../engine.ts'
import { actorOf, pullSeen } from '../attempts/intake.ts'
import { isOnItsWay, refOf } from '../attempts/own-task.ts'
import { record } from '../record.ts'
import { settle } from '../settle.ts'
import { sayingOf, sceneOf, type Scene } from './speak.ts'

/** Whoever did it is asked of GitHub, and judged like anybody who says so. */
export async function runApproved(
  engine: Engine<Forge>,
  repository: Repository,
  { sha, approved_run: run }: Extract<News, { kind: 'results_changed' }>,
  correlation_id: string,
): Promise<void> {
  if (run === undefined) return
  const forge = await forgeOf(engine, repository)
  for (const stream of await engine.store.find(commitKey(repository.key, sha))) {
    const { task } = await load(engine, refOf(repository, stream))
    for (const attempt of task.attempts) {
      if (!attempt.live || attempt.head_sha !== sha || !isUnasked(task, attempt)) continue
      const by = await forge.approverOf(attempt, run)
      if (by === null) continue
      const scene = await sceneOf(engine, repository, { pull: attempt.pull, by, at: '' }, correlation_id)
      if (scene === null) continue
      const key = `run-${run}`
      const at = engine.clock.now()
      const saying = await sayingOf(scene, { key, sha, source: 'run', text: 'approved the workflow run', at })
      const input = { type: 'approve_run', pull: attempt.pull, saying } as const
      await record(engine, scene.ref, input, { actor: actorOf(by), correlation_id })
      await settleThere(engine, repository, scene, correlation_id)
    }
  }
}

/** What somebody made who was taken up goes to its task before anything else is shown of it. */
export async function settleThere(
  engine: Engine<Forge>,
  repository: Repository,
  { ref, pull, forge }: Scene,
  correlation_id: string,
): Promise<void> {
  const now = (await isOnItsWay(engine, ref, pull)) ? await forge.now(pull) : null
  if (now === null) await settle(engine, ref)
  else await pullSeen(engine, repository, { pull, ...now }, correlation_id)
}
