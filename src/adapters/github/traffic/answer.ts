// One answer of GitHub, received whole. Text arrives completely or the request has failed: the client library would take
// a body that was cut off for an empty one, and what is missing must never look like "nothing there".
// Archives, logs and everything behind a redirect stay the stream they are.
import type { Time } from './time.ts'

export type Answer = {
  readonly status: number
  readonly url: string
  readonly headers: Headers
  /** The text, or the untouched response when it is no text or comes from somewhere else. */
  readonly body: string | Response
}
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** GitHub gives up on a request after ten seconds; what takes longer than this has been lost on the way. */
const answerMsMax = 30_000

export async function receive(
  { time, fetch, stream }: { readonly time: Time; readonly fetch: Fetch; readonly stream: boolean },
  url: string,
  init: RequestInit,
): Promise<Answer> {
  const watch = new AbortController()
  const stop = time.after(answerMsMax, () => watch.abort(new Error(tooSlow(url, init))))
  const signals = init.signal === undefined || init.signal === null ? [watch.signal] : [watch.signal, init.signal]
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) })
    const { status, headers } = response
    const whole = isOurText(response, url) && (!stream || status >= 400)
    return { status, headers, url: response.url, body: whole ? await response.text() : response }
  } finally {
    stop()
  }
}

/** What the client library is told of JSON that it shall leave as it is: it reads each for numbers that no program needs. */
export const UNREAD = 'text/vnd.countersign-unread'

/** A response of one's own for every reader, so that nobody reads another's body empty. */
export function respond({ status, url, headers: given, body }: Answer): Response {
  if (typeof body !== 'string') return body
  const headers = new Headers(given)
  // Of what was refused the library makes an error itself.
  if (status < 400 && isJson(given)) headers.set('content-type', UNREAD)
  // A built response has no address, but paging through a comparison starts from it.
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url })
}

export const isJson = (headers: Headers): boolean =>
  /^application\/(?:scim\+)?json\b/i.test(headers.get('content-type') ?? '')
const withoutBody = [204, 205, 304]
/** Where GitHub sends to another place, as for an archive, what is there is not its text. A new name is in the same place. */
const isOurText = ({ status, url, headers }: Response, asked: string): boolean =>
  !withoutBody.includes(status) &&
  new URL(url || asked).origin === new URL(asked).origin &&
  /json|^text\/|charset=utf-8/i.test(headers.get('content-type') ?? '')

const tooSlow = (url: string, { method }: RequestInit): string =>
  `GitHub did not answer ${method ?? 'GET'} ${new URL(url).pathname} within ${answerMsMax / 1_000} seconds.`
