// Reads that cost nothing when nothing has changed: GitHub answers 304 to a known ETag and does not count it.
// What a commit, tree or blob holds is fixed by its SHA, so it is not asked twice. Identical reads that wait to be sent are
// one; whoever asks later asks anew, since what is on its way may be older than the question. An ETag belongs to the token
// that got it; nothing is shared between installations.
// Streams, redirected answers, large bodies and halves of an answer are never kept.
// https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
import { hash } from 'node:crypto'
import { keptByUse, type Bounds } from '../../../core/forget.ts'
import { jsonIn } from '../../../core/json.ts'
import { isJson, type Answer, type Heads } from './answer.ts'

export type Read = {
  readonly installation: string
  readonly url: string
  readonly headers: Heads
  /** Shared with nobody: what must be answered as things are now, can be aborted, or may wait longer than others. */
  readonly alone: boolean
}
/** Calls `onSent` when the question leaves for GitHub: what is answered is not older than that. */
export type Ask = (headers: Heads, onSent: () => void) => Promise<Answer>
export type ConditionalReads = (read: Read, ask: Ask) => Promise<Answer>

type Known = { readonly answer: Answer; readonly etag: string | null }

/** GitHub gives no more on one page, whatever one asks for. */
const pageEntriesMax = 100

const BOUNDS: Bounds = { entriesMax: 5_000, weightMax: 32_000_000 }
const ANSWER_BYTES_MAX = 1_000_000

/** What an answer weighs is its bytes, of which one alone has `bytesMax` at most. */
export function conditionalReads(bounds: Bounds = BOUNDS, bytesMax = ANSWER_BYTES_MAX): ConditionalReads {
  const kept = keptByUse<Known>(bounds)
  const underWay = new Map<string, Promise<Answer>>()

  return async (read, ask) => {
    const key = keyOf(read)
    const known = kept.get(key)
    if (known !== undefined && isFixed(read.url)) return known.answer
    if (read.alone) return revalidate(key, read, ask, known, nothing)
    const joined = underWay.get(key)
    if (joined !== undefined) {
      const answer = await joined
      // A stream can be read once, so everybody needs one of their own.
      return typeof answer.body === 'string' ? answer : revalidate(key, read, ask, known, nothing)
    }
    const { promise: answer, resolve } = Promise.withResolvers<Answer>()
    const isOver = (): void => {
      if (underWay.get(key) === answer) underWay.delete(key)
    }
    underWay.set(key, answer)
    resolve(revalidate(key, read, ask, known, isFixed(read.url) ? nothing : isOver))
    return answer.finally(isOver)
  }

  async function revalidate(
    key: string,
    { url, headers }: Read,
    ask: Ask,
    known: Known | undefined,
    onSent: () => void,
  ): Promise<Answer> {
    const asked = new Map(headers)
    if (known !== undefined && known.etag !== null) asked.set('if-none-match', known.etag)
    const answer = await ask(asked, onSent)
    if (known !== undefined && answer.status === 304) return refreshed(known.answer, answer)
    // An outage says nothing about the thing, and forgetting everything would make its end expensive.
    if (answer.status < 500) kept.delete(key)
    if (isKeepable(url, answer)) keep(key, answer)
    return answer
  }

  function keep(key: string, answer: Answer): void {
    const size = typeof answer.body === 'string' ? Buffer.byteLength(answer.body) : Infinity
    if (size <= bytesMax) kept.set(key, { answer, etag: answer.headers.get('etag') ?? null }, size)
  }
}

const nothing = (): void => undefined

/** What the SHA fixes outlives the hourly token. The token itself is not written down anywhere. */
function keyOf({ installation, url, headers }: Read): string {
  const token = isFixed(url) ? '' : hash('sha256', headers.get('authorization') ?? '', 'base64')
  return [installation, token, headers.get('accept') ?? '', url].join(' ')
}

const isFixed = (url: string): boolean =>
  /\/repos\/[^/]+\/[^/]+\/git\/(blobs|trees|commits)\/[0-9a-f]{40}(\?[^/]*)?$/.test(url)

/**
 * What a SHA fixes is never asked for again, and of all else GitHub says that it is as it was: half of an answer would stand for as long
 * as its token does.
 */
function isKeepable(url: string, { status, headers, body }: Answer): boolean {
  const isOnlyOnce = /no-store/.test(headers.get('cache-control') ?? '')
  if (status !== 200 || typeof body !== 'string' || isOnlyOnce) return false
  if (isFixed(url) ? !body.includes('"sha"') : !headers.has('etag')) return false
  const value = jsonIn(body)
  const isWhole = value !== undefined || !(isFixed(url) || isJson(headers))
  return isWhole && !isFullLastPage(url, headers, value)
}

/**
 * The next entry of a list begins a new page and leaves a full one as it is, together with its ETag: the answer 304
 * would say that nothing is new. See https://github.com/app-sre/github-mirror/pull/113.
 */
function isFullLastPage(url: string, headers: Heads, value: unknown): boolean {
  if (!Array.isArray(value) || headers.get('link')?.includes('rel="next"') === true) return false
  const perPage = Number(new URL(url).searchParams.get('per_page') ?? 30)
  return value.length >= Math.min(perPage, pageEntriesMax)
}

/** The old text with what the new answer says about pages, limits and time. */
function refreshed(old: Answer, { headers }: Answer): Answer {
  const merged = new Map(old.headers)
  for (const [name, value] of headers) if (!name.startsWith('content-')) merged.set(name, value)
  return { ...old, headers: merged }
}
