// The socket over which the command line reaches the App while the App holds the embedded store. Only the user that the
// App runs as may use it; nothing here is reachable from another machine.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonIn } from '../../../core/json.ts'
import { operation, perform, type Operations } from '../../operations.ts'
import { roomFor, whole, type Room } from './bodies.ts'
import { wordsOf } from '../../../core/error-words.ts'

/** Another way to ask is another path, so that versions that do not understand each other notice. */
export const OPERATIONS_PATH = '/operations/v1'

const REQUEST_BYTES_MAX = 16 * 1024
const REQUESTS_BYTES_MAX = 64 * REQUEST_BYTES_MAX
/** The shortest that a system allows (macOS). See unix(7), sun_path. */
const PATH_BYTES_MAX = 103

/** Where the App of a data directory listens. */
export function socketPath(directory: string): string {
  const home = realpathSync(directory)
  const path = join(home, 'socket')
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return path
  return join(tmpdir(), `countersign-${createHash('sha256').update(home).digest('hex').slice(0, 16)}.sock`)
}

export type Socket = { readonly stop: () => Promise<void> }

/** Call it with the store's lock held: whatever lies at the path was then left by a process that died. */
export async function openSocket(
  directory: string,
  operations: Operations,
  onError: (error: unknown) => void,
): Promise<Socket> {
  const path = socketPath(directory)
  const room = roomFor(REQUESTS_BYTES_MAX)
  const server = createServer((request, response) => {
    answer(operations, room, request, response).catch((error: unknown) => {
      onError(error)
      if (!response.headersSent) send(response, 500, { error: wordsOf(error) })
    })
  })
  try {
    rmSync(path, { force: true })
    // The file appears while `listen` runs, and is never open to others, not even for a moment.
    const before = process.umask(0o177)
    try {
      server.listen(path)
    } finally {
      process.umask(before)
    }
    await once(server, 'listening')
  } catch (cause) {
    // Not every file system takes sockets, and what lies there may be somebody else's. The gate does not depend on it.
    onError(new Error(`The command line cannot reach this App: ${path} cannot be a socket`, { cause }))
    return { stop: async () => {} }
  }
  return {
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function answer(
  operations: Operations,
  room: Room,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST' || request.url !== OPERATIONS_PATH) {
    return send(response, 404, { error: `This App answers POST ${OPERATIONS_PATH} only` })
  }
  const body = await room.receive(request, REQUEST_BYTES_MAX)
  if (typeof body === 'string') {
    return send(response, 413, { error: `A request has at most ${REQUEST_BYTES_MAX} bytes` })
  }
  const asked = operation.safeParse(jsonIn((await whole(body)).toString('utf8')))
  if (!asked.success) return send(response, 400, { error: 'This App does not know that operation' })
  send(response, 200, { answer: await perform(operations, asked.data) })
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
