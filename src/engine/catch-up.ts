// What no webhook told us: open pull requests whose head we do not know, of one repository. Those that are older than
// the installation are left alone until somebody asks.
import type { Forge, Repository } from '../ports.ts'
import { isSamePlace } from '../core/decision/subject.ts'
import { forgeOf, type Engine } from './engine.ts'
import { attemptOf, pullSeen, taskOf } from './intake.ts'

export async function catchUp(engine: Engine<Forge>, repository: Repository, installedAt: string): Promise<number> {
  const forge = await forgeOf(engine, repository)
  let found = 0
  for (const { number, draft, created_at, updated_at, ...pull } of await forge.openPulls()) {
    if (draft) continue
    const ref = await taskOf(engine, repository, number)
    const attempt = ref === null ? null : await attemptOf(engine, ref, number)
    const isNew = ref === null ? created_at >= installedAt : attempt === null || !isSamePlace(attempt, pull)
    if (!isNew) continue
    found += 1
    await pullSeen(engine, repository, { pull: number, ...pull, at: updated_at }, 'catch-up')
  }
  return found
}
