// Greens beside which GitHub has another word for all checks of the commit than success: one of them may have been run again since and
// have failed, and nobody asks for the results of what is settled. They are read once for each such word, some in each round.
import type { Repository } from '../../../core/news.ts'
import type { Engine } from '../../../engine/engine.ts'
import { resultsChanged } from '../../../engine/heard/results.ts'
import type { Judged } from '../../../engine/rounds/sweep.ts'
import type { Forge } from '../../../ports.ts'
import { atLeisure } from './at-leisure.ts'
import { nameOf, type Rollups } from './due-looks.ts'
import type { Listed } from './halves.ts'

export type GreensAgain = {
  /** Of what is judged; gives what failed, which is read in a later round. */
  readonly read: (judged: readonly Judged[], rollups: Rollups, listed: Listed) => Promise<readonly unknown[]>
}

/** With a few reads each. What a policy does not ask for may fail wherever it likes, so there may be many after a start. */
const COMMITS_MAX = 10

export function greensAgain(engine: Engine<Forge>): GreensAgain {
  /** The word that was said last of each, where nothing had to be read for it or that was done. */
  let known = new Map<string, string>()
  return {
    read: async (judged, rollups, listed) => {
      const before = known
      known = new Map()
      const [changed, found]: [Doubted[], Doubted[]] = [[], []]
      for (const { green, ...commit } of judged) {
        const [name, at] = [nameOf(commit), listed.get(commit.repository)?.repository]
        const [last, word] = [before.get(name), rollups.get(name) ?? null]
        if (!green) continue
        if (last !== undefined) known.set(name, last)
        if (word === null || at === undefined || word === last) continue
        if (word === PASSED) known.set(name, word)
        else (last === undefined ? found : changed).push({ name, word, sha: commit.sha, at })
      }
      return atLeisure([...changed, ...found].slice(0, COMMITS_MAX), async ({ name, word, sha, at }) => {
        await resultsChanged(engine, at, { sha }, 'found beside a green')
        known.set(name, word)
      })
    },
  }
}

type Doubted = { readonly name: string; readonly word: string; readonly sha: string; readonly at: Repository }

const PASSED = 'SUCCESS'
