// What goes over the wire to GitHub and comes back, as it is met there: packed, cut off, sent elsewhere, never ended.
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { receive } from '../../src/adapters/github/traffic/answer.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { isOutage } from '../../src/engine/outage.ts'
import { onLoopback } from '../loopback.ts'
import { fakeTime } from './fake-time.ts'

const json = { 'content-type': 'application/json; charset=utf-8' }
const text = JSON.stringify({ title: 'Prices — ä' })

async function asking(listener: RequestListener) {
  const server = createServer(listener)
  const port = await onLoopback(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const time = fakeTime()
  const url = `http://127.0.0.1:${port}`
  return {
    time,
    url,
    ask: (path = '/', init: Parameters<typeof receive>[2] = {}) =>
      receive({ time, fetch: null, stream: false }, `${url}${path}`, init),
  }
}

test.each([
  ['as it is', 'identity', Buffer.from(text)],
  ['packed', 'gzip', gzipSync(text)],
])('an answer %s', async (_, encoding, bytes) => {
  const { ask } = await asking(({ headers }, response) => {
    expect(headers['accept-encoding']).toBe('gzip')
    response.writeHead(200, { ...json, etag: '"1"', 'content-encoding': encoding }).end(bytes)
  })
  const { status, body, headers } = await ask()
  expect([status, body, headers.get('etag')]).toEqual([200, text, '"1"'])
})

const parts: [string, Record<string, string>, Buffer][] = [
  ['a body that breaks off', { 'content-length': '900' }, Buffer.from(text)],
  ['a packed body that breaks off', { 'content-encoding': 'gzip' }, gzipSync(text).subarray(0, 20)],
]
test.each(parts)('%s is no answer', async (_, headers, bytes) => {
  const { ask } = await asking((_request, response) => {
    response.writeHead(200, { ...json, ...headers })
    response.write(bytes, () => ('content-length' in headers ? response.destroy() : response.end()))
  })
  expect(await ask().catch((error: unknown) => error)).toBeInstanceOf(TypeError)
})

test('whoever asks by the client library is told of a body that is packed wrongly as of an outage', async () => {
  const { url } = await asking((_request, response) => {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('not packed')
  })
  const octokit = tokenOctokit(githubTraffic(), 'token', url)
  const error = await octokit.request('GET /meta').catch((one: unknown) => one)
  expect(isOutage(error)).toBe(true)
})

test('what is packed in a way that nobody asked for is not read', async () => {
  const { ask } = await asking((_request, response) => {
    response.writeHead(200, { ...json, 'content-encoding': 'br' }).end(text)
  })
  expect(await ask().catch((error: Error) => String(error.cause))).toContain('br')
})

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\n'
test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a head that breaks off', head],
  ['chunks without a length', `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\nwhat\r\n`],
  ['a length that is none', `${head}content-length: many\r\n\r\n{}`],
  ['two lengths', `${head}content-length: 2\r\ncontent-length: 9\r\n\r\n{}`],
  ['a head without an end', `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}`],
])('what is %s is a case of an outage', async (_, text) => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(text))
  })
  const port = await onLoopback(server)
  onTestFinished(() => void server.close())
  const error = await receive({ time: fakeTime(), fetch: null, stream: false }, `http://127.0.0.1:${port}/`, {}).catch(
    (one: unknown) => one,
  )
  expect(isOutage(error)).toBe(true)
})

test('a connection that is refused is a case of an outage', async () => {
  const { ask } = await asking(({ socket }) => socket.destroy())
  const error = await ask().catch((one: unknown) => one)
  expect(isOutage(error)).toBe(true)
})

test.each([301, 302, 307, 308])('where a name is another one by now (%d), what is there is read', async (status) => {
  const { ask } = await asking(({ url }, response) => {
    if (url === '/old') response.writeHead(status, { location: '/new' }).end()
    else response.writeHead(200, json).end(text)
  })
  const { body, url } = await ask('/old')
  expect(body).toBe(text)
  expect(new URL(url).pathname).toBe('/new')
})

test.each(['POST', 'PATCH', 'PUT', 'DELETE'])('%s tells how long its body is', async (method) => {
  const { ask } = await asking((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const whole = Buffer.concat(parts)
      response.writeHead(200, json).end(JSON.stringify([request.headers['content-length'], whole.toString('utf8')]))
    })
  })
  const { body } = await ask('/', { method, body: text })
  expect(body).toBe(JSON.stringify([String(Buffer.byteLength(text)), text]))
})

test.each([204, 304])('%d has no text', async (status) => {
  const { ask } = await asking((_request, response) => void response.writeHead(status, { etag: '"1"' }).end())
  expect((await ask()).body).toBe('')
})

test('what is no text is given as it came', async () => {
  const bytes = Buffer.from([0, 255, 1, 254])
  const { ask } = await asking((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
  })
  const { body } = await ask()
  expect(body instanceof Response && Buffer.from(await body.arrayBuffer())).toEqual(bytes)
})

test('an answer that never ends has failed after thirty seconds, and says which', async () => {
  const { ask, time } = await asking((_request, response) => void response.writeHead(200, json).write('{'))
  const answer = ask('/slow').catch(String)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await time.advance(30_000)
  expect(await answer).toBe('Error: GitHub did not answer GET /slow within 30 seconds.')
})

test('whoever asked can abort', async () => {
  const abort = new AbortController()
  const { ask } = await asking((_request, response) => void response.writeHead(200, json).write('{'))
  const answer = ask('/', { signal: abort.signal }).catch(String)
  abort.abort(new Error('superseded'))
  expect(await answer).toBe('Error: superseded')
})
