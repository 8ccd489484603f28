// Results of commits in repositories that did not let us in for a while: no webhook told of them then, and none ever will. They are
// read once, some in each round, so that nothing else waits for it.
import type { Repository } from '../../../core/news.ts'
import type { Engine } from '../../../engine/engine.ts'
import { resultsChanged } from '../../../engine/heard/results.ts'
import type { Judged } from '../../../engine/rounds/sweep.ts'
import type { Forge } from '../../../ports.ts'
import { limitIn } from '../hearing/handle.ts'

export type ResultsAgain = {
  readonly letIn: (installation: number) => void
  /** Of what is judged; gives what failed, which is read in a later round. */
  readonly read: (judged: readonly Judged[], placeOf: PlaceOf) => Promise<readonly unknown[]>
  /** Whether some are still to be read. */
  readonly isLeft: () => boolean
}
type PlaceOf = (repository: string) => { readonly repository: Repository; readonly installation: number } | undefined

/** With a few reads each. */
const COMMITS_MAX = 200

export function resultsAgain(
  engine: Engine<Forge>,
  background: <T>(work: () => Promise<T>) => Promise<T>,
): ResultsAgain {
  const letIn = new Set<number>()
  const waiting = new Map<string, Pick<Judged, 'repository' | 'sha'>>()
  return {
    letIn: (installation) => letIn.add(installation),
    read: async (judged, placeOf) => {
      for (const { repository, sha } of judged) {
        const place = placeOf(repository)
        if (place !== undefined && letIn.has(place.installation))
          waiting.set(`${repository}@${sha}`, { repository, sha })
      }
      letIn.clear()
      const failed: unknown[] = []
      for (const [name, { repository, sha }] of [...waiting].slice(0, COMMITS_MAX)) {
        waiting.delete(name)
        const place = placeOf(repository)
        if (place === undefined) continue
        try {
          await background(() => resultsChanged(engine, place.repository, { sha }, 'found when we were let in again'))
        } catch (error) {
          // Behind the others, and whoever is told to wait keeps them all.
          waiting.set(name, { repository, sha })
          failed.push(error)
          if (limitIn(error) !== null) break
        }
      }
      return failed
    },
    isLeft: () => waiting.size > 0,
  }
}
