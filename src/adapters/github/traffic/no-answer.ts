// What arrives as a success and is no answer: a page of something between us and GitHub, half of a text, or a failure of
// GraphQL, which has no status for one. Taken for an answer, all that is missing in it would look as if it did not exist.
import { z } from 'zod'

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly status = 502
}

type Answer = { readonly status: number; readonly data?: unknown }
type Question = { readonly headers: { readonly accept?: string }; readonly query?: unknown }

/** What it is instead; null for an answer. */
export function insteadOf({ status, data }: Answer, { headers, query }: Question): string | null {
  if (status >= 300) return `is not GitHub: it said ${status} and no place to go to`
  if (isNoJson(status, data, headers.accept)) return 'is not GitHub: it said no JSON'
  return typeof query === 'string' && isFailure(data, query) ? 'says that it failed' : null
}

/** GitHub refuses in JSON, and where it sends somebody else's things they are elsewhere. */
export function isRefusedElsewhere(error: unknown, { baseUrl }: { readonly baseUrl: string }): boolean {
  const { data } = wordy.safeParse(error)
  return data !== undefined && new URL(data.response.url).origin === new URL(baseUrl).origin
}
const wordy = z.object({
  status: z.number().min(400).max(499),
  response: z.object({ url: z.string(), data: z.string() }),
})

/** The library takes what it cannot parse for text, or for bytes. */
const isNoJson = (status: number, data: unknown, accept = 'json'): boolean =>
  (isEmpty(data) ? mustSay.includes(status) : typeof data === 'string') &&
  /json/.test(accept) &&
  !/raw|diff|patch|html/.test(accept)
const isEmpty = (data: unknown): boolean => data === '' || (data instanceof ArrayBuffer && data.byteLength === 0)
const mustSay: readonly number[] = [200, 201]

/** Where one question asked for many things, those that are there count; what became of a change nobody knows. */
function isFailure(data: unknown, query: string): boolean {
  const told = failing.safeParse(data).data
  if (told === undefined || !told.errors.some(isOwn)) return false
  const things = Object.values(told.data ?? {})
  return /^\s*mutation\b/.test(query) || things.length < 2 || things.every((one) => one === null)
}

const failing = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.object({ type: z.string().default(''), message: z.string().default('') })),
})

/** And no refusal: it does not say what is wrong with the question. */
const isOwn = ({ type, message }: z.output<typeof failing>['errors'][number]): boolean =>
  ownTypes.test(type) || (type === '' && ownWords.test(message))
const ownTypes = /^(INTERNAL|SERVICE_UNAVAILABLE|TIMEOUT)/
const ownWords = /^(something went wrong|we couldn.t respond to your request in time|timeout\b)/i
