// One answer of GitHub, received whole. Text arrives completely or the request has failed: the client library would take
// a body that was cut off for an empty one, and what is missing must never look like "nothing there".
// Archives, logs and everything behind a redirect stay the stream they are.
import type { Time } from './time.ts'
import { overTheWire } from './wire.ts'

/** By names in small letters. */
export type Heads = Iterable<[string, string]> & {
  readonly get: (name: string) => string | null | undefined
  readonly has: (name: string) => boolean
}
export type Answer = {
  readonly status: number
  readonly url: string
  readonly headers: Heads
  /** The text, or the untouched response when it is no text or comes from somewhere else. */
  readonly body: string | Response
}
export type Fetch = (url: string, init: RequestInit) => Promise<Response>
export type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

/** GitHub gives up on a request after ten seconds; what takes longer than this has been lost on the way. */
const answerMsMax = 30_000

type Way = {
  readonly time: Time
  /** Null where nobody brings one. */
  readonly fetch: Fetch | null
  readonly stream: boolean
}

export async function receive({ time, fetch, stream }: Way, url: string, init: Init): Promise<Answer> {
  const watch = new AbortController()
  const stop = time.after(answerMsMax, () => watch.abort(new Error(tooSlow(url, init))))
  const signal = AbortSignal.any([watch.signal, init.signal ?? []].flat())
  try {
    const answer = fetch === null && !stream ? await answeredHere(url, init, signal) : null
    if (answer !== null) return answer
    const response = await (fetch ?? globalThis.fetch)(url, { ...init, signal })
    const { status, headers } = response
    const whole = isOurText(response, url) && (!stream || status >= 400)
    return { status, headers, url: response.url, body: whole ? await response.text() : response }
  } finally {
    stop()
  }
}

const elsewhere = [301, 302, 303, 307, 308]
const utf8 = new TextDecoder()

/** Null where GitHub sends to another place, and for what is no text that goes out. */
async function answeredHere(url: string, init: Init, signal: AbortSignal): Promise<Answer | null> {
  const { method = 'GET', headers = {}, body = null } = init
  if (body !== null && typeof body !== 'string') return null
  const { status, headers: told, bytes } = await overTheWire(url, { method, headers, body, signal })
  if (elsewhere.includes(status)) return null
  const isText = withoutBody.includes(status) || isTextual(told)
  if (isText) return { status, headers: told, url, body: utf8.decode(bytes) }
  return {
    status,
    headers: told,
    url,
    body: at(url, new Response(new Uint8Array(bytes), { status, headers: [...told] })),
  }
}

/** A built response has no address, but paging through a comparison starts from it. */
const at = (url: string, response: Response): Response => Object.defineProperty(response, 'url', { value: url })

/** What the client library is told of JSON that it shall leave as it is: it reads each for numbers that no program needs. */
export const UNREAD = 'text/vnd.countersign-unread'

/** As much of a response as the client library reads. */
export type Told = Pick<Answer, 'status' | 'url' | 'headers'> & { readonly text: () => Promise<string> }

/** A response of one's own for every reader, so that nobody reads another's body empty. */
export function respond({ status, url, headers: given, body }: Answer): Told {
  if (typeof body !== 'string') return body
  const headers = new Map(given)
  // Of what was refused the library makes an error itself.
  if (status < 400 && isJson(given)) headers.set('content-type', UNREAD)
  return { status, url, headers, text: async () => body }
}

export const isJson = (headers: Heads): boolean =>
  /^application\/(?:scim\+)?json\b/i.test(headers.get('content-type') ?? '')
const withoutBody = [204, 205, 304]
/** Where GitHub sends to another place, as for an archive, what is there is not its text. A new name is in the same place. */
const isOurText = ({ status, url, headers }: Response, asked: string): boolean =>
  !withoutBody.includes(status) && new URL(url || asked).origin === new URL(asked).origin && isTextual(headers)
const isTextual = (headers: Heads): boolean => /json|^text\/|charset=utf-8/i.test(headers.get('content-type') ?? '')

const tooSlow = (url: string, { method }: Init): string =>
  `GitHub did not answer ${method ?? 'GET'} ${new URL(url).pathname} within ${answerMsMax / 1_000} seconds.`
