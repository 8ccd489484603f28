// What a commit is judged by, read again where GitHub told only a half of it.
import { isUnseen, untold } from '../../core/decision/half-told.ts'
import type { Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, type Engine } from '../engine.ts'
import { pullSeen } from './intake.ts'
import { attemptOf, taskOf } from './own-task.ts'

export async function readWhole(engine: Engine<Forge>, repository: Repository, pull: number): Promise<void> {
  const attempt = await attemptOf(engine, await taskOf(engine, repository, pull), pull)
  if (attempt === null || untold(attempt) === 0) return
  const now = await (await forgeOf(engine, repository)).now(pull)
  if (now === null) return
  await pullSeen(engine, repository, { pull, ...now }, 'told by halves', { again: true, renew: isUnseen(attempt) })
}
