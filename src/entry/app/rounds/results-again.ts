// Results of commits in repositories that did not let us in for a while: no webhook told of them then, and none ever will. They are
// read once, some in each round, so that nothing else waits for it.
import type { Repository } from '../../../core/news.ts'
import type { Engine } from '../../../engine/engine.ts'
import { resultsChanged } from '../../../engine/heard/results.ts'
import { isOutage } from '../../../engine/outage.ts'
import type { Judged } from '../../../engine/rounds/sweep.ts'
import type { Forge } from '../../../ports.ts'
import { atLeisure } from './at-leisure.ts'

export type ResultsAgain = {
  readonly letIn: (installation: number) => void
  /** Of what is judged; gives what failed, which is read in a later round. */
  readonly read: (judged: readonly Judged[], listed: Listed) => Promise<readonly unknown[]>
  /** Whether some are still to be read. */
  readonly isLeft: () => boolean
}
/** Repositories that let us in, by key. */
type Listed = ReadonlyMap<string, { readonly repository: Repository; readonly installation: number }>

/** With a few reads each. */
const COMMITS_MAX = 200

export function resultsAgain(engine: Engine<Forge>): ResultsAgain {
  const letIn = new Set<number>()
  const waiting = new Map<string, Pick<Judged, 'repository' | 'sha'>>()
  return {
    letIn: (installation) => letIn.add(installation),
    read: async (judged, listed) => {
      for (const { repository, sha } of judged) {
        const place = listed.get(repository)
        if (place !== undefined && letIn.has(place.installation))
          waiting.set(`${repository}@${sha}`, { repository, sha })
      }
      // One that could not be listed has its turn when it can.
      for (const { installation } of listed.values()) letIn.delete(installation)
      return atLeisure([...waiting].slice(0, COMMITS_MAX), async ([name, { repository, sha }]) => {
        waiting.delete(name)
        const place = listed.get(repository)
        if (place === undefined) return
        try {
          await resultsChanged(engine, place.repository, { sha }, 'found when we were let in again')
        } catch (error) {
          // Behind the others. What goes wrong by a fault goes wrong again.
          if (isOutage(error)) waiting.set(name, { repository, sha })
          throw error
        }
      })
    },
    isLeft: () => waiting.size > 0,
  }
}
