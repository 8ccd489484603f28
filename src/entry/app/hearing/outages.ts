// Who is out of reach, and whether our own database takes what it is to keep. What was taken in waits in its line, however long,
// and is tried again less and less often; an installation is out of reach while none of its lines gets an answer. A line that does
// not come back was taken up by another process, which knows how it went on. However many wait, few try: what they ask for in vain
// is taken from what may be asked of GitHub, and as soon as one of them is answered it calls others back.
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
type Line = { readonly since: number; readonly backBy: number; readonly isCalled: boolean }

/** Here stand the lines in which it is not GitHub that refuses. What one of them cannot keep says nothing of the others. */
export const OWN_DATABASE = 'database'

/** What is told of an outage, by what becomes of it. */
export const outageWords = (installation: string) => (installation === OWN_DATABASE ? wordsOfDatabase : wordsOfGitHub)

const wordsOfGitHub = {
  began: 'GitHub does not answer; what is heard waits',
  ended: 'GitHub answers again',
  elsewhere: 'what waited for GitHub waits here no longer',
} as const
const wordsOfDatabase = {
  began: 'the database refuses what is to be kept; what is heard waits',
  ended: 'the database keeps again what it refused',
  elsewhere: 'what waited for the database waits here no longer',
} as const

const WAIT_SECONDS_MAX = 60
/** After so many seconds a wait is one second longer. */
const SECONDS_LONGER = 10
/** Of those that wait for one installation one tries in so many seconds. */
const APART_SECONDS = 2
const APART_SECONDS_MAX = 600
/** Whoever has waited for longer than a minute is told of, when it is tried. */
const TOLD_SECONDS = 61
/** So many are called back by one that was answered. */
const CALLED_MAX = 8
/** How much later than it may come a line that waited comes back, on a slow day. */
const LATE_SECONDS_MAX = 60
/** There may be many lines. */
const LOOK_MS = 1_000
const OUTAGES_MAX = 10_000
/** Of one installation. */
const LINES_MAX = 10_000

export function outagesOf(now: () => number, call: (lines: readonly string[]) => void, told: Told): Outages {
  const lasting = new Map<string, Lasting>()
  const waiting = new Map<string, Map<string, Line>>()
  let lookAt = 0
  const forget = (installation: string, line: string): boolean => {
    const lines = waiting.get(installation)
    if (lines?.delete(line) !== true) return false
    if (lines.size === 0) waiting.delete(installation)
    return true
  }
  const forgetElsewhere = (): void => {
    if (now() < lookAt) return
    lookAt = now() + LOOK_MS
    for (const [installation, lines] of waiting)
      for (const [line, { backBy }] of lines) if (backBy < now()) forget(installation, line)
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
  const linesOf = (installation: string): Map<string, Line> => {
    const lines = waiting.get(installation) ?? new Map<string, Line>()
    waiting.set(installation, lines)
    return lines
  }
  return {
    waits: (installation, line, error) => {
      forgetElsewhere()
      const lines = linesOf(installation)
      const known = lines.get(line)
      const since = known?.since ?? now()
      const waited = Math.max(0, (now() - since) / 1_000)
      const seconds = secondsFor(waited, lines.size - (known === undefined ? 0 : 1))
      const backBy = now() + (seconds + LATE_SECONDS_MAX) * 1_000
      if (known !== undefined || lines.size < LINES_MAX) lines.set(line, { since, backBy, isCalled: false })
      const last = lasting.get(installation)
      if (last !== undefined || lasting.size < OUTAGES_MAX) {
        const outage = last?.outage ?? begun(installation, error)
        lasting.set(installation, { outage, backBy: Math.max(last?.backBy ?? 0, backBy) })
      }
      return { seconds, waited }
    },
    over: (installation, line) => {
      if (forget(installation, line)) callBack(waiting.get(installation), call)
      const known = lasting.get(installation)
      if (known === undefined || (installation === OWN_DATABASE && waiting.has(installation))) return
      lasting.delete(installation)
      told('ended', known.outage)
    },
    list: () => {
      forgetElsewhere()
      return [...lasting.values()].map(({ outage }) => outage)
    },
  }
}

/** `others` wait for the same installation. */
function secondsFor(waited: number, others: number): number {
  const alone = Math.min(1 + Math.floor(waited / SECONDS_LONGER), WAIT_SECONDS_MAX)
  const inTurn = Math.max(alone, Math.min(others * APART_SECONDS, APART_SECONDS_MAX))
  return waited < TOLD_SECONDS ? Math.min(inTurn, Math.max(alone, Math.ceil(TOLD_SECONDS - waited))) : inTurn
}

/** Lines stand in the order in which they began to wait. */
function callBack(lines: Map<string, Line> | undefined, call: (lines: readonly string[]) => void): void {
  const called: string[] = []
  for (const [line, known] of lines ?? []) {
    if (called.length === CALLED_MAX) break
    if (known.isCalled) continue
    lines?.set(line, { ...known, isCalled: true })
    called.push(line)
  }
  if (called.length > 0) call(called)
}
