// Who is out of reach. What was taken in waits in its line, however long, and is tried again less and less often; an
// installation is out of reach while none of its lines gets an answer. A line that does not come back was taken up by another
// process, which knows how it went on.
import { requestIdOf } from '../../../adapters/github/status.ts'
import { faultOf } from '../../../core/error-words.ts'

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
type Told = (what: 'began' | 'ended' | 'elsewhere', outage: Outage) => void
/** By when a line of it is back, if it comes back to us. */
type Lasting = { readonly outage: Outage; readonly backBy: number }
type Line = { readonly since: number; readonly backBy: number }

const WAIT_SECONDS_MAX = 60
/** After so many seconds a wait is one second longer. */
const SECONDS_LONGER = 10
/** How much later than it may come a line that waited comes back, on a slow day. */
const LATE_SECONDS_MAX = 60
/** There may be many lines. */
const LOOK_MS = 1_000
const OUTAGES_MAX = 10_000
const LINES_MAX = 100_000

export function outagesOf(now: () => number, told: Told): Outages {
  const lasting = new Map<string, Lasting>()
  const lines = new Map<string, Line>()
  let lookAt = 0
  const forgetElsewhere = (): void => {
    if (now() < lookAt) return
    lookAt = now() + LOOK_MS
    for (const [line, { backBy }] of lines) if (backBy < now()) lines.delete(line)
    for (const [installation, { outage, backBy }] of lasting) {
      if (backBy >= now()) continue
      lasting.delete(installation)
      told('elsewhere', outage)
    }
  }
  const begun = (installation: string, error: unknown): Outage => {
    const since = new Date(now()).toISOString()
    const outage = { installation, since, error: faultOf(error), request: requestIdOf(error) }
    told('began', outage)
    return outage
  }
  return {
    waits: (installation, line, error) => {
      forgetElsewhere()
      const since = lines.get(line)?.since ?? now()
      const waited = Math.max(0, (now() - since) / 1_000)
      const seconds = Math.min(1 + Math.floor(waited / SECONDS_LONGER), WAIT_SECONDS_MAX)
      const backBy = now() + (seconds + LATE_SECONDS_MAX) * 1_000
      if (lines.has(line) || lines.size < LINES_MAX) lines.set(line, { since, backBy })
      const known = lasting.get(installation)
      if (known !== undefined || lasting.size < OUTAGES_MAX) {
        const outage = known?.outage ?? begun(installation, error)
        lasting.set(installation, { outage, backBy: Math.max(known?.backBy ?? 0, backBy) })
      }
      return { seconds, waited }
    },
    over: (installation, line) => {
      lines.delete(line)
      const known = lasting.get(installation)
      if (known === undefined) return
      lasting.delete(installation)
      told('ended', known.outage)
    },
    list: () => {
      forgetElsewhere()
      return [...lasting.values()].map(({ outage }) => outage)
    },
  }
}
