// Commits that were announced, as far as this process remembers: whoever tries again takes up the run that is there. A run
// that was shown since is in its place and is announced no more.
import { forgetOldest } from '../../../core/forget.ts'
import type { Access } from '../access.ts'
import { announceRun } from './check-run.ts'
import type { NodeIds } from './node-ids.ts'
import { vouched } from './vouched.ts'

type Place = { readonly sha: string; readonly name: string }
type Announced = {
  readonly announce: (place: Place) => Promise<{ readonly ref: string }>
  readonly forget: (place: Place) => void
}

const PLACES_MAX = 1_000

export function announced(access: Access, ids: NodeIds): Announced {
  const runs = new Map<string, Promise<{ readonly ref: string }>>()
  const keyOf = ({ sha, name }: Place): string => `${sha} ${name}`
  return {
    announce: (place) => {
      const key = keyOf(place)
      const known = runs.get(key)
      if (known !== undefined) return known
      const run = vouched(access, place.sha, () => announceRun({ access, ids }, place.sha, place.name))
      runs.set(key, run)
      run.catch(() => runs.delete(key))
      forgetOldest(runs, PLACES_MAX)
      return run
    },
    forget: (place) => void runs.delete(keyOf(place)),
  }
}
