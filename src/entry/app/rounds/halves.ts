// What GitHub told by halves is read again: soon at first, then less and less often, for it may never tell the rest. Some in each
// round, so that nothing else waits for it.
import type { Repository } from '../../../core/news.ts'
import { readWhole } from '../../../engine/attempts/whole.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Judged } from '../../../engine/rounds/sweep.ts'
import type { Forge } from '../../../ports.ts'
import { atLeisure, type Listed } from './at-leisure.ts'

export type Halves = {
  /** Of what is judged; gives what failed. */
  readonly read: (judged: readonly Judged[], listed: Listed) => Promise<readonly unknown[]>
}
type Waiting = { readonly until: number; readonly waitMs: number }
type Due = {
  readonly name: string
  readonly repository: Repository
  readonly installation: number
  readonly pull: number
  readonly waitMs: number
}

/** With a few reads each. */
const PULLS_MAX = 50
const WAIT_MS_MIN = 60_000
const WAIT_MS_MAX = 24 * 3_600_000

export function halves(engine: Engine<Forge>): Halves {
  let waiting = new Map<string, Waiting>()
  const readDue = atLeisure<Due>()
  return {
    read: async (judged, listed) => {
      const known = waiting
      const now = performance.now()
      waiting = new Map()
      const due: Due[] = []
      for (const { repository: key, sha, pull, whole } of judged) {
        if (whole || pull === null) continue
        const name = `${key}#${pull}@${sha}`
        const last = known.get(name)
        if (last !== undefined) waiting.set(name, last)
        const place = listed.get(key)
        if (place === undefined || (last !== undefined && now < last.until)) continue
        const waitMs = last === undefined ? WAIT_MS_MIN : Math.min(2 * last.waitMs, WAIT_MS_MAX)
        due.push({ name, ...place, pull, waitMs })
      }
      return readDue(due, PULLS_MAX, async ({ name, repository, pull, waitMs }) => {
        waiting.set(name, { until: now + waitMs, waitMs })
        await readWhole(engine, repository, pull)
      })
    },
  }
}
