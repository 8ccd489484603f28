// The door: webhooks are verified, stored and acknowledged here, before any work; health and figures are told, and to
// agents the documents of attempts. Nothing is read of a request whose head already says that it is refused.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isAway } from '../../../adapters/store/away.ts'
import { isDocumentPath, type Answer } from './attempts.ts'
import { declared, roomFor, whole, type Room } from './bodies.ts'
import { guardedServer, type Guarded } from './guarded.ts'
import type { Health } from '../watched/health.ts'
import { MCP_PATH, type McpDoor } from './mcp-door.ts'
import type { Seals } from './signature.ts'
import { isSignInPath } from './signing-in.ts'

export type Delivered = { readonly event: string; readonly guid: string; readonly body: Buffer }
export type Routes = {
  /** Resolves when the delivery is durable; throws where it could not be stored. */
  readonly receive: (webhook: Delivered) => Promise<'stored' | 'ignored' | 'no json'>
  /** A webhook was turned away unread, or could not be stored. */
  readonly refused: () => void
  readonly seals: Seals
  readonly health: () => Promise<Health>
  readonly metrics: () => Promise<string>
  /** What agents read, each with a token of their own. */
  readonly document: (request: IncomingMessage, proved: () => void) => Promise<Answer>
  readonly mcp: McpDoor
  /** Where clients learn how to come by a token. */
  readonly signIn: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** GitHub caps payloads at 25 MB. https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
const BODY_BYTES_MAX = 25 * 1024 * 1024
/** Of all bodies that nobody has verified yet. */
const RECEIVING_BYTES_MAX = 64 * 1024 * 1024
const AGAIN_SECONDS = 10

type Door = Routes & Omit<Guarded, 'server'> & { readonly room: Room }

/** `routes` may change from one request to the next. */
export function appServer(routes: () => Routes): Server {
  const room = roomFor(RECEIVING_BYTES_MAX)
  const { server, trust, know } = guardedServer((request, response) => {
    const now = routes()
    answer({ ...now, room, trust, know }, request, response).catch((error: unknown) => {
      now.onError(error)
      if (response.headersSent) return
      if (!isAway(error)) return send(response, 500, 'The delivery could not be stored; bring it again.\n')
      response.setHeader('retry-after', AGAIN_SECONDS)
      send(response, 503, 'The database does not answer; bring this again later.\n')
    })
  })
  return server
}

async function answer(door: Door, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0]
  if (path === '/api/github/webhooks') return webhook(door, request, response)
  if (path === MCP_PATH) return door.mcp(request, response, () => door.know(request))
  if (request.method !== 'GET') return send(response, 405, 'Only GET is answered here.\n')
  if (path !== undefined && isDocumentPath(path)) {
    const { status, text, headers } = await door.document(request, () => door.know(request))
    return void response.writeHead(status, headers).end(text)
  }
  if (path !== undefined && isSignInPath(path)) return door.signIn(request, response)
  if (path === '/health') {
    const { ok, details } = await door.health()
    return send(response, ok ? 200 : 503, JSON.stringify(details), 'application/json')
  }
  if (path === '/health/live') return send(response, 200, '{"status":"alive"}', 'application/json')
  if (path === '/metrics') return send(response, 200, await door.metrics(), 'text/plain; version=0.0.4')
  if (path === '/')
    return send(response, 200, 'Countersign is running. Webhooks: /api/github/webhooks, health: /health\n')
  return send(response, 404, 'There is nothing here.\n')
}

const notSigned = 'The signature does not match the webhook secret.\n'
const tooLarge = 'The payload is larger than GitHub sends.\n'

async function webhook(
  { room, seals, trust, receive, refused }: Door,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return send(response, 405, 'Webhooks are POSTed here.\n')
  const { 'x-github-event': event, 'x-github-delivery': guid, 'x-hub-signature-256': signature } = request.headers
  if (typeof signature !== 'string') {
    return send(response, 401, 'A webhook is signed: the header x-hub-signature-256 is missing.\n')
  }
  if (typeof event !== 'string' || typeof guid !== 'string') {
    return send(response, 400, 'A webhook has the headers x-github-event and x-github-delivery.\n')
  }
  const seal = seals(signature)
  if (seal === null) return send(response, 401, notSigned)
  if (declared(request) > BODY_BYTES_MAX) return send(response, 413, tooLarge)
  if (request.headers.expect !== undefined) response.writeContinue()
  const body = await room.receive(request, BODY_BYTES_MAX, seal.seen)
  if (body === 'broken off') return
  if (body === 'too large') return send(response, 413, tooLarge)
  if (body === 'no room') {
    refused()
    response.setHeader('retry-after', AGAIN_SECONDS)
    return send(response, 503, 'More is being sent than can be received at once; bring it again later.\n')
  }
  if (body.length === 0 || !seal.holds()) return send(response, 401, notSigned)
  trust(request)
  const outcome = await receive({ event, guid, body: await whole(body) }).catch((error: unknown) => {
    refused()
    throw error
  })
  if (outcome === 'no json') {
    return send(response, 400, 'The payload is not JSON. Set the content type of the webhook to application/json.\n')
  }
  return send(response, 202, `${outcome}\n`)
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  // Told how long it is, it leaves in one piece.
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}
