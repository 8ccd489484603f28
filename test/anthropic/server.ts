// A server that speaks the streaming protocol to the letter and misbehaves as a test wants: stalls, cuts, errors in the
// middle, pages of somebody else's proxy. What arrives is kept as it came over the wire.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onLoopback } from '../loopback.ts'

export type Arrived = { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: unknown }
export type Handler = (response: ServerResponse, arrived: Arrived, nth: number) => void
export type Wire = { readonly url: string; readonly arrived: Arrived[]; readonly stop: () => Promise<void> }

export async function aWire(handler: Handler): Promise<Wire> {
  const arrived: Arrived[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const body: unknown = text === '' ? null : JSON.parse(text)
      const one = { path: request.url ?? '', headers: request.headers, body }
      arrived.push(one)
      response.on('error', () => undefined)
      handler(response, one, arrived.length)
    })
  })
  const port = await onLoopback(server)
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((done) => server.close(() => done()))
  }
  return { url: `http://127.0.0.1:${port}`, arrived, stop }
}

export type Event = { readonly type: string; readonly [key: string]: unknown }

export const usage = {
  input_tokens: 40,
  cache_creation_input_tokens: 1_000,
  cache_read_input_tokens: 9_000,
  output_tokens: 1,
}
export const opened = (given: Record<string, unknown> = usage): Event => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5-5',
    content: [],
    stop_reason: null,
    usage: given,
  },
})
export const texts = (text: string, index = 0): Event[] => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index },
]
export const ended = (stop_reason: string, more: Record<string, unknown> = {}): Event[] => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null, ...more }, usage: { output_tokens: 500 } },
  { type: 'message_stop' },
]

export const sse = (events: readonly Event[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

export function streams(response: ServerResponse, events: readonly Event[], end = true): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_42' })
  response.write(sse(events))
  if (end) response.end()
}

export const answers = (response: ServerResponse, text: string): void =>
  streams(response, [opened(), ...texts(text), ...ended('end_turn')])

export function fails(
  response: ServerResponse,
  status: number,
  error: Record<string, unknown>,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_bad', ...headers })
  response.end(JSON.stringify({ type: 'error', error }))
}
