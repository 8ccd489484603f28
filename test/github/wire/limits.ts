// The limits that GitHub puts on callers: requests an hour, points a minute, content a minute, calls at once. Windows
// run on the wall clock, because clients compare `x-ratelimit-reset` with theirs.
// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
import { Problem } from '../problem.ts'

export type Limits = {
  /** Requests an hour for each caller over REST, and as many points over GraphQL. */
  readonly primaryPerHour: number
  /** Secondary limits; null leaves one out. Points are counted for each endpoint of REST by itself. */
  readonly pointsPerMinute: number | null
  readonly graphqlPointsPerMinute: number | null
  readonly contentPerMinute: number | null
  readonly concurrentMax: number | null
  /** Whether a secondary refusal says when to come back. */
  readonly retryAfter: boolean
}
export type Quota = 'core' | 'graphql'
const quotaOf = (path: string): Quota => (path === '/graphql' ? 'graphql' : 'core')

/** The same for every repository, number and commit. */
const endpointOf = (path: string): string =>
  path.replace(/^\/repos\/[^/]+\/[^/]+/, '/repos/*').replace(/\/(\d+|[0-9a-f]{40})(?=\/|$)/g, '/*')

type Window = { used: number; resetMs: number }

const usualLimits: Limits = {
  primaryPerHour: 5_000,
  pointsPerMinute: null,
  graphqlPointsPerMinute: null,
  contentPerMinute: null,
  concurrentMax: null,
  retryAfter: true,
}

export type Limiter = ReturnType<typeof makeLimiter>

export function makeLimiter(initial: Partial<Limits>) {
  let limits: Limits = { ...usualLimits, ...initial }
  const windows = new Map<string, Window>()
  let open = 0

  const window = (key: string, lengthMs: number): Window => {
    const known = windows.get(key)
    if (known !== undefined && known.resetMs > Date.now()) return known
    const fresh = { used: 0, resetMs: Date.now() + lengthMs }
    windows.set(key, fresh)
    return fresh
  }
  const hour = (caller: string, quota: Quota) => window(`hour ${quota} ${caller}`, 3_600_000)
  const secondary = (resetMs: number): Problem => {
    const seconds = `${Math.max(Math.ceil((resetMs - Date.now()) / 1000), 1)}`
    const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'
    return new Problem(403, message, null, limits.retryAfter ? { 'retry-after': seconds } : {})
  }

  const overview = (caller: string, quota: Quota = 'core') => {
    const { used, resetMs } = hour(caller, quota)
    const limit = limits.primaryPerHour
    return { limit, used, remaining: Math.max(limit - used, 0), reset: Math.ceil(resetMs / 1000) }
  }

  return {
    set: (next: Partial<Limits>): void => {
      limits = { ...limits, ...next }
      windows.clear()
    },
    enter: (): void => {
      open += 1
    },
    leave: (): void => {
      open -= 1
    },
    /** Throws when the caller has gone too far; otherwise the request is counted. */
    spend: (caller: string, method: string, path: string, mutates = false): void => {
      const quota = quotaOf(path)
      const write = quota === 'graphql' ? mutates : method !== 'GET' && method !== 'HEAD'
      const primary = hour(caller, quota)
      if (primary.used >= limits.primaryPerHour) {
        throw new Problem(403, 'API rate limit exceeded for this caller.')
      }
      if (limits.concurrentMax !== null && open > limits.concurrentMax) throw secondary(Date.now() + 1_000)
      const points = window(`points ${caller} ${method} ${endpointOf(path)}`, 60_000)
      const price = write ? 5 : 1
      const most = quota === 'graphql' ? limits.graphqlPointsPerMinute : limits.pointsPerMinute
      if (most !== null && points.used + price > most) throw secondary(points.resetMs)
      const content = window(`content ${caller}`, 60_000)
      const creates = method === 'POST' && /\/(issues|comments|reviews|pulls)(\/|$)/.test(path)
      if (creates && limits.contentPerMinute !== null && content.used >= limits.contentPerMinute) {
        throw secondary(content.resetMs)
      }
      primary.used += 1
      points.used += price
      if (creates) content.used += 1
    },
    /** An answer of 304 costs nothing. */
    refund: (caller: string): void => {
      hour(caller, 'core').used -= 1
    },
    /** A question over GraphQL may cost more than one point. */
    charge: (caller: string, points: number): void => {
      hour(caller, 'graphql').used += points
    },
    overview,
    headers: (caller: string, path: string): Readonly<Record<string, string>> => {
      const quota = quotaOf(path)
      const { limit, used, remaining, reset } = overview(caller, quota)
      return {
        'x-ratelimit-limit': `${limit}`,
        'x-ratelimit-remaining': `${remaining}`,
        'x-ratelimit-used': `${used}`,
        'x-ratelimit-reset': `${reset}`,
        'x-ratelimit-resource': quota,
      }
    },
  }
}
