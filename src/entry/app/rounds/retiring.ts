// What was kept long enough, as the operator wants it: raw answers of models go, closed tasks move to the archive. A round
// does some of it, and the next one the rest.
import type { Retention } from '../../../adapters/store/retention.ts'
import type { Clock } from '../../../ports.ts'
import type { Keeping } from '../../wire.ts'

const DAY_MS = 86_400_000
const PAGES_MAX = 20

/** Answers what could not be moved. */
export function retiring(retention: Retention, { archiveDays, answerDays }: Keeping, clock: Clock) {
  const daysAgo = (days: number): string => new Date(Date.parse(clock.now()) - days * DAY_MS).toISOString()
  return async (): Promise<readonly unknown[]> => {
    // What is archived is never changed, so that answers go first.
    const isBare = answerDays === null || (await forgotten(retention, daysAgo(answerDays)))
    return isBare && archiveDays !== null ? archived(retention, daysAgo(archiveDays), clock.now()) : []
  }
}

/** Whether there is nothing more of that age. */
async function forgotten(retention: Retention, before: string): Promise<boolean> {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    if ((await retention.forgetAnswers(before)) === 0) return true
  }
  return false
}

async function archived(retention: Retention, before: string, now: string): Promise<readonly unknown[]> {
  const failed: unknown[] = []
  let moved = 0
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const done = await retention.archive(before, now)
    failed.push(...done.failed)
    moved += done.moved
    if (done.looked === 0) break
  }
  if (moved > 0) await retention.tidy()
  return failed
}
