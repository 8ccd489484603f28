// The way out of a network that has one: a proxy that remembers to where it was asked to tunnel.
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { onLoopback } from '../loopback.ts'

export async function aTunnel() {
  const asked = new Set<string>()
  const server = createServer((_request, response) => response.writeHead(405).end())
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
