// One limiter for everything this process asks of GitHub. Requests go out at once while GitHub's limits are far; near
// them they wait for their turn, fairly between installations. A wait that would be long is refused with RateLimited
// before anything is sent, so that whoever asked can come back later and nothing is kept in memory meanwhile.
// A write is sent once. Only a read is asked again, and only a few times, as long as that has helped anybody lately.
// Several processes do not know of each other here; GitHub's answers keep them apart.
import { forgetOldest } from '../../../core/forget.ts'
import { type Charge, chargesOf, githubLimits, type Limits, type Quota, ranks, type Turn } from './allowances.ts'
import type { Answer } from './answer.ts'
import {
  heed,
  type Hold,
  holdOf,
  isForgettable,
  isPaused,
  type Lane,
  newLane,
  pay,
  paySweep,
  sweepHold,
} from './lane.ts'
import type { Time } from './time.ts'

export type Pacing = {
  /** Sends when it is this request's turn, or rejects with RateLimited. */
  readonly send: (turn: Turn, ask: () => Promise<Answer>) => Promise<Answer>
  /** By installation, since this process began. */
  readonly counters: () => ReadonlyMap<string, Readonly<Counters>>
  /** What GitHub said was left of each hourly quota, when it answered last. */
  readonly left: () => ReadonlyMap<string, ReadonlyMap<Quota, number>>
}
export type Counters = {
  requests: number
  /** Answers that cost nothing of the quota, since what we had was still true. */
  not_modified: number
  waited_ms: number
  /** How often somebody was sent away with RateLimited. */
  limited: number
}

/** Come back at `retryAt`. Nothing was done: what is refused here, or by GitHub for its limits, has no effect. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited'
  readonly retryAt: string
  readonly installation: string
  /** Whether only GraphQL has to wait, so that what can be asked over REST is answered. */
  readonly onlyGraphql: boolean

  /** `at`: by date. */
  constructor(installation: string, { at, why }: { readonly at: number; readonly why: string }, onlyGraphql = false) {
    const retryAt = new Date(Math.ceil(at / 1_000) * 1_000).toISOString()
    const who = /^\d+$/.test(installation) ? `installation ${installation}` : `this ${installation}`
    super(`GitHub takes no more requests of ${who} for now: ${why}. Try again at ${retryAt}.`)
    this.retryAt = retryAt
    this.installation = installation
    this.onlyGraphql = onlyGraphql
  }
}

/** GraphQL has to wait, and REST has not. */
export const isSpentOnGraphql = (error: unknown): boolean => error instanceof RateLimited && error.onlyGraphql

type Queue = {
  readonly time: Time
  readonly random: () => number
  readonly limits: Limits
  readonly lanes: Map<string, PacedLane>
  /** The lanes in which somebody waits, in the order in which they are served. */
  readonly line: Map<string, PacedLane>
  running: number
  stopAlarm: () => void
}
type PacedLane = Lane & {
  /** By rank, then in the order in which they came. */
  readonly waiting: Waiter[]
  readonly counters: Counters
  /** How often in a row what was asked there failed. */
  readonly failures: Map<string, number>
}
type Waiter = {
  readonly turn: Turn
  readonly charges: readonly Charge[]
  readonly since: number
  readonly deadline: number
  readonly go: () => void
  readonly giveUp: (error: RateLimited) => void
}
type Outcome =
  | { readonly type: 'answered'; readonly answer: Answer }
  | { readonly type: 'refused'; readonly hold: Hold }
  | { readonly type: 'unwell'; readonly answer: Answer }
  | { readonly type: 'broken'; readonly error: TypeError }

const waitMsMax = 20_000
/** When to come back if the queue itself is the trouble. */
const crowdedMs = 5_000
const repeatAfterMs = [200, 1_000] as const
/** What fails so often in a row fails for longer than anybody waits here. */
const failuresMax = 6
const endpointsMax = 1_000
const lanesMax = 10_000

