// What stands before several processes in real life: each webhook goes to the next of them, and where that one does not take
// it, to the one after.
import { createServer, request as toProcess, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onLoopback } from '../../loopback.ts'

export type Balancer = { readonly port: number; readonly close: () => void }

/** A process that is frozen takes what it is given and never answers. */
const ANSWER_MS_MAX = 4_000

export async function balanced(ports: readonly number[]): Promise<Balancer> {
  let next = 0
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const body = await buffer(request)
      const first = next++
      for (let tries = 0; tries < ports.length; tries += 1) {
        const answer = await asked(ports[(first + tries) % ports.length] ?? 0, request, body)
        if (answer === null) continue
        response.writeHead(answer.statusCode ?? 502)
        answer.pipe(response)
        return
      }
      response.writeHead(502).end()
    }
    pass().catch(() => response.destroy())
  })
  return { port: await onLoopback(server), close: () => void server.close() }
}

function asked(port: number, request: IncomingMessage, body: Buffer): Promise<IncomingMessage | null> {
  const { method, headers, url: path } = request
  return new Promise((done) => {
    const passed = toProcess({ host: '127.0.0.1', port, method, headers, path, timeout: ANSWER_MS_MAX }, done)
    passed.once('error', () => done(null))
    passed.once('timeout', () => passed.destroy())
    passed.end(body)
  })
}
