// A pull request that was closed, merged or made a draft again, also where nobody told us.
import { pullKey } from '../../core/decision/record/keys.ts'
import type { News, Repository } from '../../core/news.ts'
import type { Attempt } from '../../core/decision/model.ts'
import { NotShownYet, type Forge } from '../../ports.ts'
import { forgeOf, inTurn, type Engine, type TaskRef } from '../engine.ts'
import { whileLeaving } from '../attempts/leaving.ts'
import { attemptOf, taskOf } from '../attempts/own-task.ts'
import { app, record } from '../record.ts'
import { isNewer, mayFollow } from './late.ts'
import { mergedRevert } from './regression.ts'
import { settle } from '../settle.ts'

type Of<K extends News['kind']> = Extract<News, { kind: K }>

export async function pullEnded(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'pull_ended'>,
  correlation_id: string,
): Promise<void> {
  const here = await attemptHere(engine, repository, news.pull)
  if (here !== null && !(await isOpenAgain(engine, repository, news)))
    await ends(engine, repository, news, here, correlation_id)
}

/** What is merged stays so; what was closed may have been opened again before we heard of either, in whichever order. */
async function isOpenAgain(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, merged_by, at }: Of<'pull_ended'>,
): Promise<boolean> {
  if (merged_by !== null) return false
  const now = await (await forgeOf(engine, repository)).now(pull)
  if (now === null) return false
  if (isNewer(engine, now.updated_at, at)) return true
  if (mayFollow(engine, at))
    throw new NotShownYet(`GitHub shows pull request ${pull} as before the end that it told of`)
  return false
}

type Here = { readonly ref: TaskRef; readonly attempt: Attempt }

async function attemptHere(engine: Engine, repository: Repository, pull: number): Promise<Here | null> {
  const ref = await taskOf(engine, repository, pull)
  const attempt = await attemptOf(engine, ref, pull)
  return ref === null || attempt === null ? null : { ref, attempt }
}

type End = Pick<Of<'pull_ended'>, 'why' | 'merged_by'>

async function ends(
  engine: Engine<Forge>,
  repository: Repository,
  { why, merged_by }: End,
  { ref, attempt }: Here,
  correlation_id: string,
): Promise<void> {
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
    const here = await attemptHere(engine, repository, pull)
    if (here === null) return true
    // What has come since could not be shown.
    if (at !== undefined && here.attempt.head_at >= at) return false
    const forge = await forgeOf(engine, repository)
    const state = await reads(() => forge.stateOf(pull))
    if (state.kind === 'open') return false
    const merged_by = state.kind === 'merged' ? state.by : null
    const why = state.kind === 'draft' ? 'draft' : 'closed'
    await ends(engine, repository, { why, merged_by }, here, 'found ended')
    return true
  })
}
