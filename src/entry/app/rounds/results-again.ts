// Results of commits in repositories that did not let us in for a while: no webhook told of them then, and none ever will. They are
// read once, some in each round, so that nothing else waits for it.
import { forgetOldest } from '../../../core/forget.ts'
import type { Repository } from '../../../core/news.ts'
import type { Engine } from '../../../engine/engine.ts'
import { resultsChanged } from '../../../engine/heard/results.ts'
import { isOutage } from '../../../engine/outage.ts'
import type { Commit } from '../../../engine/rounds/doubts.ts'
import type { Judged } from '../../../engine/rounds/sweep.ts'
import type { Forge } from '../../../ports.ts'
import { atLeisure, type Listed } from './at-leisure.ts'
import { nameOf } from './due-looks.ts'

export type ResultsAgain = {
  readonly letIn: (installation: number) => void
  /** Of what is judged; gives what failed, which is read in a later round. */
  readonly read: (judged: readonly Judged[], listed: Listed) => Promise<readonly unknown[]>
  /** Whether some are still to be read. */
  readonly isLeft: () => boolean
}
type Missed = {
  readonly name: string
  readonly sha: string
  readonly repository: Repository
  readonly installation: number
}

/** With a few reads each. */
const COMMITS_MAX = 200
/** Some are of repositories that never let us in again. */
const WAITING_MAX = 100_000

export function resultsAgain(engine: Engine<Forge>): ResultsAgain {
  const letIn = new Set<number>()
  const waiting = new Map<string, Commit>()
  const readMissed = atLeisure<Missed>()
  let isLeft = false
  return {
    letIn: (installation) => letIn.add(installation),
    read: async (judged, listed) => {
      for (const { repository, sha } of judged) {
        const place = listed.get(repository)
        if (place === undefined || !letIn.has(place.installation)) continue
        waiting.set(nameOf({ repository, sha }), { repository, sha })
        forgetOldest(waiting, WAITING_MAX)
      }
      // One that could not be listed has its turn when it can.
      for (const { installation } of listed.values()) letIn.delete(installation)
      const missed = Array.from(waiting, ([name, { repository, sha }]) => {
        const place = listed.get(repository)
        return place === undefined ? [] : [{ name, sha, ...place }]
      }).flat()
      const failed = await readMissed(missed, COMMITS_MAX, async ({ name, sha, repository }) => {
        try {
          await resultsChanged(engine, repository, { sha }, 'found when we were let in again')
          waiting.delete(name)
        } catch (error) {
          // What goes wrong by a fault goes wrong again.
          if (!isOutage(error)) waiting.delete(name)
          throw error
        }
      })
      isLeft = missed.some(({ name }) => waiting.has(name))
      return failed
    },
    isLeft: () => isLeft,
  }
}
