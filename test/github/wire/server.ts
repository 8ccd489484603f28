// The front door: one HTTP request in, one answer out. Reads the body, lets trouble strike, finds out who calls,
// counts it, lets the route answer, and adds the headers that GitHub adds. Acts run in one go, so no two interleave.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFields, type Fields } from '../fields.ts'
import { notFound, Problem, problemBody } from '../problem.ts'
import type { World } from '../world.ts'
import { mutatedIn } from '../graphql/parse.ts'
import { viewerOf } from './auth.ts'
import type { Answer, Viewer } from './call.ts'
import { distorted } from './distort.ts'
import type { Faults, Trouble } from './faults.ts'
import type { Limiter } from './limits.ts'
import { byName, findRoute, renamed, type Route } from './router.ts'

export type LoggedRequest = {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  /** What a GraphQL request changes, by the names of its fields. */
  readonly mutates: readonly string[]
  /** Who called, or null for nobody and for Apps by JWT. */
  readonly login: string | null
  /** Wall clock, in milliseconds. */
  readonly at: number
  readonly tookMs: number
}
/** A request and its answer in full, as they went over the wire. What a fault answered in our place is none. */
export type Exchange = {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
  readonly status: number
  readonly answer: unknown
}
export type Front = {
  readonly world: World
  readonly routes: readonly Route[]
  readonly faults: Faults
  readonly limiter: Limiter
  /** How long a call takes, there and back again. */
  readonly delayMs: () => number
  readonly log: (request: LoggedRequest) => void
  readonly observe: (exchange: Exchange) => void
  /** Answers the requests that steer this GitHub, which is none of its own interface. */
  readonly steer: (verb: string, body: unknown) => Promise<unknown>
}
type Incoming = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

const bodyBytesMax = 32 * 1024 * 1024

export function serve(front: Front): Server {
  const server = createServer((request, response) => {
    void answerRequest(front, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : 'unknown'
      send(response, { status: 500, body: problemBody(500, message) }, {})
    })
  })
  server.keepAliveTimeout = 60_000
  return server
}

async function answerRequest(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const incoming = await read(request)
  const verb = /^\/_admin\/(\w+)$/.exec(incoming.path)?.[1]
  if (verb !== undefined) {
    send(response, await steered(front, verb, incoming.body), {})
    return
  }
  const began = Date.now()
  front.limiter.enter()
  const troubles = front.faults.strike(incoming)
  try {
    const late = troubles.reduce((sum, one) => sum + (one.kind === 'delay' ? one.ms : 0), 0)
    if (late > 0) await sleep(late)
    const way = { ms: front.delayMs(), began: performance.now() }
    if (way.ms > 0) await sleep(way.ms / 2)
    for (const one of troubles) {
      if (one.kind !== 'held') continue
      if (one.broken === true) request.socket.destroy()
      await one.until
    }
    const { answer, headers, who } = struck(front, incoming, request, troubles)
    // What it does is done halfway, and what that takes is part of the whole.
    const left = way.ms - (performance.now() - way.began)
    if (left > 0) await sleep(left)
    for (const one of troubles) if (one.kind === 'late') await sleep(one.ms)
    if (answer === 'reset') breakOff(request, troubles)
    else send(response, answer, { date: new Date(front.world.now()).toUTCString(), ...headers })
    const { method, path, query, body } = incoming
    if (answer !== 'reset' && troubles.every(({ kind }) => honest.includes(kind))) {
      front.observe({ method, path, query: query.toString(), body, status: answer.status, answer: answer.body })
    }
    const status = answer === 'reset' ? 0 : answer.status
    const mutates = path === '/graphql' ? mutatedIn(body) : []
    const took = { at: began, tookMs: Date.now() - began }
    front.log({ method, path, query: query.toString(), status, mutates, login: who, ...took })
  } finally {
    front.limiter.leave()
  }
}

async function read(request: IncomingMessage): Promise<Incoming> {
  const url = new URL(request.url ?? '/', 'http://github.local')
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > bodyBytesMax) break
    parts.push(bytes)
  }
  const path = url.pathname.replace(/^\/api\/v3(?=\/|$)/, '').replace(/^\/api\/graphql$/, '/graphql')
  const body = Buffer.concat(parts).toString('utf8')
  return { method: request.method ?? 'GET', path, query: url.searchParams, body }
}

async function steered(front: Front, verb: string, body: string): Promise<Answer> {
  try {
    const args: unknown = body === '' ? [] : JSON.parse(body)
    return { status: 200, body: { result: (await front.steer(verb, args)) ?? null } }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown'
    const status = error instanceof Problem ? error.status : 500
    return { status, body: problemBody(status, message, error instanceof Problem ? error.errors : null) }
  }
}

function breakOff({ socket }: IncomingMessage, troubles: readonly Trouble[]): void {
  const said = troubles.find((one) => one.kind === 'reset')?.says
  if (said === undefined) socket.destroy()
  else socket.end(said)
}

type Outcome = {
  readonly answer: Answer | 'reset'
  readonly headers: Readonly<Record<string, string>>
  readonly who: string | null
}

/** What GitHub itself answers, only late, of another moment, or overtaken by events. */
const honest: readonly Trouble['kind'][] = ['delay', 'late', 'held', 'stale', 'meanwhile']

