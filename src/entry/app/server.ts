// The door: webhooks are verified, stored and acknowledged here, before any work; health and figures are told.
import { jsonIn } from '../../core/json.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

export type Routes = {
  /** Resolves when the delivery is durable; throws where it could not be stored. */
  readonly receive: (webhook: { event: string; guid: string; payload: unknown }) => Promise<'stored' | 'ignored'>
  readonly verify: (body: string, signature: string) => Promise<boolean>
  readonly health: () => Promise<{ ok: boolean; details: unknown }>
  readonly metrics: () => Promise<string>
  readonly onError: (error: unknown) => void
}

/** GitHub caps payloads at 25 MB. https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
const BODY_BYTES_MAX = 25 * 1024 * 1024

export function appServer(routes: Routes): Server {
  return createServer((request, response) => {
    answer(routes, request, response).catch((error: unknown) => {
      routes.onError(error)
      if (!response.headersSent) send(response, 500, 'The delivery could not be stored; bring it again.\n')
    })
  })
}

async function answer(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0]
  if (path === '/api/github/webhooks') return webhook(routes, request, response)
  if (request.method !== 'GET') return send(response, 405, 'Only GET is answered here.\n')
  if (path === '/health') {
    const { ok, details } = await routes.health()
    return send(response, ok ? 200 : 503, JSON.stringify(details), 'application/json')
  }
  if (path === '/metrics') return send(response, 200, await routes.metrics(), 'text/plain; version=0.0.4')
  if (path === '/')
    return send(response, 200, 'Countersign is running. Webhooks: /api/github/webhooks, health: /health\n')
  return send(response, 404, 'There is nothing here.\n')
}

async function webhook({ verify, receive }: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return send(response, 405, 'Webhooks are POSTed here.\n')
  const { 'x-github-event': event, 'x-github-delivery': guid, 'x-hub-signature-256': signature } = request.headers
  if (typeof event !== 'string' || typeof guid !== 'string' || typeof signature !== 'string') {
    return send(response, 400, 'A webhook has the headers x-github-event, x-github-delivery and x-hub-signature-256.\n')
  }
  const body = await bodyOf(request, BODY_BYTES_MAX)
  if (body === null) return send(response, 413, 'The payload is larger than GitHub sends.\n')
  if (body === '' || signature === '' || !(await verify(body, signature))) {
    return send(response, 401, 'The signature does not match the webhook secret.\n')
  }
  const payload = jsonIn(body)
  if (payload === undefined) {
    return send(response, 400, 'The payload is not JSON. Set the content type of the webhook to application/json.\n')
  }
  const outcome = await receive({ event, guid, payload })
  return send(response, 202, `${outcome}\n`)
}

/** Null where there is more than that. */
export async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > bytesMax) return null
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type }).end(text)
}

/** Where it listens once it does: a port of 0 is one that the system chooses. */
export async function listening(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, done)
  })
  const address = server.address()
  return `http://${host}:${address !== null && typeof address === 'object' ? address.port : port}`
}
