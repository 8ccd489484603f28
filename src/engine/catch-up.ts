// What no webhook told us: open pull requests whose head we do not know, of one repository. Those that are older than our
// sight of it are left alone until somebody asks. One that fails keeps none of the others waiting.
import { isSamePlace } from '../core/decision/subject.ts'
import { pullKey, type Forge, type OpenPull } from '../ports.ts'
import type { Repository } from '../core/news.ts'
import { forgeOf, isAllHeard, type Engine } from './engine.ts'
import { isLeftAlone } from './left-alone.ts'
import { attemptOf, pullSeen } from './intake.ts'
import { isOnItsWay, taskOf } from './own-task.ts'

/** Resolves with how many there were. */
export async function catchUp(engine: Engine<Forge>, repository: Repository, seenSince: string): Promise<number> {
  const forge = await forgeOf(engine, repository)
  const failures: unknown[] = []
  let found = 0
  for (const one of await forge.openPulls()) {
    try {
      if (await caughtUp(engine, repository, one, seenSince)) found += 1
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} pull requests of ${repository.full_name} were not taken in`)
  return found
}

async function caughtUp(
  engine: Engine<Forge>,
  repository: Repository,
  { number, draft, created_at, updated_at, ...pull }: OpenPull,
  seenSince: string,
): Promise<boolean> {
  if (draft) return false
  const ref = await taskOf(engine, repository, number)
  const attempt = ref === null ? null : await attemptOf(engine, ref, number)
  const isNew =
    ref === null ? secondsOf(created_at) >= secondsOf(seenSince) : attempt === null || !isSamePlace(attempt, pull)
  if (isLeftAlone(engine, pullKey(repository.key, number), pull)) return false
  const found = isNew || (ref !== null && (await isOnItsWay(engine, ref, number)))
  if (found) await pullSeen(engine, repository, { pull: number, ...pull, at: updated_at }, 'catch-up')
  // What was said may have been missed as well, also about a head that we know, and may be a yes to what stands red.
  const last = { number, updated_at }
  const now = found ? await taskOf(engine, repository, number) : ref
  if (now !== null && engine.ears.mayHaveMissed(repository.key, last)) await isAllHeard(engine, now, last)
  return found
}

/** GitHub tells no parts of a second. */
const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000)
