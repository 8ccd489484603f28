// What no webhook told us: open pull requests whose head we do not know, of one repository. Those that are older than our
// sight of it are left alone until somebody asks. One that fails keeps none of the others waiting.
import { isFromBefore, secondsOf } from '../../core/as-of.ts'
import type { Attempt } from '../../core/decision/model.ts'
import { isSamePlace } from '../../core/decision/subject.ts'
import { type Forge, type OpenPull } from '../../ports.ts'
import { pullKey } from '../../core/decision/record/keys.ts'
import type { Repository } from '../../core/news.ts'
import { isAllHeard } from '../all-heard.ts'
import { issueOf, forgeOf, type Engine, type TaskRef } from '../engine.ts'
import { isLeftAlone } from '../attempts/left-alone.ts'
import { pullSeen } from '../attempts/intake.ts'
import { attemptOf, isOnItsWay, taskOf } from '../attempts/own-task.ts'
import { resultsAnew } from '../heard/results-now.ts'
import { settle } from '../settle.ts'

/** Where pull requests stood when they were found to be on record as they are, by `pullKey`: until they move nobody looks again. */
export type KnownPulls = Map<string, string>

export type Look = {
  /** Since when the repository is seen. */
  readonly since: string
  /** When a round looked at it last; since when it is seen where none did. */
  readonly looked: string
  readonly reads: ReadsAtLeisure
}

/** In the way of what is read for no event; null where that has to be left for a later round. */
export type ReadsAtLeisure = <T>(of: 'green' | 'other', pull: number, work: () => Promise<T>) => Promise<T | null>

/** Resolves with how many there were among those that are open. */
export async function catchUp(
  engine: Engine<Forge>,
  repository: Repository,
  open: readonly OpenPull[],
  look: Look,
  known: KnownPulls = new Map(),
): Promise<number> {
  const failures: unknown[] = []
  let found = 0
  for (const one of open) {
    try {
      if (await caughtUp(engine, repository, one, look, known)) found += 1
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
  { since, looked, reads }: Look,
  known: KnownPulls,
): Promise<boolean> {
  const key = pullKey(repository.key, number)
  const place = [pull.head_sha, pull.base_ref, pull.merges_into, updated_at].join(' ')
  const last = { number, updated_at }
  const isKnown = known.get(key) === place && !engine.ears.mayHaveMissed(repository.key, last)
  if (draft || isKnown) return false
  known.delete(key)
  const ref = await taskOf(engine, repository, number)
  const attempt = await attemptOf(engine, ref, number)
  // What was listed before the last push does not tell where it is.
  const isOlder = attempt !== null && isFromBefore(updated_at, attempt.head_at)
  const isNew =
    ref === null
      ? secondsOf(created_at) >= secondsOf(since)
      : attempt === null || (!isSamePlace(attempt, pull) && !isOlder)
  if (isLeftAlone(engine, key, pull)) return false
  const found = isNew || (ref !== null && (await isOnItsWay(engine, ref, number)))
  if (found) await pullSeen(engine, repository, { pull: number, ...pull, updated_at }, 'catch-up')
  // What was said may have been missed as well, also about a head that we know, and may be a yes to what stands red.
  const now = found ? await taskOf(engine, repository, number) : ref
  const lastLook = async (of: TaskRef) => (await forgeOf(engine, repository)).lastLook(number, issueOf(of, number))
  if (now !== null && engine.ears.mayHaveMissed(repository.key, last)) {
    // So may results, which no decision asks for any more.
    if (!found && attempt !== null) await settle(engine, now, () => resultsAnew(engine, now, attempt.id))
    await isAllHeard(engine, now, last, await lastLook(now))
  } else if (now !== null && attempt?.live === true && isAfter(updated_at, looked)) {
    // What was told last does not say what was not told before it. Nothing else asks what is said against a green, nor whether
    // somebody said yes to what is none and has nothing to come.
    const asked = engine.clock.now()
    const look = await reads(isGreen(attempt) ? 'green' : 'other', number, () => lastLook(now))
    const isAll = look !== null && (await isAllHeard(engine, now, last, look))
    if (isAll && !found && !isAfter(updated_at, asked)) isKnownFrom(known, key, place)
  } else if (!found) isKnownFrom(known, key, place)
  return found
}

const KNOWN_MAX = 200_000
function isKnownFrom(known: KnownPulls, key: string, place: string): void {
  if (known.size < KNOWN_MAX) known.set(key, place)
}

const isGreen = ({ decision }: Attempt): boolean => decision?.status === 'success'

/** A list may be older than the moment when it came. */
const MARGIN_MS = 60_000
const isAfter = (updated_at: string, looked: string): boolean =>
  Date.parse(updated_at) >= Date.parse(looked) - MARGIN_MS