/** Trouble that strikes `after` lets the request do its work first. */
function struck(front: Front, incoming: Incoming, request: IncomingMessage, troubles: readonly Trouble[]): Outcome {
  for (const one of troubles) if (one.kind === 'meanwhile') one.act()
  const trouble = troubles.find((one) => one.kind === 'answer' || one.kind === 'reset')
  const answer = () => distorted(front.world, incoming, troubles, () => handled(front, incoming, request))
  const outcome =
    trouble === undefined || trouble.effect === 'after'
      ? answer()
      : { answer: 'reset' as const, headers: {}, who: null }
  if (trouble === undefined) return outcome
  if (trouble.kind === 'reset') return { ...outcome, answer: 'reset' }
  const message = trouble.message ?? usualWords[trouble.status] ?? 'Something went wrong'
  const body = trouble.body ?? problemBody(trouble.status, message)
  return { ...outcome, answer: { status: trouble.status, body, headers: trouble.headers ?? {} } }
}

const secondaryLimit = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'
const usualWords: Readonly<Record<number, string>> = { 403: secondaryLimit, 429: secondaryLimit, 502: 'Server Error' }

function handled(front: Front, incoming: Incoming, request: IncomingMessage): Outcome {
  const { world, limiter } = front
  let viewer: Viewer = { kind: 'nobody' }
  let counted = false
  try {
    viewer = viewerOf(world, request.headers.authorization)
    const caller = callerOf(viewer)
    if (incoming.path !== '/rate_limit') {
      limiter.spend(caller, incoming.method, incoming.path, mutatedIn(incoming.body).length > 0)
      counted = true
    }
    const answer = conditional(routed(front, incoming, viewer, `${request.headers.accept}`), incoming, request)
    if (answer.status === 304 && counted) limiter.refund(caller)
    if (answer.cost !== undefined) limiter.charge(caller, answer.cost - 1)
    return { answer, headers: limiter.headers(caller, incoming.path), who: loginOf(viewer) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, message, errors, headers } = error
    const answer = { status, body: problemBody(status, message, errors), headers }
    return { answer, headers: limiter.headers(callerOf(viewer), incoming.path), who: loginOf(viewer) }
  }
}

const loginOf = (viewer: Viewer): string | null => (viewer.kind === 'token' ? viewer.token.account.login : null)

/** Limits are per installation, per person, per App by JWT, and for all of nobody together. */
function callerOf(viewer: Viewer): string {
  switch (viewer.kind) {
    case 'nobody':
      return 'nobody'
    case 'app':
      return `app ${viewer.app.id}`
    case 'token':
      return viewer.token.installation === null
        ? `user ${viewer.token.account.id}`
        : `installation ${viewer.token.installation.id}`
  }
}

function routed(front: Front, incoming: Incoming, viewer: Viewer, accept: string): Answer {
  const { world, limiter } = front
  const path = byName(world, incoming.path)
  if (path === '/rate_limit') {
    const rate = limiter.overview(callerOf(viewer))
    const graphql = limiter.overview(callerOf(viewer), 'graphql')
    return { status: 200, body: { resources: { core: rate, search: rate, graphql }, rate } }
  }
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method
  const elsewhere = renamed(world, path)
  if (elsewhere !== null) {
    const query = incoming.query.size === 0 ? '' : `?${incoming.query.toString()}`
    const location = `${elsewhere}${query}`
    const status = method === 'GET' ? 301 : 307
    return { status, body: { ...problemBody(status, 'Moved Permanently'), url: location }, headers: { location } }
  }
  const match = findRoute(front.routes, method, path.replace(/\/$/, ''))
  if (match === null) throw notFound()
  const { query } = incoming
  const call = { world, method, path, query, accept, viewer, params: match.params, body: parsed(incoming.body) }
  return match.route.handle(call)
}

/** GitHub takes a bare list of labels as well as an object. */
function parsed(body: string): Fields {
  if (body === '') return {}
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new Problem(400, 'Problems parsing JSON')
  }
  if (Array.isArray(value)) return { labels: value }
  if (!isFields(value)) throw new Problem(400, 'Body should be a JSON object')
  return value
}

/** An ETag belongs to what is shown and to the token that it is shown to. */
function conditional(answer: Answer, incoming: Incoming, request: IncomingMessage): Answer {
  if (answer.status !== 200 || (incoming.method !== 'GET' && incoming.method !== 'HEAD')) return answer
  const shown = Buffer.isBuffer(answer.body) ? answer.body : JSON.stringify(answer.body)
  const hash = createHash('sha256')
    .update(request.headers.authorization ?? '')
    .update(shown)
    .digest('hex')
  const etag = `W/"${hash}"`
  const headers = { ...answer.headers, etag, 'cache-control': 'private, max-age=60, s-maxage=60' }
  const asked = request.headers['if-none-match']?.split(/,\s*/) ?? []
  const known = asked.some((one) => one.replace(/^W\//, '') === `"${hash}"`)
  return known ? { status: 304, body: null, headers } : { ...answer, headers }
}

function send(response: ServerResponse, answer: Answer, headers: Readonly<Record<string, string>>): void {
  const { status, body } = answer
  response.statusCode = status
  response.setHeader('server', 'github.com')
  response.setHeader('x-github-request-id', randomUUID())
  response.setHeader('x-github-media-type', 'github.v3; format=json')
  response.setHeader('x-github-api-version-selected', '2022-11-28')
  if (body !== null) response.setHeader('content-type', 'application/json; charset=utf-8')
  for (const [name, value] of Object.entries({ ...headers, ...answer.headers })) response.setHeader(name, value)
  response.end(body === null ? undefined : Buffer.isBuffer(body) ? body : JSON.stringify(body))
}
