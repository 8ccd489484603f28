// GitHub keeps its deliveries for three days and never repeats one by itself: those that nobody took are asked for again, the
// oldest first, and whoever listens is told since when and of which repository some may be missing.
// https://docs.github.com/en/webhooks/using-webhooks/handling-failed-webhook-deliveries
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { GitHubClient } from '../../../adapters/github/access.ts'
import { isOutage } from '../../../engine/outage.ts'
import { RateLimited } from '../../../adapters/github/traffic/pacing.ts'

/** At a hundred each. */
const PAGES_MAX = 2_000
/** So long GitHub keeps one; whoever asks for it makes a new one, which would be asked for in its turn. */
const KEPT_MS = 3 * 24 * 60 * 60_000
/** A delivery that takes long stands in the list by the time when it began. */
const OVERLAP_MS = 10 * 60_000
/** What was asked for needs some time to arrive; what did not is asked for ever less often. */
const ASKED_MS = 4 * 60_000
const APART_MS_MAX = 6 * 60 * 60_000
/** While nothing arrives that is asked for, so many are, and looked after so long later. */
const PROBES = 3
const PROBED_MS = 10_000

const delivery = z.object({
  id: z.number(),
  guid: z.string(),
  status_code: z.number(),
  delivered_at: z.string(),
  repository_id: z.number().nullish(),
})
type Delivery = z.output<typeof delivery>
type Missed = Delivery & { readonly askedAt: number; readonly times: number }

export type MissedDeliveries = {
  /** One look; resolves with what could not be asked for. */
  readonly look: (octokit: GitHubClient) => Promise<readonly unknown[]>
}

type Means = {
  readonly now: () => number
  readonly onMissed: (since: string, repository: string | undefined) => void
  /** Everything that was sent up to then has arrived, or is not kept by GitHub any more. */
  readonly onTaken: (until: string) => Promise<void>
  readonly pause?: (ms: number) => Promise<unknown>
}

/** `since`: up to when everything was taken; empty where nobody knows. */
export function missedDeliveries(since: string, means: Means): MissedDeliveries {
  const { now, onMissed, onTaken, pause = (ms: number) => setTimeout(ms, undefined, { ref: false }) } = means
  const missed = new Map<string, Missed>()
  let seen = since
  /** All that was asked for came back as it was: nobody takes anything, as with a wrong secret or an address that is no more. */
  let isShut = false

  const isForgotten = ({ delivered_at }: Missed): boolean => now() - Date.parse(delivered_at) > KEPT_MS

  const learn = (attempts: readonly Delivery[]): void => {
    // A guid that arrived in any of its attempts has arrived.
    const arrived = new Set(attempts.filter(hasArrived).map(({ guid }) => guid))
    const fresh = attempts.filter(({ delivered_at }) => delivered_at > seen)
    if (fresh.some(hasArrived) || [...arrived].some((guid) => missed.has(guid))) {
      if (isShut) for (const [guid, one] of missed) missed.set(guid, { ...one, ...neverAsked })
      isShut = false
    } else if (fresh.some(({ guid }) => (missed.get(guid)?.times ?? 0) > 0)) isShut = true
    const listed = new Set(attempts.map(({ guid }) => guid))
    for (const [guid, one] of missed)
      if (arrived.has(guid) || (isForgotten(one) && !listed.has(guid))) missed.delete(guid)
    for (const one of attempts) {
      if (arrived.has(one.guid)) continue
      const known = missed.get(one.guid)
      const { repository_id } = one
      if (known === undefined) onMissed(one.delivered_at, repository_id ? `R${repository_id}` : undefined)
      const first = known !== undefined && known.delivered_at < one.delivered_at ? known.delivered_at : one.delivered_at
      missed.set(one.guid, { ...neverAsked, ...known, ...one, delivered_at: first })
    }
    seen = attempts[0]?.delivered_at ?? seen
  }
  const ask = async (octokit: GitHubClient, some: readonly Missed[]): Promise<unknown[]> => {
    const failed: unknown[] = []
    for (const one of some) {
      try {
        await octokit.request('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id: one.id })
        missed.set(one.guid, { ...one, askedAt: now(), times: one.times + 1 })
      } catch (error) {
        // One that GitHub does not bring again keeps back none of the others. Where it only failed it is asked again.
        failed.push(error)
        if (error instanceof RateLimited) break
        if (!isOutage(error)) missed.delete(one.guid)
      }
    }
    return failed
  }
  const isDue = ({ askedAt, times }: Missed): boolean =>
    now() - askedAt >= Math.min(ASKED_MS * 2 ** (times - 1), APART_MS_MAX)
  const inOrder = (): Missed[] =>
    [...missed.values()]
      .filter((one) => !isForgotten(one))
      .toSorted((one, other) => (one.delivered_at < other.delivered_at ? -1 : 1))
  const askInTurn = async (octokit: GitHubClient): Promise<unknown[]> => {
    if (!isShut || missed.size === 0) return ask(octokit, inOrder().filter(isDue))
    // Each has its turn, since one of them may be what nobody can take.
    const probes = inOrder().toSorted((one, other) => one.times - other.times)
    const failed = await ask(octokit, probes.slice(0, PROBES))
    await pause(PROBED_MS)
    learn(await recent(octokit, seen))
    return isShut ? failed : [...failed, ...(await ask(octokit, inOrder().filter(isDue)))]
  }
  return {
    look: async (octokit) => {
      learn(await recent(octokit, seen))
      const failed = await askInTurn(octokit)
      // Whoever comes after us asks for the rest.
      await onTaken(inOrder()[0]?.delivered_at ?? seen)
      return failed
    },
  }
}

const neverAsked = { askedAt: -Infinity, times: 0 }
const hasArrived = ({ status_code }: Delivery): boolean => status_code >= 200 && status_code < 300

/** Everything since the last look and a little before it, the newest first. */
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
