// What is missed is found again. Deliveries that nobody took, pull requests that nobody
// told us of, tasks that a crash left behind. Whatever fails on the way is told and counted, and keeps nothing else waiting.
import { setTimeout } from 'node:timers/promises'
import type { Sights } from '../../../adapters/store/sights.ts'
import { catchUp } from '../../../engine/catch-up.ts'
import { compare } from '../../../engine/compare.ts'
import type { Commit } from '../../../engine/doubts.ts'
import { each, type Turns } from '../../../engine/each.ts'
import type { Engine } from '../../../engine/engine.ts'
import { isShutOut, sweep } from '../../../engine/sweep.ts'
import type { Clock, Forge } from '../../../ports.ts'
import type { MissedDeliveries } from './missed-deliveries.ts'
import { limitIn } from '../handle.ts'
import type { Clients, Repositories } from '../repositories.ts'
import type { Kind, Trouble } from '../trouble.ts'

const ROUND_MS = 5 * 60_000
/** How often it is looked whether a commit in doubt is to be looked at. */
const DOUBTS_MS = 2_000
/** Who was told to wait is tried again within the same round: GitHub counts by the minute. */
const AGAIN_MS = 20_000
const AGAIN_MAX = 10

type Parts = {
  readonly engine: Engine<Forge>
  readonly clients: Clients
  readonly places: Repositories
  readonly sights: Sights
  readonly clock: Clock
  readonly trouble: Trouble
  readonly missed: MissedDeliveries
  readonly onError: (error: unknown) => void
  readonly pause?: (ms: number) => Promise<unknown>
}

/** At the start, and then on a schedule, one at a time. */
export function startRounds(parts: Parts): { readonly stop: () => void } {
  const { round, doubts } = rounds(parts)
  const timers = [onceAtATime(round, ROUND_MS), onceAtATime(doubts, DOUBTS_MS)]
  return { stop: () => timers.forEach(clearInterval) }
}

function onceAtATime(work: () => Promise<void>, everyMs: number): NodeJS.Timeout {
  let running = false
  const begin = async (): Promise<void> => {
    if (running) return
    running = true
    await work()
    running = false
  }
  void begin()
  return setInterval(() => void begin(), everyMs)
}

type Rounds = {
  /** Over everything. */
  readonly round: () => Promise<void>
  /** Over the commits that are in doubt and due to be looked at. */
  readonly doubts: () => Promise<void>
}

/** None of them ever rejects. */
export function rounds({
  engine,
  clients,
  places,
  sights,
  clock,
  trouble,
  missed: deliveries,
  onError,
  ...parts
}: Parts): Rounds {
  const { pause = (ms: number) => setTimeout(ms, undefined, { ref: false }) } = parts
  const turns = (): Turns => ({ first: new Set(), mustWait: (error) => limitIn(error) !== null })
  const [ofRepositories, ofTasks] = [turns(), turns()]
  const tell = (kind: Kind, error: unknown): void => {
    trouble.count(kind)
    onError(error)
  }
  const step = async (kind: Kind, work: () => Promise<readonly unknown[]>): Promise<void> => {
    try {
      for (const error of await work()) tell(kind, error)
    } catch (error) {
      tell(kind, error)
    }
  }
  const lookAtRepositories = async (): Promise<readonly unknown[]> => {
    const { installed, failed } = await places.list()
    for (const error of failed) tell('installations', error)
    const listed = installed.map(({ repository: { key }, ...more }) => ({ repository: key, ...more }))
    const since = await sights.since(listed, clock.now())
    const byKey = new Map(installed.map((one) => [one.repository.key, one]))
    caughtUp = async (key) => {
      const one = byKey.get(key)
      if (one === undefined) return
      await catchUp(engine, one.repository, since.get(key) ?? clock.now()).catch((error: unknown) => {
        if (!isShutOut(error)) throw error
      })
    }
    return catchUpWith(byKey.keys())
  }
  let caughtUp = async (_key: string): Promise<void> => undefined
  const catchUpWith = async (keys: Iterable<string>): Promise<readonly unknown[]> =>
    (await each(keys, ofRepositories, (key) => caughtUp(key))).map(({ error }) => error)
  const compared = async (commits: readonly Commit[]): Promise<readonly unknown[]> => {
    const { differences, failed } = await compare(engine, places.lookAtRuns, commits)
    for (const one of differences) tell('differences', new Error(one))
    return failed
  }
  let isFirst = true
  return {
    round: async () => {
      let judged: readonly Commit[] = []
      await step('deliveries', async () => deliveries.look(await clients.app()))
      await step('repositories', lookAtRepositories)
      await step('tasks', async () => {
        const swept = await sweep(engine, ofTasks)
        judged = swept.judged
        return swept.failed.map(({ error }) => error)
      })
      // Whoever ran before us may have died in the middle of any write.
      if (isFirst) for (const commit of judged) engine.doubts.note(commit)
      isFirst = false
      await step('looks', async () => compared(judged))
      for (let again = 0; again < AGAIN_MAX && ofRepositories.first.size > 0; again += 1) {
        await pause(AGAIN_MS)
        await step('repositories', async () => catchUpWith([]))
      }
    },
    doubts: async () => step('looks', async () => compared(engine.doubts.due())),
  }
}
