// Wakes: one unfinished job per line that has something waiting. They carry no work, so that one more or one less of
// them never loses any; the deliveries of the line are the work.
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { type Query, inside } from './database.ts'
import { type Job, attemptOf, takenOut } from './pump.ts'
import { shares, type Shares } from './shares.ts'

export const wakeQueue = 'wake'

export type Wake = {
  readonly job: Job
  /** This very attempt at the wake, as the holder of its line. */
  readonly holder: string
  readonly key: string
  /** How often the first delivery of the line failed already, as far as we know. */
  readonly tries: number
}

const wakeData = z.object({ key: z.string(), tries: z.int() })

export function wakeOf(job: Job): Wake {
  const { key, tries } = wakeData.parse(job.data)
  return { job, holder: `${job.id}:${job.retryCount}`, key, tries: tries + job.retryCount }
}

/** Keys that have an unfinished wake keep it. Of what comes together each repository has its turns. */
export async function insertWakes(
  boss: PgBoss,
  query: Query,
  keys: readonly string[],
  { behind }: Shares = shares(() => 0),
): Promise<void> {
  // All insert in the same order; otherwise two of them could wait for each other.
  const wakes = keys.toSorted().map((key) => ({ key, tries: 0, seconds: 0, behind: behind(key) }))
  await insertJobs(boss, query, wakes)
}

/** Ends a wake in favour of a fresh one. Nothing happens when the claim on the old one was lost. */
export async function renewWake(
  boss: PgBoss,
  query: Query,
  { job, key }: Wake,
  { tries, seconds }: { tries: number; seconds: number },
): Promise<void> {
  if (await takenOut(boss, query, wakeQueue, job)) await insertJobs(boss, query, [{ key, tries, seconds, behind: 0 }])
}

export async function endWakes(boss: PgBoss, query: Query, wakes: readonly Wake[]): Promise<void> {
  if (wakes.length === 0) return
  const attempts = wakes.map(({ job }) => attemptOf(job))
  await boss.deleteJob(wakeQueue, attempts, inside(query))
}

/** What waits for its next try is due now. It is found by the index that keeps one wake for each line. */
export async function hurryWakes(query: Query, keys: readonly string[]): Promise<void> {
  await query(
    `update pgboss.job set start_after = now()
     where name = $1 and coalesce(singleton_key, '') = any($2::text[]) and policy = 'exclusive'
     and state < 'active' and start_after > now()`,
    [wakeQueue, keys],
  )
}

/** Whatever waits for longer is due within so many seconds, not all at once. */
export async function soonerWakes(query: Query, seconds: number): Promise<void> {
  await query(
    `update pgboss.job set start_after = now() + random() * $2 * interval '1 second'
     where name = $1 and state < 'active' and start_after > now() + $2 * interval '1 second'`,
    [wakeQueue, seconds],
  )
}

type NewWake = { readonly key: string; readonly tries: number; readonly seconds: number; readonly behind: number }

async function insertJobs(boss: PgBoss, query: Query, wakes: readonly NewWake[]): Promise<void> {
  const jobs = wakes.map(({ key, tries, seconds, behind }) => ({
    singletonKey: key,
    priority: -behind,
    data: { key, tries },
    startAfter: seconds,
  }))
  await boss.insert(wakeQueue, jobs, inside(query))
}
