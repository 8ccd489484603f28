// The tools for coding agents over HTTP, at `/mcp`: each request stands alone, so that any process serves it. Whoever asks
// shows a token, which GitHub is asked about; what changes something is said with that token. The protocol is loaded when
// the first one asks. A browser is never answered, so that no page can ask in the name of whoever looks at it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { GitHubSilent } from '../../adapters/github/readers.ts'
import { documents, type DocumentKind } from '../../engine/documents.ts'
import type { PullNamed } from '../attempts/pull-named.ts'
import type { Hands } from '../mcp/row.ts'
import { tokenOf, type AttemptParts } from './attempts.ts'
import { declared, roomFor, whole } from './bodies.ts'

export const MCP_PATH = '/mcp'
const BODY_BYTES_MAX = 256 * 1024
const RECEIVING_BYTES_MAX = 8 * 1024 * 1024

export type McpDoor = (request: IncomingMessage, response: ServerResponse) => Promise<void>
export type McpParts = AttemptParts & { readonly apiUrl: string; readonly onError: (error: unknown) => void }

export function mcpDoor(parts: McpParts): McpDoor {
  const room = roomFor(RECEIVING_BYTES_MAX)
  return async (request, response) => {
    const token = tokenOf(request)
    const why = await refusal(parts, request, token)
    if (why !== null || token === null) return refuse(response, why ?? [401, 'Show a token.'])
    const body = request.method === 'POST' ? await room.receive(request, BODY_BYTES_MAX) : null
    if (body === 'broken off') return
    if (body === 'too large') return refuse(response, tooLarge)
    if (body === 'no room') return refuse(response, [503, 'More is being sent than can be received at once.'])
    const [{ createMcpHandler }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('../mcp/serving.ts'),
    ])
    const hands = handsOf(parts, token)
    const { onError } = parts
    const handler = createMcpHandler(() => mcpServer(hands), { onerror: onError, maxRequestBodySize: BODY_BYTES_MAX })
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const answer = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: request.method ?? 'GET',
        headers: headersOf(request),
        signal: gone.signal,
        ...(body === null ? {} : { body: new Uint8Array(await whole(body)) }),
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body === null) return void response.end()
    // Whoever goes before the end has what they wanted.
    await pipeline(Readable.fromWeb(answer.body), response).catch((error: unknown) => {
      if (!gone.signal.aborted) onError(error)
    })
    await handler.close()
  }
}

type Refusal = readonly [status: number, words: string]
const tooLarge: Refusal = [413, `A request has at most ${BODY_BYTES_MAX} bytes.`]

async function refusal({ readers }: McpParts, request: IncomingMessage, token: string | null): Promise<Refusal | null> {
  if (request.headers.origin !== undefined) return [403, 'Browsers are not answered here.']
  if (token === null) return [401, 'Show a token of GitHub: `Authorization: Bearer <token>`.']
  if (declared(request) > BODY_BYTES_MAX) return tooLarge
  if (!readers.mayAsk(token)) return [429, 'This token asks too often.']
  try {
    // The token of a workflow is nobody's, and may read its repository all the same.
    if (token.startsWith('ghs_') || (await readers.login(token)) !== null) return null
    return [401, 'GitHub does not know this token.']
  } catch (error) {
    if (!(error instanceof GitHubSilent)) throw error
    return [502, 'GitHub did not say whose token this is; ask again.']
  }
}

function refuse(response: ServerResponse, [status, message]: Refusal): void {
  const headers = { 'content-type': 'application/json', ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}) }
  const error = { code: -32_000, message }
  response.writeHead(status, headers).end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
}

/** Without the token, which nobody behind this needs to see. */
function headersOf({ headers }: IncomingMessage): Headers {
  const given = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name !== 'authorization' && name !== 'cookie') given.set(name, value)
  }
  return given
}

/** GitHub is asked each time whether the bearer may read what they ask for, as far as minutes do not tell. */
function handsOf({ store, readers, hide, apiUrl }: McpParts, token: string): Hands {
  const document = async (kind: DocumentKind, { repository, number }: PullNamed): Promise<string | null> => {
    const key = await readers.repository(token, repository)
    const text = key === null ? null : await documents[kind](store, key, number)
    return text === null ? null : hide(text)
  }
  return {
    read: async (pull) => ({ text: await document('attempt', pull), head: null }),
    document,
    speaking: async () => {
      const [{ githubTraffic, tokenOctokit }, { speakingWith }] = await Promise.all([
        import('../../adapters/github/traffic/client.ts'),
        import('../mcp/speaking.ts'),
      ])
      return speakingWith(tokenOctokit(githubTraffic(), token, apiUrl))
    },
    check: null,
    pause: (ms) => delay(ms),
    now: () => performance.now(),
  }
}
