// What was kept long enough, as the operator wants it: raw answers of models go, closed tasks move to the archive. A round
// does some of it, and the next one the rest.
import type { Looked, Retention } from '../../../adapters/store/retention.ts'
import type { Clock } from '../../../ports.ts'
import type { Keeping } from '../../wire.ts'

const DAY_MS = 86_400_000
const PAGES_MAX = 20
/** After which somebody may have mended what could not be read. */
const LATER_DAYS = 1

/** Answers what could not be removed or moved. */
export function retiring(retention: Retention, { archiveDays, answerDays }: Keeping, clock: Clock) {
  const daysAgo = (days: number): string => new Date(Date.parse(clock.now()) - days * DAY_MS).toISOString()
  const forget = async (days: number): Promise<Done> =>
    paged(() => retention.forgetAnswers(daysAgo(days), daysAgo(days - LATER_DAYS)))
  const archive = async (days: number): Promise<readonly unknown[]> => {
    let moved = 0
    const { failed } = await paged(async () => {
      const page = await retention.archive(daysAgo(days), clock.now())
      moved += page.moved
      return page
    })
    if (moved > 0) await retention.tidy()
    return failed
  }
  return async (): Promise<readonly unknown[]> => {
    // What is archived is never changed, so that answers go first.
    const { isAll, failed } = answerDays === null ? nothingToForget : await forget(answerDays)
    return isAll && archiveDays !== null ? [...failed, ...(await archive(archiveDays))] : failed
  }
}

/** `isAll`: there is nothing more of that age. */
type Done = { readonly isAll: boolean; readonly failed: readonly unknown[] }
const nothingToForget: Done = { isAll: true, failed: [] }

async function paged(page: () => Promise<Looked>): Promise<Done> {
  const failed: unknown[] = []
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const done = await page()
    failed.push(...done.failed)
    if (done.looked === 0) return { isAll: true, failed }
  }
  return { isAll: false, failed }
}
