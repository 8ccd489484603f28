// A pull request that was closed, merged or made a draft again, also where nobody told us.
import { pullKey } from '../../core/decision/record/keys.ts'
import { lastAttempt } from '../../core/decision/rules/attempt.ts'
import type { News, Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, inTurn, load, type Engine, type TaskRef } from '../engine.ts'
import { attemptOf } from '../attempts/intake.ts'
import { whileLeaving } from '../attempts/leaving.ts'
import { taskOf } from '../attempts/own-task.ts'
import { app, record } from '../record.ts'
import { isLate } from './late.ts'
import { mergedRevert } from './regression.ts'
import { settle } from '../settle.ts'

type Of<K extends News['kind']> = Extract<News, { kind: K }>

export async function pullEnded(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, why, merged_by, at }: Of<'pull_ended'>,
  correlation_id: string,
): Promise<void> {
  const ref = await taskOf(engine, repository, pull)
  const attempt = ref === null ? null : await attemptOf(engine, ref, pull)
  if (ref === null) return
  // Whoever died just after this was on record looked into nothing.
  if (attempt === null)
    return merged_by === null ? undefined : revertedBy(engine, repository, ref, pull, correlation_id)
  // What is merged stays so; what was closed may have been opened again before we heard of either.
  if (merged_by === null && isLate(engine, at) && (await stateOf(engine, repository, pull)) === 'open') return
  const told = { actor: app, correlation_id }
  if (merged_by !== null)
    await record(
      engine,
      ref,
      { type: 'report_merge', attempt_id: attempt.id, by: { id: merged_by.id, login: merged_by.login } },
      told,
    )
  await whileLeaving(engine, attempt, async () => {
    await record(engine, ref, { type: 'end_attempt', attempt_id: attempt.id, why }, told)
    await settle(engine, ref)
  })
  if (merged_by !== null) await mergedRevert(engine, repository, attempt, correlation_id)
}

const stateOf = async (engine: Engine<Forge>, repository: Repository, pull: number) =>
  (await forgeOf(engine, repository)).stateOf(pull)

async function revertedBy(
  engine: Engine<Forge>,
  repository: Repository,
  ref: TaskRef,
  pull: number,
  correlation_id: string,
): Promise<void> {
  const last = lastAttempt((await load(engine, ref)).task, pull)
  if (last?.merged) await mergedRevert(engine, repository, last, correlation_id)
}

/** Judged, and not listed then among those that are open and ready. `background` reads. */
export async function endedUnheard(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, at }: { readonly pull: number; readonly at: string },
  background: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  return inTurn(engine, pullKey(repository.key, pull), async () => {
    const ref = await taskOf(engine, repository, pull)
    const attempt = ref === null ? null : await attemptOf(engine, ref, pull)
    // What has come since could not be listed.
    if (ref === null || attempt === null || attempt.head_at >= at) return
    const state = await background(() => stateOf(engine, repository, pull))
    if (state === 'open') return
    const found = { actor: app, correlation_id: 'found ended' }
    if (state === 'merged') await record(engine, ref, { type: 'report_merge', attempt_id: attempt.id, by: null }, found)
    const why = state === 'draft' ? 'draft' : 'closed'
    await pullEnded(
      engine,
      repository,
      { kind: 'pull_ended', pull, why, merged_by: null, at: engine.clock.now() },
      found.correlation_id,
    )
  })
}
