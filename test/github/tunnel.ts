// The way out of a network that has one: a proxy that remembers where it was asked to go. What is not encrypted it may be asked to
// bring itself.
import { createServer, request as sent } from 'node:http'
import { connect } from 'node:net'
import { onLoopback } from '../loopback.ts'

export async function aTunnel() {
  const asked = new Set<string>()
  const server = createServer((request, response) => {
    const { method, headers, url = '' } = request
    if (!URL.canParse(url)) return void response.writeHead(400).end()
    asked.add(new URL(url).host)
    const there = sent(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    there.on('error', () => response.destroy())
    request.pipe(there)
  })
  server.on('connect', ({ url = '' }, socket) => {
    asked.add(url)
    const { hostname, port } = new URL(`http://${url}`)
    const there = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      there.pipe(socket)
      socket.pipe(there)
    })
    there.on('error', () => socket.destroy())
    socket.on('error', () => there.destroy())
  })
  const port = await onLoopback(server)
  return { url: `http://127.0.0.1:${port}`, asked, close: () => server.close() }
}