export function pacing(time: Time, random: () => number, limits: Limits = githubLimits): Pacing {
  const queue: Queue = { time, random, limits, lanes: new Map(), line: new Map(), running: 0, stopAlarm: () => {} }
  return {
    send: (turn, ask) => send(queue, turn, ask),
    counters: () => new Map([...queue.lanes].map(([installation, { counters }]) => [installation, { ...counters }])),
    left: () => new Map([...queue.lanes].map(([installation, { quotas }]) => [installation, remainingOf(quotas)])),
  }
}

async function send(queue: Queue, turn: Turn, ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = queue.time.now() + waitMsMax
  let outcome = await sendOnce(queue, turn, deadline, ask)
  for (const ms of turn.repeatable ? repeatAfterMs : []) {
    if (outcome.type === 'answered') break
    // After a refusal the installation's pause is what to wait for.
    if (outcome.type !== 'refused') {
      if (failuresOf(queue, turn) >= failuresMax) break
      await pass(queue.time, ms * (0.5 + queue.random()))
    }
    outcome = await sendOnce(queue, turn, deadline, ask)
  }
  switch (outcome.type) {
    case 'answered':
    case 'unwell':
      return outcome.answer
    case 'broken':
      throw outcome.error
    case 'refused':
      throw rateLimited(queue, laneOf(queue, turn.installation), turn, outcome.hold)
  }
}

async function sendOnce(queue: Queue, turn: Turn, deadline: number, ask: () => Promise<Answer>): Promise<Outcome> {
  await admission(queue, turn, deadline)
  const lane = laneOf(queue, turn.installation)
  try {
    const answer = await ask()
    if (answer.status === 304) lane.counters.not_modified += 1
    const [now, date] = [queue.time.now(), queue.time.date()]
    paySweep(lane, turn, queue.limits, answer, now)
    if (heed(lane, turn, answer, { now, date }, queue.random())) {
      return { type: 'refused', hold: holdOf(lane, turn, [], now) }
    }
    const isUnwell = [502, 503, 504].includes(answer.status)
    noteFailure(lane, turn, isUnwell)
    return { type: isUnwell ? 'unwell' : 'answered', answer }
  } catch (error) {
    // This is how fetch reports a connection that broke.
    if (!(error instanceof TypeError)) throw error
    noteFailure(lane, turn, true)
    return { type: 'broken', error }
  } finally {
    queue.running -= 1
    lane.running -= 1
    pump(queue)
  }
}

const failuresOf = (queue: Queue, { installation, endpoint }: Turn): number =>
  laneOf(queue, installation).failures.get(endpoint) ?? 0

function noteFailure({ failures }: PacedLane, { endpoint }: Turn, hasFailed: boolean): void {
  if (!hasFailed) return void failures.delete(endpoint)
  failures.set(endpoint, (failures.get(endpoint) ?? 0) + 1)
  forgetOldest(failures, endpointsMax)
}

function admission(queue: Queue, turn: Turn, deadline: number): Promise<void> {
  return new Promise((go, giveUp) => {
    const lane = laneOf(queue, turn.installation)
    const { waiting } = lane
    const rank = ranks.indexOf(turn.rank)
    const after = waiting.findLastIndex((other) => ranks.indexOf(other.turn.rank) <= rank)
    const charges = chargesOf(turn, queue.limits)
    waiting.splice(after + 1, 0, { turn, charges, since: queue.time.now(), deadline, go, giveUp })
    queue.line.set(turn.installation, lane)
    pump(queue)
  })
}

/** Whoever can go goes, whoever would wait too long is sent away, and the alarm is set for the rest. */
function pump(queue: Queue): void {
  const now = queue.time.now()
  while (queue.running < queue.limits.concurrent && startOne(queue, now)) queue.running += 1
  let alarm = Infinity
  for (const [installation, lane] of queue.line) {
    alarm = Math.min(alarm, sendAwayTheHopeless(queue, lane, now))
    if (lane.waiting.length === 0) queue.line.delete(installation)
  }
  queue.stopAlarm()
  queue.stopAlarm = alarm === Infinity ? () => {} : queue.time.after(Math.max(alarm - now, 1), () => pump(queue))
}

