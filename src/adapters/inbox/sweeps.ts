// What is done from time to time: waking lines whose wake was lost, and clearing away what nobody asks for any more.
import type { PgBoss } from 'pg-boss'
import type { Clock } from '../../ports.ts'
import type { InboxDatabase } from './database.ts'
import { emptyDone, forgetDone, unfinishedKeys } from './lines.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { insertWakes } from './wakes.ts'

const pageKeysMax = 1_000

export async function sweepLines(sql: InboxDatabase['sql'], boss: PgBoss): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const keys = await unfinishedKeys(sql.query, after, pageKeysMax)
    if (keys.length > 0) await insertWakes(boss, sql.query, keys)
    after = keys.length < pageKeysMax ? undefined : keys.at(-1)
  }
}

const sweepMs = 60_000
const sweepsPerTidy = 60
/**
 * Longer than GitHub redelivers, which is three days:
 * https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks
 */
const keptMs = 4 * 24 * 60 * 60 * 1_000
/** For whoever looks after something that has just gone wrong. */
const bodyKeptMs = 60 * 60 * 1_000

/** Sweeps now and once a minute; tidies now and once an hour. */
export function startSweeps(
  sweep: () => Promise<void>,
  { sql, tidy }: InboxDatabase,
  clock: Clock,
  onError: (error: Error) => void,
): { stop: () => Promise<void> } {
  let sweeps = 0
  const sweeping = oneAtATime(async () => {
    await sweep()
    if (sweeps % sweepsPerTidy === 0) {
      const now = Date.parse(clock.now())
      await forgetDone(sql.query, new Date(now - keptMs).toISOString())
      await emptyDone(sql.query, new Date(now - bodyKeptMs).toISOString())
      await tidy()
    }
    sweeps += 1
  }, onError)
  sweeping.run()
  const timer = setInterval(sweeping.run, sweepMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await sweeping.idle()
    },
  }
}
