// SWEEP: settle again whatever a crash, an outage or a lost message left behind, and let waits end that are over.
import { NotInstalled } from '../ports.ts'
import { recall, type Engine, type TaskRef } from './engine.ts'
import { settle } from './settle.ts'

export type Swept = {
  readonly settled: number
  readonly waiting: number
  readonly failed: readonly { readonly stream: string; readonly error: unknown }[]
}

const PAGE = 100

export async function sweep(engine: Engine): Promise<Swept> {
  const failed: { stream: string; error: unknown }[] = []
  const counts = { settled: 0, waiting: 0 }
  for await (const ref of tasks(engine)) {
    try {
      counts[await settle(engine, ref)] += 1
    } catch (error) {
      if (isShutOut(error)) counts.waiting += 1
      else failed.push({ stream: ref.stream, error })
    }
  }
  return { ...counts, failed }
}

/** The App was removed from a repository: its tasks wait until it is let in again. */
function isShutOut(error: unknown): boolean {
  return error instanceof NotInstalled || (error instanceof AggregateError && error.errors.every(isShutOut))
}

/** Every task on record, a page of streams at a time. */
async function* tasks(engine: Engine): AsyncGenerator<TaskRef> {
  let after = ''
  for (;;) {
    const streams = await engine.store.streams(after, PAGE)
    for (const stream of streams) {
      const ref = await recall(engine, stream)
      if (ref !== null) yield ref
    }
    const last = streams.at(-1)
    if (last === undefined || streams.length < PAGE) return
    after = last
  }
}
