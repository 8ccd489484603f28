// Wakes wait by the clock of the database. Where that is set back they would wait for as long as it was set back by, so they
// are moved along with it: how much time has really passed is known from a clock that never jumps.
import { z } from 'zod'
import type { Query } from './database.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** Less than this is no jump: a question to the database takes its time. */
const JUMP_MS = 5_000

const clockRow = z.tuple([z.object({ ms: z.coerce.number() })])

/** Looks at both clocks; to be called from time to time. Resolves with whether wakes were moved. */
export function clockJumps(query: Query, queues: readonly string[], steady: () => number = () => performance.now()) {
  let before: { readonly database: number; readonly steady: number } | null = null
  return async (): Promise<boolean> => {
    const [{ ms: database }] = clockRow.parse(await query('select extract(epoch from clock_timestamp()) * 1000 as ms'))
    const now = { database, steady: steady() }
    const jump = before === null ? 0 : now.database - before.database - (now.steady - before.steady)
    before = now
    if (jump > -JUMP_MS) return false
    await query(
      `update pgboss.job set start_after = start_after + $1 * interval '1 millisecond'
       where name = any($2::text[]) and state < 'active' and start_after > now()`,
      [jump, queues],
    )
    return true
  }
}

const LOOK_MS = 5_000

export function startSteadying(
  query: Query,
  queues: readonly string[],
  onMoved: () => void,
  onError: (error: Error) => void,
): { readonly stop: () => Promise<void> } {
  const look = clockJumps(query, queues)
  const looking = oneAtATime(async () => {
    if (await look()) onMoved()
  }, onError)
  looking.run()
  const timer = setInterval(looking.run, LOOK_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await looking.idle()
    },
  }
}
