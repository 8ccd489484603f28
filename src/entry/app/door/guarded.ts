// A server that anybody may connect to: what a connection may take in time, and how many there may be. Where there are too
// many, the oldest that has not proved anything yet has to go, so that silent ones never keep somebody else out.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** GitHub gives up after ten seconds, Enterprise Server after thirty. */
const REQUEST_MS_MAX = 30_000
const HEAD_MS_MAX = 10_000
const LOOK_MS = 1_000
/** Nothing goes to and fro for so long, be it that nobody takes the answer. */
const SILENCE_MS_MAX = 60_000
/** Proxies ask again on a connection that was idle for a minute. Who closes it sooner closes some just then, and loses the request. */
const IDLE_MS_MAX = 75_000
const CONNECTIONS_MAX = 1_000
/** Anybody may have an account at GitHub, so who is known is not trusted: beyond this the first of them are as everybody. */
const KNOWN_MAX = 500
/** Who still sends when the answer is complete is listened to for so long, since closing at once would lose the answer. */
const LINGER_MS = 2_000
const CLOSE_MS_MAX = 2_000

export type Guarded = {
  readonly server: Server
  /** Who brings this is GitHub: their connection is not given up for others. */
  readonly trust: (request: IncomingMessage) => void
  /** GitHub knows who brings this: their connection is not given up for those of whom nobody knows anything. */
  readonly know: (request: IncomingMessage) => void
}

export function guardedServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Guarded {
  const unproved = new Set<Socket>()
  const known = new Set<Socket>()
  const busy = new WeakSet<Socket>()
  const limits = {
    requestTimeout: REQUEST_MS_MAX,
    headersTimeout: HEAD_MS_MAX,
    connectionsCheckingInterval: LOOK_MS,
    keepAliveTimeout: IDLE_MS_MAX,
  }
  const server = createServer(limits)
  const heard = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    // Nobody who means well asks again before the answer, and a few packets can hold thousands of questions.
    if (busy.has(socket)) return void socket.destroy()
    busy.add(socket)
    response.on('finish', () => {
      busy.delete(socket)
      linger(request)
    })
    answer(request, response)
  }
  server.on('request', heard)
  // Whoever asks before sending the body is answered before it comes, where the head says enough.
  server.on('checkContinue', heard)
  server.setTimeout(SILENCE_MS_MAX)
  // For the moment until those that were given up are closed.
  server.maxConnections = 2 * CONNECTIONS_MAX
  server.on('connection', (socket) => {
    unproved.add(socket)
    socket.on('close', () => {
      unproved.delete(socket)
      known.delete(socket)
    })
    if (unproved.size <= CONNECTIONS_MAX) return
    for (const oldest of unproved) {
      unproved.delete(oldest)
      oldest.destroy()
      break
    }
  })
  const know = ({ socket }: IncomingMessage): void => {
    // Whoever is trusted already, or gone, is no longer among the others.
    if (!unproved.delete(socket)) return
    known.add(socket)
    const [first] = known
    if (known.size <= KNOWN_MAX || first === undefined) return
    known.delete(first)
    unproved.add(first)
  }
  const trust = ({ socket }: IncomingMessage): void => {
    unproved.delete(socket)
    known.delete(socket)
  }
  return { server, trust, know }
}

function linger(request: IncomingMessage): void {
  if (request.complete) return
  const impatient = setTimeout(() => request.socket.destroy(), LINGER_MS)
  request.on('close', () => clearTimeout(impatient))
}

/** Where it listens once it does: a port of 0 is one that the system chooses. */
export async function listening(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, done)
  })
  const address = server.address()
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${name}:${address !== null && typeof address === 'object' ? address.port : port}`
}

/** What is being received may end; who never finishes is not waited for. */
export async function closed(server: Server): Promise<void> {
  const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_MS_MAX)
  await new Promise<void>((done) => server.close(() => done()))
  clearTimeout(impatient)
}
