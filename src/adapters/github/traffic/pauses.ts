// What an answer of GitHub says about going on: nothing, a pause it names, or a pause whose length is left to us.
// A plain "forbidden" is no pause: treating a missing permission as one would wait for ever. GraphQL refuses with a status
// of success, and then only its own errors count: the rest of an answer is text of people, who may write of limits too.
// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
import { z } from 'zod'
import { jsonIn } from '../../../core/json.ts'
import type { Quota } from './allowances.ts'
import type { Answer, Heads } from './answer.ts'

export type Pause =
  /** Nothing more until then. */
  | { readonly type: 'named'; readonly until: number }
  /** The hourly quota is used up; the other quotas are not. */
  | { readonly type: 'quota'; readonly until: number }
  /** A secondary limit that does not say how long. */
  | { readonly type: 'unnamed' }

/** A moment by the clock that nobody sets, and the date of it as far as it is known. */
export type Moment = { readonly now: number; readonly date: number }

/** A pause that is longer than this is a misread clock or a joke. GitHub's longest window is an hour. */
const pauseMsMax = 3_600_000
const pauseMsMin = 1_000

/** Refused for its limits, if there is a pause in the answer too; otherwise simply forbidden. */
export const isRefused = (answer: Answer, quota: Quota): boolean =>
  answer.status === 403 || answer.status === 429 || (quota === 'graphql' && limitsGraphql(answer))

export function pauseIn(answer: Answer, quota: Quota, moment: Moment): Pause | null {
  const { status, headers, body } = answer
  const refused = isRefused(answer, quota)
  if (refused) {
    const named = retryAfterMs(headers, moment)
    if (named !== null) return { type: 'named', until: moment.now + bounded(named) }
  }
  if (headers.get('x-ratelimit-remaining') === '0' || (quota === 'graphql' && isSpent(answer)))
    return { type: 'quota', until: moment.now + bounded(resetMs(headers, moment)) }
  const limits = status !== 403 || (typeof body === 'string' && speaksOfLimits(body))
  return refused && limits ? { type: 'unnamed' } : null
}

const speaksOfLimits = (text: string): boolean => /rate limit|abuse detection/i.test(text)

const errors = z.object({
  errors: z.array(z.object({ type: z.string().optional(), message: z.string().default('') })).min(1),
})

type Refusal = z.output<typeof errors>['errors']

function refusalIn({ status, body }: Answer): Refusal {
  if (status !== 200 || typeof body !== 'string' || !body.includes('"errors"')) return []
  return errors.safeParse(jsonIn(body)).data?.errors ?? []
}

const limitsGraphql = (answer: Answer): boolean =>
  refusalIn(answer).some(({ type, message }) => type === 'RATE_LIMITED' || limited.test(message))

/** The hourly quota is told by its type, also where no header says so. */
const isSpent = (answer: Answer): boolean =>
  refusalIn(answer).some(({ type, message }) => type === 'RATE_LIMITED' && !/secondary|abuse/i.test(message))

/** How GitHub begins to say it; names that people chose may stand further on in a message. */
const limited = /^(you have (exceeded|triggered) .*(rate limit|abuse detection)|api rate limit (already )?exceeded)/i

/** At least a minute, then doubling, and never for everybody at the same moment. */
export const unnamedPauseMs = (strikes: number, random: number): number =>
  Math.min(60_000 * 2 ** strikes * (1 + random / 4), pauseMsMax)

/** How an hourly quota stands. */
export type Standing = { readonly limit: number; readonly remaining: number; readonly until: number }

export function standingIn({ headers }: Answer, moment: Moment): Standing | null {
  const [limit, remaining] = ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`) ?? 'none'))
  if (limit === undefined || remaining === undefined || Number.isNaN(limit + remaining)) return null
  return { limit, remaining, until: moment.now + bounded(resetMs(headers, moment)) }
}

const bounded = (ms: number): number => Math.min(Math.max(ms, pauseMsMin), pauseMsMax)

/** In seconds, or as a date. What is neither names no pause: parsing dates finds one in almost everything that holds a number. */
function retryAfterMs(headers: Heads, moment: Moment): number | null {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const ms = /^[a-z]{3}, .*\bgmt$/i.test(text) ? Date.parse(text) - theirDate(headers, moment) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

/** A second more, since GitHub tells in seconds. */
function resetMs(headers: Heads, moment: Moment): number {
  const reset = Number(headers.get('x-ratelimit-reset') ?? 'none') * 1_000
  const ms = reset - theirDate(headers, moment) + 1_000
  return Number.isNaN(ms) ? 60_000 : ms
}

/** On GitHub's own clock where it tells, since ours may be wrong. */
function theirDate(headers: Heads, { date }: Moment): number {
  const theirs = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(theirs) ? date : theirs
}
