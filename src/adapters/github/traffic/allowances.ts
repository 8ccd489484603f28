// What GitHub allows in which time, and what one request costs of it. The numbers are GitHub's own; they change without
// notice, so what its answers say always goes before them.
// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api

export type Limits = {
  readonly concurrent: number
  readonly concurrentPerInstallation: number
  /** Who comes behind so many is sent away at once. */
  readonly waitingPerInstallation: number
  /** Points that one endpoint takes in a minute: reading costs one, writing five. */
  readonly pointsPerMinute: number
  readonly graphqlPointsPerMinute: number
  readonly contentPerMinute: number
  readonly contentPerHour: number
  /** Of what GitHub allows an hour: what rounds over everything may take, and what they leave alone when little is left. */
  readonly sweepShare: number
  readonly reservedShare: number
}

export const githubLimits: Limits = {
  // GitHub allows 100 at a time; the rest is left to whoever else uses the same App.
  concurrent: 60,
  concurrentPerInstallation: 20,
  waitingPerInstallation: 2_000,
  pointsPerMinute: 900,
  graphqlPointsPerMinute: 2_000,
  contentPerMinute: 80,
  contentPerHour: 500,
  sweepShare: 0.1,
  reservedShare: 0.25,
}

/** What an installation has in any case, until GitHub says how much it is. */
export const QUOTA_MIN = 5_000

/**
 * Who goes first when not everybody can: what people merge by, then what we must know, then what we have to say, then
 * what nobody waits for.
 */
export const ranks = ['gate', 'read', 'talk', 'sweep'] as const
/** Each has an hourly quota of its own. */
export type Quota = 'core' | 'graphql' | 'search'

export type Turn = {
  readonly installation: string
  readonly rank: (typeof ranks)[number]
  readonly quota: Quota
  readonly endpoint: string
  readonly kind: 'read' | 'write'
  /** Counts as content: people are told about it. GitHub bounds it to keep notifications from being abused. */
  readonly content: boolean
  /** Asking twice changes nothing. */
  readonly repeatable: boolean
}

export function turnOf(installation: string, method: string, url: string, body: unknown, sweep = false): Turn {
  const route = routeOf(new URL(url).pathname)
  const quota = quotaOf(route)
  const repeatable = method === 'GET' || method === 'HEAD'
  const kind = repeatable || (quota === 'graphql' && !isMutation(body)) ? 'read' : 'write'
  const gate = kind === 'write' && (gateRoute.test(route) || isGateMutation(body))
  const content = kind === 'write' && !gate
  const rank = gate ? 'gate' : content ? 'talk' : sweep ? 'sweep' : 'read'
  return { installation, rank, quota, endpoint: `${method} ${route}`, kind, content, repeatable }
}

/** Check runs, statuses and missed deliveries notify nobody, and nothing at all can be done without a token. */
const gateRoute =
  /^\/repos\/\*\/(check-runs|statuses)\b|^\/app\/(installations\/\*\/access_tokens|hook\/deliveries\/\*\/attempts)$/

/** The same route for all repositories and numbers, however the address names them. */
const routeOf = (path: string): string =>
  path
    .replace(/^\/api(\/v3)?(?=\/)/, '')
    .replace(/^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)/, '/repos/*')
    .replace(/\/(\d+|[0-9a-f]{40})(?=\/|$)/g, '/*')

function quotaOf(route: string): Quota {
  if (route === '/graphql') return 'graphql'
  return route.startsWith('/search/') ? 'search' : 'core'
}

const isMutation = (body: unknown): boolean =>
  typeof body !== 'string' || /"query"\s*:\s*"(?:\\[nrt]|\s)*mutation\b/.test(body)

/** What only writes check runs over GraphQL is called so. */
export const GATE_MUTATION = 'CheckRuns'

const isGateMutation = (body: unknown): boolean => typeof body === 'string' && gateMutation.test(body)
const gateMutation = new RegExp(`"query"\\s*:\\s*"mutation ${GATE_MUTATION}\\b`)

export type Charge = {
  readonly window: string
  readonly limit: number
  readonly ms: number
  readonly cost: number
  readonly words: string
}

const minute = 60_000
const hour = 3_600_000

export function chargesOf({ quota, endpoint, kind, content }: Turn, limits: Limits): readonly Charge[] {
  const points = quota === 'graphql' ? limits.graphqlPointsPerMinute : limits.pointsPerMinute
  const calls = {
    window: endpoint,
    limit: points,
    ms: minute,
    cost: kind === 'read' ? 1 : 5,
    words: `the ${points} points that GitHub allows a minute for ${endpoint} are used up`,
  }
  return content
    ? [
        calls,
        contentCharge('content of a minute', limits.contentPerMinute, minute),
        contentCharge('content of an hour', limits.contentPerHour, hour),
      ]
    : [calls]
}

const contentCharge = (window: string, limit: number, ms: number): Charge => ({
  window,
  limit,
  ms,
  cost: 1,
  words: `the ${limit} comments and other pieces of content that GitHub allows ${ms === hour ? 'an hour' : 'a minute'} are used up`,
})

/** What was spent within one sliding window, oldest first. */
export type Window = { used: number; readonly spent: { readonly until: number; readonly cost: number }[] }

export const emptyWindow = (): Window => ({ used: 0, spent: [] })

export function spend(window: Window, { cost, ms }: Charge, now: number): void {
  window.used += cost
  window.spent.push({ until: now + ms, cost })
}

/** When the window has room for this charge: now or later. */
export function roomAt(window: Window, { cost, limit }: Charge, now: number): number {
  while (window.spent[0] !== undefined && window.spent[0].until <= now) window.used -= window.spent.shift()?.cost ?? 0
  let used = window.used
  let at = now
  for (const { until, cost: freed } of window.spent) {
    if (used + cost <= limit) break
    used -= freed
    at = until
  }
  return at
}
