// A repository of this disk over HTTP, as GitHub serves it to a job: by git's own program for that, and only to whoever
// brings a token.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onLoopback } from '../loopback.ts'

export type GitServer = {
  /** What a job is told as the address of GitHub. */
  readonly url: string
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[]
  readonly close: () => Promise<void>
}

export async function gitServer(directory: string): Promise<GitServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', 'http://git.localhost')
    asked.push(at.pathname)
    const [kind, word = ''] = (request.headers.authorization ?? '').split(' ')
    const isKnown = kind === 'basic' && /^x-access-token:.+/.test(Buffer.from(word, 'base64').toString())
    if (isKnown) return answer(directory, at, request, response)
    response.writeHead(401).end()
  })
  const port = await onLoopback(server)
  return {
    // The artifact client takes every other host for an Enterprise Server.
    url: `http://git.localhost:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(
  directory: string,
  { pathname, search }: URL,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { PATH = '' } = process.env
  const env = {
    PATH,
    GIT_PROJECT_ROOT: directory,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${pathname.split('/').slice(3).join('/')}`,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method ?? '',
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
  }
  const backend = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  request.pipe(backend.stdin)
  const parts: Buffer[] = []
  backend.stdout.on('data', (bytes: Buffer) => parts.push(bytes))
  backend.on('close', () => {
    const all = Buffer.concat(parts)
    const end = all.indexOf('\r\n\r\n')
    let status = 200
    for (const line of all.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/)
      if (name === 'Status') status = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    }
    response.writeHead(status).end(all.subarray(end + 4))
  })
}
