// What is missed is found again. Deliveries that nobody took, pull requests that nobody
// told us of, tasks that a crash left behind. Whatever fails on the way is told and counted, and keeps nothing else waiting.
import type { Sights } from '../../adapters/store/sights.ts'
import { catchUp } from '../../engine/catch-up.ts'
import { each, type Turns } from '../../engine/each.ts'
import type { Engine } from '../../engine/engine.ts'
import { isShutOut, sweep } from '../../engine/sweep.ts'
import type { Clock, Forge } from '../../ports.ts'
import type { MissedDeliveries } from './deliveries.ts'
import { limitIn } from './handle.ts'
import type { Clients, Repositories } from './repositories.ts'
import type { Kind, Trouble } from './trouble.ts'

const ROUND_MS = 5 * 60_000

type Parts = {
  readonly engine: Engine<Forge>
  readonly clients: Clients
  readonly places: Repositories
  readonly sights: Sights
  readonly clock: Clock
  readonly trouble: Trouble
  readonly missed: MissedDeliveries
  readonly onError: (error: unknown) => void
}

/** At the start, and then on a schedule, one at a time. */
export function startRounds(parts: Parts): { readonly stop: () => void } {
  const oneRound = rounds(parts)
  let running = false
  const begin = async (): Promise<void> => {
    if (running) return
    running = true
    await oneRound()
    running = false
  }
  void begin()
  const timer = setInterval(() => void begin(), ROUND_MS)
  return { stop: () => clearInterval(timer) }
}

/** Never rejects. */
export function rounds({
  engine,
  clients,
  places,
  sights,
  clock,
  trouble,
  missed: deliveries,
  onError,
}: Parts): () => Promise<void> {
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
    const missed = await each(byKey.keys(), ofRepositories, async (key) => {
      const one = byKey.get(key)
      if (one === undefined) return
      await catchUp(engine, one.repository, since.get(key) ?? clock.now()).catch((error: unknown) => {
        if (!isShutOut(error)) throw error
      })
    })
    return missed.map(({ error }) => error)
  }
  return async () => {
    await step('deliveries', async () => deliveries.look(await clients.app()))
    await step('repositories', lookAtRepositories)
    await step('tasks', async () => (await sweep(engine, ofTasks)).failed.map(({ error }) => error))
  }
}
