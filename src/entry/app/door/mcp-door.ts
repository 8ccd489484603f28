// The tools for coding agents over HTTP, at `/mcp`: each request stands alone, so that any process serves it. Whoever asks
// shows a token, which GitHub is asked about; what changes something is said with that token. The protocol is loaded when
// the first one asks. A browser is never answered, so that no page can ask in the name of whoever looks at it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusalOf, tokenOf, type Refusal } from './bearer.ts'
import { declared, roomFor, whole } from './bodies.ts'
import type { McpParts } from './mcp-exchange.ts'
import { challenge } from './signing-in.ts'

export const MCP_PATH = '/mcp'
const BODY_BYTES_MAX = 256 * 1024
const RECEIVING_BYTES_MAX = 8 * 1024 * 1024
/** Exchanges at once, of which most wait for a decision. */
const EXCHANGES_MAX = 1_000

/** `proved` is called where GitHub knows who asks. */
export type McpDoor = (request: IncomingMessage, response: ServerResponse, proved: () => void) => Promise<void>

export function mcpDoor(parts: McpParts): McpDoor {
  const room = roomFor(RECEIVING_BYTES_MAX)
  let exchanges = 0
  return async (request, response, proved) => {
    const token = tokenOf(request)
    const why = await refusal(parts, request, token)
    if (why !== null || token === null) return refuse(request, response, why ?? [401, 'Show a token.'])
    proved()
    const body = request.method === 'POST' ? await room.receive(request, BODY_BYTES_MAX) : null
    if (body === 'broken off') return
    if (body === 'too large') return refuse(request, response, tooLarge)
    if (body === 'no room') return refuse(request, response, [503, 'More is being sent than can be received at once.'])
    if (exchanges >= EXCHANGES_MAX) return refuse(request, response, [503, 'Too many are being answered; ask again.'])
    exchanges += 1
    try {
      const { exchange } = await import('./mcp-exchange.ts')
      await exchange(parts, { request, response, token, body: body === null ? null : await whole(body) })
    } finally {
      exchanges -= 1
    }
  }
}

const tooLarge: Refusal = [413, `A request has at most ${BODY_BYTES_MAX} bytes.`]

async function refusal({ readers }: McpParts, request: IncomingMessage, token: string | null): Promise<Refusal | null> {
  if (isBrowser(request)) return [403, 'Browsers are not answered here.']
  if (token === null) return [401, 'Show a token of GitHub: `Authorization: Bearer <token>`.']
  if (declared(request) > BODY_BYTES_MAX) return tooLarge
  return refusalOf(readers, token)
}

/** Also one that was led here under another name. https://developer.mozilla.org/en-US/docs/Web/HTTP/Headers/Sec-Fetch-Site */
const isBrowser = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined

function refuse(request: IncomingMessage, response: ServerResponse, [status, message]: Refusal): void {
  const headers = {
    'content-type': 'application/json',
    ...(status === 401 ? { 'www-authenticate': challenge(request, tokenOf(request) !== null) } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': '60' } : {}),
  }
  const error = { code: -32_000, message }
  response.writeHead(status, headers).end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
}
