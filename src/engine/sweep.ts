// SWEEP: settle again whatever a crash, an outage or a lost message left behind, and let waits end that are over.
import { NotInstalled } from '../ports.ts'
import type { Commit } from './doubts.ts'
import { anyTurn, each, type Turns } from './each.ts'
import { load, recall, type Engine } from './engine.ts'
import { settle } from './settle.ts'

export type Swept = {
  readonly settled: number
  readonly waiting: number
  /** Every commit that is judged, whether its task could be settled or not. */
  readonly judged: readonly Commit[]
  readonly failed: readonly { readonly stream: string; readonly error: unknown }[]
}

const PAGE = 100

export async function sweep(engine: Engine, turns: Turns = anyTurn()): Promise<Swept> {
  const counts = { settled: 0, waiting: 0 }
  const judged = new Map<string, Commit>()
  const failed = await each(streams(engine), turns, async (stream) => {
    try {
      const ref = await recall(engine, stream)
      if (ref === null) return
      for (const { live, repository, head_sha: sha } of (await load(engine, ref)).task.attempts)
        if (live) judged.set(`${repository}@${sha}`, { repository, sha })
      counts[await settle(engine, ref)] += 1
    } catch (error) {
      if (!isShutOut(error)) throw error
      counts.waiting += 1
    }
  })
  counts.waiting += turns.first.size
  return {
    ...counts,
    judged: [...judged.values()],
    failed: failed.map(({ key: stream, error }) => ({ stream, error })),
  }
}

/** The App was removed from a repository: what there is to do there waits until it is let in again. */
export function isShutOut(error: unknown): boolean {
  return error instanceof NotInstalled || (error instanceof AggregateError && error.errors.every(isShutOut))
}

/** Every stream on record, a page at a time. */
async function* streams(engine: Engine): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const page = await engine.store.streams(after, PAGE)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}