/** Who went goes to the end of the line, so that a busy installation does not keep the others waiting. */
function startOne({ line, limits }: Queue, now: number): boolean {
  for (const [installation, lane] of line) {
    if (lane.running >= limits.concurrentPerInstallation) continue
    const place = lane.waiting.findIndex((waiter) => holdFor(lane, waiter, limits, now).until <= now)
    const [waiter] = place === -1 ? [] : lane.waiting.splice(place, 1)
    if (waiter === undefined) continue
    line.delete(installation)
    if (lane.waiting.length > 0) line.set(installation, lane)
    pay(lane, waiter.charges, now)
    lane.running += 1
    lane.counters.requests += 1
    lane.counters.waited_ms += now - waiter.since
    waiter.go()
    return true
  }
  return false
}

function holdFor(lane: Lane, { turn, charges }: Pick<Waiter, 'turn' | 'charges'>, limits: Limits, now: number): Hold {
  const [hold, ofSweep] = [holdOf(lane, turn, charges, now), sweepHold(lane, turn, limits, now)]
  return ofSweep.until > hold.until ? ofSweep : hold
}

/** Answers when to look at this lane again. */
function sendAwayTheHopeless(queue: Queue, lane: PacedLane, now: number): number {
  const { limits } = queue
  let alarm = Infinity
  const patient = lane.waiting.filter((waiter, place) => {
    const { turn, charges, deadline, giveUp } = waiter
    const hold = holdFor(lane, waiter, limits, now)
    if (place >= limits.waitingPerInstallation || now >= deadline || hold.until > deadline) {
      // Others may read over REST what GraphQL has no room for; a round waits with both.
      const onlyGraphql = turn.quota === 'graphql' && holdOf(lane, turn, charges, now).until >= hold.until
      giveUp(rateLimited(queue, lane, turn, hold, onlyGraphql))
      return false
    }
    // Whoever waits for a place only is called when one gets free.
    alarm = Math.min(alarm, hold.until > now ? hold.until : deadline)
    return true
  })
  lane.waiting.splice(0, lane.waiting.length, ...patient)
  return alarm
}

function rateLimited(
  { time }: Queue,
  lane: PacedLane,
  turn: Turn,
  hold: Hold,
  onlyGraphql = turn.quota === 'graphql',
): RateLimited {
  lane.counters.limited += 1
  const [now, date] = [time.now(), time.date()]
  const crowded = { at: date + crowdedMs, why: 'too many requests are waiting' }
  if (hold.until <= now) return new RateLimited(turn.installation, crowded)
  const { until, why } = hold
  return new RateLimited(turn.installation, { at: date + until - now, why }, onlyGraphql && !isPaused(lane, now))
}

function laneOf({ lanes, time }: Queue, installation: string): PacedLane {
  const known = lanes.get(installation)
  if (known !== undefined) return known
  if (lanes.size >= lanesMax) forgetOne(lanes, time.now())
  const counters = { requests: 0, not_modified: 0, waited_ms: 0, limited: 0 }
  const lane = { ...newLane(), waiting: [], counters, failures: new Map<string, number>() }
  lanes.set(installation, lane)
  return lane
}

function forgetOne(lanes: Map<string, PacedLane>, now: number): void {
  for (const [installation, lane] of lanes) {
    if (lane.waiting.length > 0 || !isForgettable(lane, now)) continue
    lanes.delete(installation)
    return
  }
}

const pass = (time: Time, ms: number): Promise<void> =>
  new Promise((done) => {
    time.after(ms, done)
  })

const remainingOf = (quotas: Lane['quotas']): ReadonlyMap<Quota, number> =>
  new Map(Array.from(quotas, ([quota, { remaining }]) => [quota, remaining]))
