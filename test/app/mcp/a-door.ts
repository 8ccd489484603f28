// The door of the App alone, before a GitHub of a few lines: what is asked there is nobody's but GitHub's to answer.
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { githubReaders } from '../../../src/adapters/github/people/readers.ts'
import { documentAt } from '../../../src/entry/app/door/attempts.ts'
import { mcpDoor } from '../../../src/entry/app/door/mcp-door.ts'
import { appServer } from '../../../src/entry/app/door/server.ts'
import { sealsOf } from '../../../src/entry/app/door/signature.ts'
import type { Rule } from '../../adapters/small-github.ts'
import { onLoopback } from '../../loopback.ts'

export const SECRET = 'secret'

/** `looked`: whose documents the store was asked for. */
export async function aDoor(apiUrl: string, now: () => number = () => performance.now()) {
  const looked: string[] = []
  const onError = (): void => undefined
  const store = {
    find: async (key: string) => (looked.push(key), []),
    read: async (stream: string) => (looked.push(stream), []),
  }
  const reading = { store, readers: githubReaders(apiUrl, now), hide: (text: string) => text }
  const mcp = mcpDoor({ ...reading, apiUrl, slug: async () => 'countersign', onError })
  const server = appServer(() => ({
    seals: sealsOf(SECRET),
    receive: async () => 'stored',
    refused: onError,
    health: async () => ({ ok: true, details: {} }),
    metrics: async () => '',
    document: (request, proved) => documentAt(reading, request, proved),
    mcp,
    signIn: async () => undefined,
    onError,
  }))
  const port = await onLoopback(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, url: `http://127.0.0.1:${port}`, looked }
}

/** Who GitHub knows by a token of that name, besides a workflow; everybody else it refuses, and it shows no repository. */
export const knowing =
  (...tokens: readonly string[]): Rule =>
  ({ line, headers }) => {
    if (!tokens.includes((headers.authorization ?? '').slice('Bearer '.length)))
      return { status: 401, json: { message: 'Bad credentials' } }
    if (line === 'GET /user') return { json: { id: 4_711, login: 'eve' } }
    if (line.startsWith('GET /installation/repositories')) return { json: { total_count: 0, repositories: [] } }
    return { status: 404, json: { message: 'Not Found' } }
  }

const head = (line: string, headers: Readonly<Record<string, string>>): string =>
  [`${line} HTTP/1.1`, ...Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`)].join(
    '\r\n',
  )

/** A request as it is written, which no client makes tidy: what comes back, for as long as the connection is open. */
export function written(port: number, line: string, headers: Readonly<Record<string, string>>, body = '') {
  let text = ''
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`${head(line, { 'content-length': String(Buffer.byteLength(body)), ...headers })}\r\n\r\n${body}`),
  )
  const first = Promise.withResolvers<string>()
  const end = Promise.withResolvers<string>()
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.on('data', (part) => {
    text += String(part)
    first.resolve(text)
  })
  socket.on('close', () => end.resolve(text))
  return { socket, first: first.promise, end: end.promise }
}
