// What is known of one installation's standing with GitHub: what it has spent and until when it must keep away.
import {
  type Charge,
  emptyWindow,
  type Limits,
  QUOTA_MIN,
  type Quota,
  roomAt,
  spend,
  type Turn,
  type Window,
} from './allowances.ts'
import type { Answer } from './answer.ts'
import { isRefused, type Moment, pauseIn, type Standing, standingIn, unnamedPauseMs } from './pauses.ts'

export type Lane = {
  running: number
  readonly windows: Map<string, Window>
  readonly pauses: Map<'all' | Quota, Hold>
  /** What GitHub said last about its hourly quotas. */
  readonly quotas: Map<Quota, Standing>
  /** How many pauses in a row had a length that we had to guess. */
  strikes: number
}
/** Until when something has to wait, and what for. */
export type Hold = { readonly until: number; readonly why: string }

const strikesForgottenMs = 600_000
const windowsMax = 500

export const newLane = (): Lane => ({
  running: 0,
  windows: new Map(),
  pauses: new Map(),
  quotas: new Map(),
  strikes: 0,
})

export const isForgettable = ({ running, windows, pauses }: Lane, now: number): boolean =>
  running === 0 &&
  [...windows.values()].every((window) => isOver(window, now)) &&
  [...pauses.values()].every(({ until }) => until <= now)

/** For everything, and not for one of the quotas only. */
export const isPaused = ({ pauses }: Lane, now: number): boolean => (pauses.get('all')?.until ?? now) > now

/** What this request has to wait for longest; `until` is in the past when it may go. */
export function holdOf(lane: Lane, { quota }: Turn, charges: readonly Charge[], now: number): Hold {
  let longest = later(lane.pauses.get('all') ?? free, lane.pauses.get(quota) ?? free)
  for (const charge of charges) {
    const until = roomAt(windowOf(lane, charge, now), charge, now)
    longest = later(longest, { until, why: charge.words })
  }
  return longest
}

export function pay(lane: Lane, charges: readonly Charge[], now: number): void {
  for (const charge of charges) spend(windowOf(lane, charge, now), charge, now)
}

const hourMs = 3_600_000

/** What rounds over everything may take of a quota in an hour. */
const sweepCharge = ({ quotas }: Lane, { quota }: Turn, { sweepShare }: Limits, cost: number): Charge => {
  const limit = Math.floor((quotas.get(quota)?.limit ?? QUOTA_MIN) * sweepShare)
  const words = `the share of the hourly quota (${quota}) that looking after everything may take, ${limit}, is used up`
  return { window: `sweep ${quota}`, limit, ms: hourMs, cost, words }
}

/** What only looks after everything waits for its share, and keeps away while little is left for people. */
export function sweepHold(lane: Lane, turn: Turn, limits: Limits, now: number): Hold {
  if (turn.rank !== 'sweep') return free
  const charge = sweepCharge(lane, turn, limits, 1)
  const share: Hold = { until: roomAt(windowOf(lane, charge, now), charge, now), why: charge.words }
  const known = lane.quotas.get(turn.quota)
  if (known === undefined || known.remaining >= known.limit * limits.reservedShare) return share
  return later(share, { until: known.until, why: `what is left of the hourly quota (${turn.quota}) is for people` })
}

/** Known only when GitHub has answered: what was still true costs nothing, and a question may cost several points. */
export function paySweep(lane: Lane, turn: Turn, limits: Limits, { status, body }: Answer, now: number): void {
  if (turn.rank !== 'sweep' || status === 304) return
  const told = turn.quota === 'graphql' && typeof body === 'string' ? /"rateLimit":\{"cost":(\d+)\}/.exec(body) : null
  const charge = sweepCharge(lane, turn, limits, Number(told?.[1] ?? 1))
  spend(windowOf(lane, charge, now), charge, now)
}

/** Takes to heart what GitHub says with an answer. True when it refused to do what it was asked. */
export function heed(lane: Lane, { quota }: Turn, answer: Answer, moment: Moment, random: number): boolean {
  const standing = standingIn(answer, moment)
  if (standing !== null) lane.quotas.set(quota, standing)
  const pause = pauseIn(answer, quota, moment)
  switch (pause?.type) {
    case undefined:
      return false
    case 'named':
      prolong(lane, 'all', { until: pause.until, why: 'GitHub asked for a pause' })
      break
    case 'quota':
      prolong(lane, quota, { until: pause.until, why: `the hourly quota (${quota}) is used up` })
      break
    case 'unnamed':
      strike(lane, moment.now, random)
  }
  return isRefused(answer, quota)
}

/** Several refusals of requests that were under way together are one. */
function strike(lane: Lane, now: number, random: number): void {
  const last = lane.pauses.get('all')?.until ?? -Infinity
  if (last > now) return
  lane.strikes = now - last > strikesForgottenMs ? 0 : lane.strikes + 1
  const until = now + unnamedPauseMs(lane.strikes, random)
  prolong(lane, 'all', { until, why: 'GitHub saw too many requests in a short time' })
}

function prolong(lane: Lane, what: 'all' | Quota, hold: Hold): void {
  lane.pauses.set(what, later(lane.pauses.get(what) ?? free, hold))
}

function windowOf(lane: Lane, { window }: Charge, now: number): Window {
  const known = lane.windows.get(window)
  if (known !== undefined) return known
  if (lane.windows.size >= windowsMax) {
    for (const [name, old] of lane.windows) if (isOver(old, now)) lane.windows.delete(name)
  }
  const fresh = emptyWindow()
  lane.windows.set(window, fresh)
  return fresh
}

const isOver = ({ spent }: Window, now: number): boolean => (spent.at(-1)?.until ?? now) <= now
const later = (one: Hold, other: Hold): Hold => (other.until > one.until ? other : one)
const free: Hold = { until: -Infinity, why: '' }
