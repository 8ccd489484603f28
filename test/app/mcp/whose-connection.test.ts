// Whose connection is given up where there are too many: first of those of whom nobody knows anything. Whoever shows a token
// that GitHub knows is not among them, and whoever brings what GitHub signed is never.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { aGithub } from '../../adapters/small-github.ts'
import { aDoor, knowing, SECRET, written } from './a-door.ts'

const CONNECTIONS_MAX = 1_000
const KNOWN_MAX = 500

async function silent(port: number, count: number): Promise<void> {
  const sockets: Socket[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  for (let index = 0; index < count; index += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
  }
}
const isOpen = ({ socket }: { readonly socket: Socket }): boolean => !socket.destroyed && socket.readable

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

test('who showed a token that GitHub knows keeps the connection among strangers who say nothing', async () => {
  const github = await aGithub(knowing('gho_ada'))
  const { port } = await aDoor(github.url)
  const authorization = 'Bearer gho_ada'
  const signature = `sha256=${createHmac('sha256', SECRET).update('{}').digest('hex')}`
  const delivery = { 'x-github-event': 'ping', 'x-github-delivery': '1', 'x-hub-signature-256': signature }
  const kept = [
    written(port, 'POST /mcp', { ...json, authorization }, list),
    written(port, 'GET /attempts/acme/shop/7', { authorization }),
    written(port, 'POST /api/github/webhooks', delivery, '{}'),
  ]
  const lost = [
    written(port, 'POST /mcp', { ...json, authorization: 'Bearer gho_made_up' }, list),
    written(port, 'GET /attempts/acme/shop/7', { authorization: 'Bearer ghs_made_up' }),
    written(port, 'GET /health/live', {}),
  ]
  await Promise.all([...kept, ...lost].map(({ first }) => first))
  await silent(port, CONNECTIONS_MAX + 1)
  await Promise.all(lost.map(({ end }) => end))
  expect([kept.map(isOpen), lost.map(isOpen)]).toEqual([
    [true, true, true],
    [false, false, false],
  ])
})

test('an account at GitHub is no trust: beyond so many connections the first are as everybody’s', async () => {
  const github = await aGithub(knowing('gho_eve'))
  const { port } = await aDoor(github.url)
  const authorization = 'Bearer gho_eve'
  const first = written(port, 'GET /attempts/none', { authorization })
  await first.first
  const asked = Array.from({ length: KNOWN_MAX + 1 }, () =>
    written(port, 'GET /attempts/acme/shop/7', { authorization }),
  )
  await Promise.all(asked.map((one) => one.first))
  await silent(port, CONNECTIONS_MAX + 1)
  await first.end
  expect(asked.filter(isOpen).length).toBeLessThanOrEqual(KNOWN_MAX)
})
