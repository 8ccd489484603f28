// GitHub keeps its deliveries for three days and never repeats one by itself: those that nobody took are asked for again, the
// oldest first, and whoever listens is told since when and of which repository some may be missing.
// https://docs.github.com/en/webhooks/using-webhooks/handling-failed-webhook-deliveries
import { z } from 'zod'
import type { GitHubClient } from '../../../adapters/github/access.ts'
import { isOutage } from '../../../engine/outage.ts'
import { RateLimited } from '../../../adapters/github/traffic/pacing.ts'

/** At a hundred each; GitHub forgets what is older than three days. */
const PAGES_MAX = 2_000
/** A delivery that takes long stands in the list by the time when it began. */
const OVERLAP_MS = 10 * 60_000
/** What was asked for needs some time to arrive. */
const ASKED_MS = 4 * 60_000

const delivery = z.object({
  id: z.number(),
  guid: z.string(),
  status_code: z.number(),
  delivered_at: z.string(),
  repository_id: z.number().nullish(),
})
type Delivery = z.output<typeof delivery>
type Missed = Delivery & { readonly askedAt: number }

export type MissedDeliveries = {
  /** One look; resolves with what could not be asked for. */
  readonly look: (octokit: GitHubClient) => Promise<readonly unknown[]>
}

/** `since`: when somebody looked last; empty where nobody did. */
export function missedDeliveries(
  since: string,
  now: () => number,
  onMissed: (since: string, repository: string | undefined) => void,
): MissedDeliveries {
  const missed = new Map<string, Missed>()
  let seen = since

  const learn = (attempts: readonly Delivery[]): void => {
    // A guid that arrived in any of its attempts has arrived.
    const arrived = new Set(attempts.filter(hasArrived).map(({ guid }) => guid))
    for (const guid of arrived) missed.delete(guid)
    for (const one of attempts) {
      const known = missed.get(one.guid)
      if (arrived.has(one.guid)) continue
      const { repository_id } = one
      if (known === undefined) onMissed(one.delivered_at, repository_id ? `R${repository_id}` : undefined)
      const first = known !== undefined && known.delivered_at < one.delivered_at ? known.delivered_at : one.delivered_at
      missed.set(one.guid, { ...one, delivered_at: first, askedAt: known?.askedAt ?? -Infinity })
    }
  }
  return {
    look: async (octokit) => {
      const attempts = await recent(octokit, seen)
      learn(attempts)
      const [newest] = attempts
      if (newest !== undefined) seen = newest.delivered_at
      const failed: unknown[] = []
      const inOrder = [...missed.values()].toSorted((one, other) => (one.delivered_at < other.delivered_at ? -1 : 1))
      for (const one of inOrder) {
        if (now() - one.askedAt < ASKED_MS) continue
        try {
          await octokit.request('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id: one.id })
          missed.set(one.guid, { ...one, askedAt: now() })
        } catch (error) {
          // One that GitHub does not bring again keeps back none of the others. Where it only failed it is asked again.
          failed.push(error)
          if (error instanceof RateLimited) break
          if (!isOutage(error)) missed.delete(one.guid)
        }
      }
      return failed
    },
  }
}

const hasArrived = ({ status_code }: Delivery): boolean => status_code >= 200 && status_code < 300

/** Everything since the last look, the newest first. */
async function recent(octokit: GitHubClient, since: string): Promise<Delivery[]> {
  const from = since === '' ? '' : new Date(Date.parse(since) - OVERLAP_MS).toISOString()
  const all: Delivery[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const more = cursor === undefined ? {} : { cursor }
    const { data, headers } = await octokit.request('GET /app/hook/deliveries', { per_page: 100, ...more })
    const rows = z.array(delivery).parse(data)
    all.push(...rows)
    cursor = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(headers.link ?? '')?.[1]
    if (cursor === undefined || rows.some(({ delivered_at }) => delivered_at < from)) break
  }
  return all
}
