// Commits of which nobody can vouch for what GitHub shows there: a write to them was cut off and may arrive yet. They are
// looked at soon, and again, until such a write would have arrived.
import { forgetOldest } from '../../core/forget.ts'
import type { Clock } from '../../ports.ts'

export type Commit = { readonly repository: string; readonly sha: string }
export type Doubts = {
  /** Looked at so long from now, beside what is planned already. */
  readonly note: (commit: Commit, looks?: readonly number[]) => void
  /** Those to be looked at now; each is told once for each look. */
  readonly due: () => readonly Commit[]
}

const second = 1_000
/** After a write that was cut off. */
export const soonMs: readonly number[] = [15 * second, 60 * second, 300 * second]
/** After what somebody may still take up by themselves. */
export const lateMs: readonly number[] = [300 * second]
const APART_MS = 10 * second
/** Beyond these the oldest is left to the rounds, which look at everything. */
const COMMITS_MAX = 50_000

export function doubts(clock: Clock): Doubts {
  const open = new Map<string, { readonly commit: Commit; readonly looks: readonly number[] }>()
  const now = (): number => Date.parse(clock.now())
  return {
    note: (commit, looks = soonMs) => {
      const key = `${commit.repository}@${commit.sha}`
      const planned = open.get(key)?.looks ?? []
      open.delete(key)
      open.set(key, { commit, looks: spaced([...planned, ...looks.map((ms) => now() + ms)]) })
      forgetOldest(open, COMMITS_MAX)
    },
    due: () => {
      const at = now()
      return Array.from(open).flatMap(([key, { commit, looks }]) => {
        if ((looks[0] ?? at) > at) return []
        const later = looks.filter((look) => look > at)
        if (later.length === 0) open.delete(key)
        else open.set(key, { commit, looks: later })
        return [commit]
      })
    },
  }
}

/** However many writes are cut off in a row, and the last of them is looked after as long as the first. */
function spaced(looks: readonly number[]): number[] {
  const kept: number[] = []
  for (const look of looks.toSorted((one, other) => one - other)) {
    const last = kept.at(-1)
    if (last !== undefined && look - last < APART_MS) kept.pop()
    kept.push(look)
  }
  return kept
}
