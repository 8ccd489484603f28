// Which of all the commits that are judged a round looks at: those that it never looked at, those about which GitHub says
// something else in one word than it did then, or nothing in one word, and beside them a share of the others, so that each
// has its turn.
import type { Commit } from '../../../engine/rounds/doubts.ts'

export type DueLooks = {
  readonly due: (judged: readonly Commit[], rollups: Rollups) => readonly Commit[]
  readonly looked: (commits: readonly Commit[], rollups: Rollups) => void
}
/** All that is reported on a commit in one word, by `nameOf` the commit, as far as it was told. */
export type Rollups = ReadonlyMap<string, string | null>

export const nameOf = ({ repository, sha }: Commit): string => `${repository}@${sha}`

/** In so many rounds everything is looked at. */
const ROUNDS = 12

export function dueLooks(): DueLooks {
  /** What was said when it was looked at last; whoever was looked at longest ago stands first. */
  const known = new Map<string, string | null>()
  return {
    due: (judged, rollups) => {
      const byName = new Map(judged.map((commit) => [nameOf(commit), commit]))
      for (const name of known.keys()) if (!byName.has(name)) known.delete(name)
      const due = new Map<string, Commit>()
      for (const [name, commit] of byName) {
        const rollup = rollups.get(name)
        if (!known.has(name) || rollup === undefined || rollup !== known.get(name)) due.set(name, commit)
      }
      let left = Math.ceil(byName.size / ROUNDS)
      for (const name of known.keys()) {
        const commit = byName.get(name)
        if (left === 0) break
        left -= 1
        if (commit !== undefined) due.set(name, commit)
      }
      return [...due.values()]
    },
    looked: (commits, rollups) => {
      for (const commit of commits) {
        const name = nameOf(commit)
        const before = known.get(name) ?? null
        known.delete(name)
        known.set(name, rollups.get(name) ?? before)
      }
    },
  }
}
