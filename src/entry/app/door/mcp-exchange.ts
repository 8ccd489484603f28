// One request of the protocol and its answer, which may be a stream: with hands that reach what the bearer of a token may
// read, and speak with that token. Nothing of it is left when it ends.
import type { ServerEventBus } from '@modelcontextprotocol/server'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { AskedTooOften, GitHubSilent, MINUTE_MS } from '../../../adapters/github/people/readers.ts'
import { isAway } from '../../../adapters/store/away.ts'
import { NotNow } from '../../attempts/not-now.ts'
import { documents, type DocumentKind } from '../../../engine/documents.ts'
import type { PullNamed } from '../../attempts/pull-named.ts'
import type { Hands } from '../../mcp/row.ts'
import { readAt } from '../../mcp/resources.ts'
import { mcpServer } from '../../mcp/serving.ts'
import { listenAsked, watching } from '../../mcp/watching.ts'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { AttemptParts } from './attempts.ts'

export type McpParts = AttemptParts & {
  readonly apiUrl: string
  /** The name of this App, by GitHub's word. */
  readonly slug: () => Promise<string>
  readonly onError: (error: unknown) => void
}
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer | null
  readonly token: string
}

/** Whoever listens longer than this asks again, and is asked for a token again. */
const STREAM_MS_MAX = 30 * 60_000

export async function exchange(parts: McpParts, { request, response, body, token }: Exchange): Promise<void> {
  const hands = handsOf(parts, token)
  const { onError } = parts
  const addresses = body === null ? null : listenAsked(body.toString())
  const handler = createMcpHandler(({ era }) => mcpServer(hands, era === 'modern'), {
    onerror: onError,
    ...(addresses === null ? {} : { bus: changesAt(addresses, hands) }),
  })
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const answer = await handler.fetch(
    new Request('http://localhost/mcp', {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      signal: gone.signal,
      ...(body === null ? {} : { body: new Uint8Array(body) }),
    }),
  )
  response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !ofConnection.has(name))))
  if (answer.body === null) return void response.end()
  const long = setTimeout(() => gone.abort(), STREAM_MS_MAX)
  // Whoever goes before the end has what they wanted.
  await pipeline(Readable.fromWeb(answer.body), response).catch((error: unknown) => {
    if (!gone.signal.aborted) onError(error)
  })
  clearTimeout(long)
  await handler.close()
}

/** What changes is looked at while somebody listens, by whichever process they reached. */
function changesAt(addresses: readonly string[], hands: Hands): ServerEventBus {
  return {
    publish: () => undefined,
    subscribe: (listener) => {
      const watch = watching(
        (address) => readAt(hands, address),
        (uri) => listener({ kind: 'resource_updated', uri }),
      )
      watch.watch('listen', addresses)
      return watch.stop
    },
  }
}

/** What holds for the connection is between the server and whoever asks. https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'])

const secret = new Set(['authorization', 'cookie'])
/** Without the token, which nobody behind this needs to see. */
function headersOf({ headers }: IncomingMessage): Headers {
  const given = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !secret.has(name) && !ofConnection.has(name)) given.set(name, value)
  }
  return given
}

/** GitHub is asked each time whether the bearer may read what they ask for, as far as minutes do not tell. */
function handsOf({ store, readers, hide, apiUrl, slug }: McpParts, token: string): Hands {
  const found = async (kind: DocumentKind, { repository, number }: PullNamed): Promise<string | null> => {
    const key = await readers.repository(token, repository)
    const text = key === null ? null : await documents[kind](store, key, number)
    return text === null ? null : hide(text)
  }
  const document: Hands['document'] = async (kind, named) => orNotNow(found(kind, named))
  return {
    read: async (pull) => ({ text: await document('attempt', pull), head: null }),
    document,
    speaking: async () => {
      const [{ githubTraffic, tokenOctokit }, { speakingWith }] = await Promise.all([
        import('../../../adapters/github/traffic/client.ts'),
        import('../../mcp/speaking.ts'),
      ])
      return speakingWith(tokenOctokit(githubTraffic(), token, apiUrl), async () => [await slug()])
    },
    check: null,
    pause: (ms) => delay(ms),
    now: () => performance.now(),
  }
}

/** What passes without whoever asked changing anything. */
async function orNotNow<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof AskedTooOften) throw new NotNow(error.message, MINUTE_MS)
    if (error instanceof GitHubSilent) throw new NotNow(error.message)
    if (isAway(error)) throw new NotNow('The database does not answer; ask again later.')
    throw error
  }
}
