// Slow questions: jobs of a queue of their own, at most one unfinished per key. An ask is over when its answer is durable.
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { type Query, inside } from './database.ts'
import type { Inbox, InboxHandlers } from './inbox.ts'
import { asError } from './one-at-a-time.ts'
import { type Job, attemptOf, takenOut } from './pump.ts'

export const askQueue = 'ask'

const askData = z.object({ key: z.string(), payload: z.string() })

export async function sendAsk(boss: PgBoss, key: string, payload: unknown): Promise<boolean> {
  // As text, since pg-boss keeps its data in a form that cannot hold every string.
  const data = { key, payload: JSON.stringify(payload) }
  return (await boss.send(askQueue, data, { singletonKey: key })) !== null
}

/** Ends the unfinished ask of a key, waiting or active, and gives the ids it may have had. */
export async function forgetAsk(boss: PgBoss, key: string): Promise<readonly string[]> {
  const ids = (await boss.findJobs(askQueue, { key })).map(({ id }) => id)
  if (ids.length > 0) await boss.deleteJob(askQueue, ids)
  return ids
}

/** The same ask anew, unless the claim on it was lost. */
export async function renewAsk(boss: PgBoss, query: Query, job: Job, seconds: number): Promise<void> {
  if (!(await takenOut(boss, query, askQueue, job))) return
  const data = askData.parse(job.data)
  await boss.insert(askQueue, [{ singletonKey: data.key, data, startAfter: seconds }], inside(query))
}

const held = z.object({ affected: z.int() })

export async function answerAsk(
  boss: PgBoss,
  job: Job,
  signal: AbortSignal,
  { ask, ingest }: Pick<InboxHandlers, 'ask'> & Pick<Inbox, 'ingest'>,
): Promise<void> {
  const { key, payload } = askData.parse(job.data)
  const answer = await ask(key, JSON.parse(payload), signal).catch((error: unknown) => {
    throw new Error(`The question of ${key} could not be answered: ${asError(error).message}`, { cause: error })
  })
  const { affected } = held.parse(await boss.touch(askQueue, attemptOf(job)))
  if (affected === 0) return
  if (answer !== null) await ingest(answer)
  await boss.deleteJob(askQueue, attemptOf(job))
}
