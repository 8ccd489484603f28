// GitHub keeps its deliveries for three days and never repeats one by itself: those that nobody took are asked for again.
// https://docs.github.com/en/webhooks/using-webhooks/handling-failed-webhook-deliveries
import { z } from 'zod'
import type { GitHubClient } from '../../adapters/github/access.ts'
import { RateLimited } from '../../adapters/github/traffic/pacing.ts'

const PAGES_MAX = 10
const AGAIN_MAX = 200

const delivery = z.object({ id: z.number(), guid: z.string(), status_code: z.number() })
type Delivery = z.output<typeof delivery>

/** A guid that arrived in any of its attempts has arrived. One that GitHub does not bring again keeps back none of the others. */
export async function askForMissed(octokit: GitHubClient): Promise<readonly unknown[]> {
  const attempts = await recent(octokit)
  const arrived = new Set(attempts.filter(hasArrived).map(({ guid }) => guid))
  const missed = new Map(attempts.filter(({ guid }) => !arrived.has(guid)).map((one) => [one.guid, one.id]))
  const failed: unknown[] = []
  for (const delivery_id of [...missed.values()].slice(0, AGAIN_MAX)) {
    try {
      await octokit.request('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id })
    } catch (error) {
      failed.push(error)
      if (error instanceof RateLimited) break
    }
  }
  return failed
}

const hasArrived = ({ status_code }: Delivery): boolean => status_code >= 200 && status_code < 300

async function recent(octokit: GitHubClient): Promise<Delivery[]> {
  const all: Delivery[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const more = cursor === undefined ? {} : { cursor }
    const { data, headers } = await octokit.request('GET /app/hook/deliveries', { per_page: 100, ...more })
    all.push(...z.array(delivery).parse(data))
    cursor = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(headers.link ?? '')?.[1]
    if (cursor === undefined) break
  }
  return all
}
