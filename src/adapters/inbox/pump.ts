// Takes jobs of one queue whenever there is a free slot, keeps the claims on them alive, and gives them back when they
// fail. What loses its claim is told to stop, since somebody else has it now. That the database has its weather is no failure
// of a job: it is put back as it was, as soon as that can be written.
import type { PgBoss } from 'pg-boss'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Query, inside } from './database.ts'
import { asError, oneAtATime } from './one-at-a-time.ts'
import { pauseOf } from './pause.ts'

export type Job = { readonly id: string; readonly retryCount: number; readonly data: unknown }

/** What pg-boss needs to tell this attempt at a job from later ones. */
export const attemptOf = ({ id, retryCount }: Job): Pick<Job, 'id' | 'retryCount'> => ({ id, retryCount })

const settled = z.object({ affected: z.int() })

/** Takes a job out of its queue, in a transaction of whoever asks; false where the claim on it was lost. */
export async function takenOut(boss: PgBoss, query: Query, queue: string, job: Job): Promise<boolean> {
  return settled.parse(await boss.deleteJob(queue, attemptOf(job), inside(query))).affected === 1
}

export type Pump = {
  /** There may be something to fetch. */
  readonly kick: () => void
  readonly abort: (ids: readonly string[]) => void
  readonly active: () => number
  readonly stop: () => Promise<void>
}

export type PumpOptions = {
  readonly slotsMax: number
  /** How many are taken at once, so that others who take from the same queue get their share. */
  readonly batchMax?: number
  readonly stopMsMax: number
  readonly onError: (error: Error) => void
  readonly isAway: (error: unknown) => boolean
  /** Puts a job back for now, with as many tries left as it had. */
  readonly putBack: (job: Job) => Promise<unknown>
  /** While this holds, what could be fetched waits a little, so that more is fetched at once. */
  readonly busy?: () => boolean
}

type Active = { readonly job: Job; readonly controller: AbortController }

const keptClaims = z.object({ settled: z.array(z.string()) })

const pollMs = 1_000
const touchMs = 3_000
/** Who waits to be acknowledged goes first, and not for ever. */
const holdMsMax = 200
const holdStepMs = 2
const backAgainMs = 1_000

export function startPump(
  boss: PgBoss,
  queue: string,
  run: (job: Job, signal: AbortSignal) => Promise<void>,
  { slotsMax, batchMax = slotsMax, stopMsMax, onError, isAway, putBack, busy = () => false }: PumpOptions,
): Pump {
  const active = new Map<Active, Promise<void>>()
  let stopped = false
  let mayHaveMore = false

  const fetch = async (): Promise<void> => {
    // Who takes little at once has not to wait until there is more.
    await pauseOf(busy, mayHaveMore && batchMax < slotsMax ? 0 : holdMsMax, holdStepMs)
    const free = slotsMax - active.size
    if (stopped || free <= 0) return
    const batchSize = Math.min(free, batchMax)
    const jobs = await boss.fetch<unknown>(queue, { batchSize })
    mayHaveMore = jobs.length === batchSize
    for (const job of jobs) start(job)
    if (mayHaveMore) fetching.run()
  }
  const start = (job: Job): void => {
    // A claim that ran out, on a slow day of the database, may come back to us as the next attempt.
    abort([job.id])
    const claim = { job, controller: new AbortController() }
    active.set(claim, work(claim))
  }
  const work = async (claim: Active): Promise<void> => {
    const { job, controller } = claim
    try {
      await run(job, controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) onError(asError(error))
      mayHaveMore = true
      await giveBack(claim, error)
    }
    active.delete(claim)
    if (mayHaveMore) fetching.run()
  }
  const abort = (ids: readonly string[]): void => {
    for (const { job, controller } of active.keys()) if (ids.includes(job.id)) controller.abort()
  }
  const giveBack = async ({ job, controller }: Active, error: unknown): Promise<void> => {
    for (;;) {
      try {
        if (isAway(error)) await putBack(job)
        else await boss.fail(queue, attemptOf(job), { message: asError(error).message })
        return
      } catch (trouble) {
        onError(asError(trouble))
        // Once the claim on it is lost, somebody else has it.
        if (!isAway(trouble) || controller.signal.aborted) return
      }
      await sleep(backAgainMs)
    }
  }
  const touch = async (): Promise<void> => {
    if (active.size === 0) return
    const touched = [...active.keys()]
    const answer = await boss.touch(
      queue,
      touched.map(({ job }) => attemptOf(job)),
    )
    const kept = keptClaims.parse(answer).settled
    for (const { job, controller } of touched) if (!kept.includes(job.id)) controller.abort()
  }

  const fetching = oneAtATime(fetch, onError)
  const touching = oneAtATime(touch, onError)
  const poll = setInterval(fetching.run, pollMs)
  const heart = setInterval(touching.run, touchMs)
  fetching.run()

  return {
    kick: fetching.run,
    abort,
    active: () => active.size,
    stop: async () => {
      stopped = true
      clearInterval(poll)
      await fetching.idle()
      const ends = Promise.all(active.values())
      await within(stopMsMax, ends)
      for (const { controller } of active.keys()) controller.abort()
      await within(stopMsMax, ends)
      clearInterval(heart)
      await touching.idle()
    },
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
