// Who is out of reach. What was taken in waits in its line, however long, and is tried again less and less often; an
// installation is out of reach while none of its lines gets an answer.
import { requestIdOf } from '../../adapters/github/status.ts'
import { faultOf } from '../../core/error-words.ts'

export type Outage = {
  readonly installation: string
  readonly since: string
  readonly error: string
  readonly request: string | null
}
export type Outages = {
  /** A line waits: how many seconds from now, and how many it has waited. */
  readonly waits: (
    installation: string,
    line: string,
    error: unknown,
  ) => { readonly seconds: number; readonly waited: number }
  /** A line was answered. */
  readonly over: (installation: string, line: string) => void
  readonly list: () => readonly Outage[]
}
type Told = (what: 'began' | 'ended', outage: Outage) => void

const WAIT_SECONDS_MAX = 60
/** After so many seconds a wait is one second longer. */
const SECONDS_LONGER = 10
const OUTAGES_MAX = 10_000
const LINES_MAX = 100_000

export function outagesOf(now: () => number, told: Told): Outages {
  const lasting = new Map<string, Outage>()
  const lines = new Map<string, number>()
  return {
    waits: (installation, line, error) => {
      if (!lasting.has(installation) && lasting.size < OUTAGES_MAX) {
        const since = new Date(now()).toISOString()
        const outage = { installation, since, error: faultOf(error), request: requestIdOf(error) }
        lasting.set(installation, outage)
        told('began', outage)
      }
      const since = lines.get(line) ?? now()
      if (lines.size < LINES_MAX) lines.set(line, since)
      const waited = Math.max(0, (now() - since) / 1_000)
      return { seconds: Math.min(1 + Math.floor(waited / SECONDS_LONGER), WAIT_SECONDS_MAX), waited }
    },
    over: (installation, line) => {
      lines.delete(line)
      const outage = lasting.get(installation)
      if (outage === undefined) return
      lasting.delete(installation)
      told('ended', outage)
    },
    list: () => [...lasting.values()],
  }
}
