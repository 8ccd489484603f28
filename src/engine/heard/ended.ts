// A pull request that was closed, merged or made a draft again, also where nobody told us.
import { pullKey } from '../../core/decision/record/keys.ts'
import type { News, Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, inTurn, type Engine } from '../engine.ts'
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
  if (ref === null || attempt === null) return
  // What is merged stays so; what was closed may have been opened again before we heard of either.
  if (merged_by === null && isLate(engine, at) && (await stateOf(engine, repository, pull)).kind === 'open') return
  const told = { actor: app, correlation_id }
  if (merged_by !== null) {
    const { id, login } = merged_by
    await record(engine, ref, { type: 'report_merge', attempt_id: attempt.id, by: { id, login } }, told)
    // Before it has ended, so that whoever dies in between looks into it again.
    await mergedRevert(engine, repository, attempt, correlation_id)
  }
  await whileLeaving(engine, attempt, async () => {
    await record(engine, ref, { type: 'end_attempt', attempt_id: attempt.id, why }, told)
    await settle(engine, ref)
  })
}

const stateOf = async (engine: Engine<Forge>, repository: Repository, pull: number) =>
  (await forgeOf(engine, repository)).stateOf(pull)

/** `at`: when GitHub showed it as none that is open and ready. `reads`: how it is looked at once more. */
type Missed = {
  readonly pull: number
  readonly at?: string
  readonly reads?: <T>(work: () => Promise<T>) => Promise<T>
}

/** Judged, and not open and ready any more; whether it has ended by now. */
export async function endedUnheard(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, at, reads = (work) => work() }: Missed,
): Promise<boolean> {
  return inTurn(engine, pullKey(repository.key, pull), async () => {
    const ref = await taskOf(engine, repository, pull)
    const attempt = ref === null ? null : await attemptOf(engine, ref, pull)
    if (ref === null || attempt === null) return true
    // What has come since could not be shown.
    if (at !== undefined && attempt.head_at >= at) return false
    const state = await reads(() => stateOf(engine, repository, pull))
    if (state.kind === 'open') return false
    const merged_by = state.kind === 'merged' ? state.by : null
    const why = state.kind === 'draft' ? 'draft' : 'closed'
    const found = { kind: 'pull_ended', pull, why, merged_by, at: engine.clock.now() } as const
    await pullEnded(engine, repository, found, 'found ended')
    return true
  })
}
