// What an answer of GitHub says about going on: nothing, a pause it names, or a pause whose length is left to us.
// A plain "forbidden" is no pause: treating a missing permission as one would wait for ever.
// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
import type { Answer } from './answer.ts'

export type Pause =
  /** Nothing more until then. */
  | { readonly type: 'named'; readonly until: number }
  /** The hourly quota is used up; the other quotas are not. */
  | { readonly type: 'quota'; readonly until: number }
  /** A secondary limit that does not say how long. */
  | { readonly type: 'unnamed' }

/** A pause that is longer than this is a misread clock or a joke. GitHub's longest window is an hour. */
const pauseMsMax = 3_600_000
const pauseMsMin = 1_000

/** Refused for its limits, if there is a pause in the answer too; otherwise simply forbidden. */
export const isRefused = ({ status }: Answer): boolean => status === 403 || status === 429

export function pauseIn(answer: Answer, now: number): Pause | null {
  const { status, headers, body } = answer
  if (isRefused(answer)) {
    const named = retryAfterMs(headers, now)
    if (named !== null) return { type: 'named', until: now + bounded(named) }
  }
  if (headers.get('x-ratelimit-remaining') === '0')
    return { type: 'quota', until: now + bounded(resetMs(headers, now)) }
  const speaksOfLimits = typeof body === 'string' && /rate limit|abuse detection/i.test(body)
  return status === 429 || (status === 403 && speaksOfLimits) ? { type: 'unnamed' } : null
}

/** At least a minute, then doubling, and never for everybody at the same moment. */
export const unnamedPauseMs = (strikes: number, random: number): number =>
  Math.min(60_000 * 2 ** strikes * (1 + random / 4), pauseMsMax)

const bounded = (ms: number): number => Math.min(Math.max(ms, pauseMsMin), pauseMsMax)

function retryAfterMs(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(ms) ? null : ms
}

/** Measured on GitHub's own clock where it tells, since ours may be wrong; a second more, since it tells in seconds. */
function resetMs(headers: Headers, now: number): number {
  const reset = Number(headers.get('x-ratelimit-reset') ?? 'none') * 1_000
  const theirs = Date.parse(headers.get('date') ?? '')
  const ms = reset - (Number.isNaN(theirs) ? now : theirs) + 1_000
  return Number.isNaN(ms) ? 60_000 : ms
}
