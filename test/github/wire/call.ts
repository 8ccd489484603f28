// One request as a route sees it, and the answers it may give. Lists come in pages with Link headers.
// https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
import type { Fields } from '../fields.ts'
import type { Account, App, Repo, Token } from '../model.ts'
import { Problem } from '../problem.ts'
import type { World } from '../world.ts'

export type Viewer =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'app'; readonly app: App }
  | { readonly kind: 'token'; readonly token: Token }

export type Call = {
  readonly world: World
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Fields
  readonly accept: string
  readonly viewer: Viewer
}
export type RepoCall = Call & { readonly repo: Repo }

export type Answer = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** What it costs over GraphQL, in points. */
  readonly cost?: number
}

export const ok = (body: unknown): Answer => ({ status: 200, body })
export const created = (body: unknown): Answer => ({ status: 201, body })
export const accepted = (body: unknown): Answer => ({ status: 202, body })
export const noContent = (): Answer => ({ status: 204, body: null })
export const redirect = (location: string): Answer => ({ status: 302, body: null, headers: { location } })

/** A text or file instead of JSON. */
export const raw = (content: Buffer | string, type: string): Answer => ({
  status: 200,
  body: Buffer.from(content),
  headers: { 'content-type': type },
})

export function param(call: Call, name: string): string {
  const value = call.params[name]
  if (value === undefined) throw new Error(`The route has no {${name}}`)
  return value
}

export function numberParam(call: Call, name: string): number {
  const value = Number(param(call, name))
  if (!Number.isSafeInteger(value)) throw new Problem(404, 'Not Found')
  return value
}

/** Who acts: the person, or the bot of the App whose token it is. */
export function actor(call: Call): Account {
  const { viewer } = call
  if (viewer.kind === 'token') return viewer.token.account
  throw new Problem(401, 'Requires authentication')
}

/** The App behind the token, or null for a person. */
export const actingApp = ({ viewer }: Call): App | null =>
  viewer.kind === 'token' ? (viewer.token.installation?.app ?? null) : null

/** The App by which something is done: by itself, or with a person's token. */
export const actingThrough = ({ viewer }: Call): App | null => (viewer.kind === 'token' ? viewer.token.app : null)

const perPageDefault = 30
const perPageMax = 100

export type Page = { readonly from: number; readonly to: number; readonly headers: Readonly<Record<string, string>> }

export function pageOf(call: Call, total: number): Page {
  const perPage = Math.min(positive(call.query.get('per_page'), perPageDefault), perPageMax)
  const page = positive(call.query.get('page'), 1)
  const last = Math.max(Math.ceil(total / perPage), 1)
  const link = (number: number, rel: string): string => {
    const query = new URLSearchParams(call.query)
    query.set('page', `${number}`)
    return `<${call.world.url}${call.path}?${query.toString()}>; rel="${rel}"`
  }
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ]
  const headers: Record<string, string> = links.length === 0 ? {} : { link: links.join(', ') }
  return { from: (page - 1) * perPage, to: page * perPage, headers }
}

function positive(text: string | null, otherwise: number): number {
  const value = Number(text ?? otherwise)
  return Number.isSafeInteger(value) && value > 0 ? value : otherwise
}

/** One page of a list; `show` is called for what is on the page only. */
export function paged<T>(call: Call, items: readonly T[], show: (item: T) => unknown): Answer {
  const { from, to, headers } = pageOf(call, items.length)
  return { status: 200, body: items.slice(from, to).map(show), headers }
}

/** Lists that say how many there are in all, under the name of what they hold. */
export function pagedUnder<T>(call: Call, name: string, items: readonly T[], show: (item: T) => unknown): Answer {
  const { from, to, headers } = pageOf(call, items.length)
  return { status: 200, body: { total_count: items.length, [name]: items.slice(from, to).map(show) }, headers }
}
