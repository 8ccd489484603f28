// Whoever asks for the connection to be closed after the answer reads until it is; others ask again on it.
import { expect, test } from 'vitest'
import { aGithub } from '../../adapters/small-github.ts'
import { aDoor, knowing, written } from './a-door.ts'

const authorization = 'Bearer gho_ada'
const json = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

test.each([
  ['GET /health/live', {}, ''],
  ['GET /attempts/acme/shop/7', { authorization }, ''],
  ['POST /mcp', json, list],
] as const)('%s', async (line, headers, body) => {
  const github = await aGithub(knowing('gho_ada'))
  const { port } = await aDoor(github.url)
  const kept = written(port, line, headers, body)
  expect(await kept.first).toMatch(/\r\nconnection: keep-alive\r\n/i)
  const text = await written(port, line, { ...headers, connection: 'close' }, body).end
  expect(text).toMatch(/\r\nconnection: close\r\n/i)
  expect(text.match(/^connection:/gim)).toHaveLength(1)
  expect(kept.socket.destroyed).toBe(false)
})
