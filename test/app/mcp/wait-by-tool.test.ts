// The tool waits as the command does: a moment in which GitHub does not answer the App ends nothing.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { aGithub } from '../../adapters/small-github.ts'
import { call } from '../lab/mcp-clients.ts'
import { aDoor, knowing } from './a-door.ts'

test.each([
  ['for a moment', 1, 'Nothing was judged at acme/shop#7 yet.'],
  ['to the end', 9, 'GitHub answered 502'],
] as const)('GitHub does not answer %s', async (_, times, text) => {
  let silent = times
  const github = await aGithub((asked) => {
    if (asked.line !== 'GET /repos/acme/shop') return knowing('gho_ada')(asked)
    silent -= 1
    return silent < 0 ? { json: { id: 7, full_name: 'acme/shop' } } : { status: 502, json: {} }
  })
  const { url, looked } = await aDoor(github.url)
  const requestInit = { headers: { authorization: 'Bearer gho_ada' } }
  const client = new Client({ name: 'an agent', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  const answer = await call(client, 'wait_for_decision', { task_id: 'acme/shop#7', timeout_seconds: 0.5 })
  await client.close()
  expect(answer).toMatchObject({ isError: true, text })
  expect(looked.length > 0).toBe(times === 1)
})
