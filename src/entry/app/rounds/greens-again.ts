// Greens beside which GitHub has another word for all checks of the commit than success: one of them may have been run again since and
// have failed, and nobody asks for the results of what is settled. They are read once for each such word, some in each round: first those of which the word
// has changed, and beside them always some of the others.
import type { Repository } from '../../../core/news.ts'
import type { Engine } from '../../../engine/engine.ts'
import { resultsChanged } from '../../../engine/heard/results.ts'
import type { Judged } from '../../../engine/rounds/sweep.ts'
import type { Forge } from '../../../ports.ts'
import { atLeisure, type Listed } from './at-leisure.ts'
import { nameOf, type Rollups } from './due-looks.ts'

export type GreensAgain = {
  /** Of what is judged; gives what failed, which is read in a later round. */
  readonly read: (judged: readonly Judged[], rollups: Rollups, listed: Listed) => Promise<readonly unknown[]>
}

/** With a few reads each. What a policy does not ask for may fail wherever it likes, so there may be many after a start. */
const COMMITS_MAX = 10
/** However many change all the time. */
const FOUND_MIN = 2

export function greensAgain(engine: Engine<Forge>): GreensAgain {
  /** The word that was said last of each, where nothing had to be read for it or that was done. */
  let known = new Map<string, string>()
  const [readChanged, readFound] = [atLeisure<Doubted>(), atLeisure<Doubted>()]
  return {
    read: async (judged, rollups, listed) => {
      const before = known
      known = new Map()
      const [changed, found]: [Doubted[], Doubted[]] = [[], []]
      for (const { green, ...commit } of judged) {
        const [name, place] = [nameOf(commit), listed.get(commit.repository)]
        const [last, word] = [before.get(name), rollups.get(name) ?? null]
        if (!green) continue
        if (last !== undefined) known.set(name, last)
        if (word === null || place === undefined || word === last) continue
        if (word === PASSED) known.set(name, word)
        else (last === undefined ? found : changed).push({ name, word, sha: commit.sha, ...place })
      }
      const read = async ({ name, word, sha, repository }: Doubted): Promise<void> => {
        await resultsChanged(engine, repository, { sha }, 'found beside a green')
        known.set(name, word)
      }
      const most = COMMITS_MAX - Math.min(found.length, FOUND_MIN)
      const failed = await readChanged(changed, most, read)
      return [...failed, ...(await readFound(found, COMMITS_MAX - Math.min(changed.length, most), read))]
    },
  }
}

type Doubted = {
  readonly name: string
  readonly word: string
  readonly sha: string
  readonly repository: Repository
  readonly installation: number
}

const PASSED = 'SUCCESS'
