// Pull requests that nothing judges: there is no policy, or it is switched off. Whoever looks at everything does not ask about
// them again and again: until they move, a policy is pushed, or so much time has passed.
import { forgetOldest } from '../../core/forget.ts'
import type { PullFacts } from '../../ports.ts'
import type { Engine } from '../engine.ts'

/** A rule that begins to require our check tells nobody, so it is asked about now and then. */
const LIFETIME_MS = 3_600_000
const PULLS_MAX = 20_000

type Place = Pick<PullFacts, 'head_sha' | 'base_ref'>

export function leftAlone({ unjudged, clock }: Engine, key: string, { head_sha, base_ref }: Place): void {
  unjudged.delete(key)
  unjudged.set(key, { head_sha, base_ref, at: clock.now() })
  forgetOldest(unjudged, PULLS_MAX)
}

export function isLeftAlone({ unjudged, clock }: Engine, key: string, { head_sha, base_ref }: Place): boolean {
  const known = unjudged.get(key)
  if (known?.head_sha !== head_sha || known.base_ref !== base_ref) return false
  return Date.parse(clock.now()) - Date.parse(known.at) < LIFETIME_MS
}
