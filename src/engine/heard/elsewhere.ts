// What was said at one pull request, be it closed by now, may be about a tree that is judged at another one too.
import { lastAttempt } from '../../core/decision/rules/attempt.ts'
import type { Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { refOf, taskOf } from '../attempts/own-task.ts'
import { streamsWith } from '../between/carry.ts'
import { load, type Engine } from '../engine.ts'
import { settle } from '../settle.ts'

export async function toldElsewhere(engine: Engine<Forge>, repository: Repository, pull: number): Promise<void> {
  const ref = await taskOf(engine, repository, pull)
  const attempt = ref === null ? undefined : lastAttempt((await load(engine, ref)).task, pull)
  if (ref === null || attempt === undefined) return
  for (const stream of await streamsWith(engine, attempt, ref)) {
    await settle(engine, refOf(repository, stream))
  }
}
