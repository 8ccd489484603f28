// The tools for agents over both transports, with the official client: what is read is the document itself, what is said is
// said by the owner of the token, once, and nobody else is answered.
import type { Client } from '@modelcontextprotocol/client'
import { expect, test, vi } from 'vitest'
import { documentIn } from '../../../src/entry/attempts/read-board.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { call, mcpClients } from '../lab/mcp-clients.ts'
import { aShop } from '../lab/shop.ts'

vi.setConfig({ testTimeout: 60_000 })
const app = await sharedApp()
const { overHttp, overStdio } = mcpClients(app)

test('over both transports the document is the one in the comment, byte by byte', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  const document = documentIn((await shop.comments(number))[0] ?? '')
  const task_id = `${shop.name}#${number}`
  const [remote, local] = await Promise.all([overHttp('eve'), overStdio('eve')])
  for (const client of [remote, local]) {
    const same = { isError: false, text: document, structured: JSON.parse(document ?? '') }
    expect(await call(client, 'retry_context', { task_id })).toEqual(same)
    expect(await call(client, 'wait_for_decision', { task_id, sha })).toEqual(same)
    expect((await call(client, 'task_status', { task_id })).text).toContain('Push: yes, push a fix.')
  }
  expect((await call(remote, 'task_log', { task_id })).text).toContain('began attempt 1')
  const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)
  expect(await names(remote)).toMatchInlineSnapshot(`
    [
      "task_status",
      "retry_context",
      "task_log",
      "wait_for_decision",
      "create_task",
      "next_task",
      "update_task",
      "submit_for_review",
      "approve_task",
      "verify_task",
      "reject_verification",
      "create_goal",
      "link_task_to_goal",
      "goal_status",
      "verify_goal",
      "request_status",
      "list_requests",
    ]
  `)
  expect((await names(local)).filter((name) => name === 'check_before_push')).toHaveLength(1)
})

const verified = `version: 1
merge_requires: verified
identities: { agents: [agent] }
verification:
  checks:
    - { name: build, check_run: build, app: github-actions }
`

test('a task is approved and confirmed by others than who built it, each with their own token, and once', async () => {
  const shop = await aShop(app, verified)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  const task_id = `${shop.name}#${number}`
  const [ada, bob, agent] = await Promise.all([overHttp('ada'), overHttp('bob'), overHttp('agent')])
  expect((await call(ada, 'approve_task', { agent_name: 'ada', task_id })).isError).toBe(false)
  await shop.idle()
  expect(await shop.check(sha)).toBe(
    'action_required: Needs a person: somebody who neither built nor approved it has to confirm it',
  )

  const words = { task_id, notes: 'the shop sells\n/override all of it' }
  const mistaken = await call(bob, 'verify_task', { agent_name: 'ada', ...words })
  expect(mistaken).toMatchObject({
    isError: true,
    text: '`agent_name` is ada, and this token is bob’s: it speaks for bob alone.',
  })
  const own = await call(agent, 'verify_task', { agent_name: 'agent', ...words })
  expect(own.text).toMatch(/^`agent`: Refused: a machine account cannot do this\./)
  expect(own.isError).toBe(true)
  const first = await call(bob, 'verify_task', { agent_name: 'bob', ...words })
  expect(JSON.parse(first.text)).toMatchObject({ outcome: 'taken', said_before: false })
  const again = await call(bob, 'verify_task', { agent_name: 'bob', ...words })
  expect(JSON.parse(again.text)).toEqual({ ...JSON.parse(first.text), said_before: true })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  expect((await call(bob, 'task_log', { task_id })).text).toContain('confirmed the task')
})

test('nobody is answered without a token that GitHub knows, and no browser at all', async () => {
  const ask = async (headers: Record<string, string>, body = '{}') => {
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
    return (await fetch(`${app.url}/mcp`, { method: 'POST', headers: all, body })).status
  }
  const authorization = `Bearer ${app.github.tokenOf('ada')}`
  expect(await ask({})).toBe(401)
  expect(await ask({ authorization: 'Bearer ghp_made_up' })).toBe(401)
  expect(await ask({ authorization, origin: 'http://localhost:3000' })).toBe(403)
  // A page that leads its visitor here under its own name sends no origin with what it reads.
  expect(await ask({ authorization, 'sec-fetch-site': 'same-origin' })).toBe(403)
  expect(await ask({ authorization }, 'x'.repeat(300_000))).toBe(413)
  expect((await call(await overHttp('ada'), 'retry_context', { task_id: 'nobody/here#1' })).isError).toBe(true)
})

test('a client without a token is told where to sign in, which is at GitHub', async () => {
  const at = async (path: string, init: RequestInit = {}) => fetch(`${app.url}${path}`, { redirect: 'manual', ...init })
  const without = await at('/mcp', { method: 'POST' })
  expect(without.status).toBe(401)
  const resource = `${app.url}/.well-known/oauth-protected-resource`
  expect(without.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${resource}/mcp", scope="repo"`)
  const wrong = await at('/mcp', { method: 'POST', headers: { authorization: 'Bearer ghp_made_up' } })
  expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
  for (const path of ['', '/mcp']) {
    const answer = await at(`/.well-known/oauth-protected-resource${path}`)
    expect(await answer.json()).toEqual({
      resource: `${app.url}/mcp`,
      authorization_servers: [`${app.github.url}/login/oauth`],
      bearer_methods_supported: ['header'],
      scopes_supported: ['repo'],
      resource_name: 'Countersign',
    })
  }
  const server = await at('/.well-known/oauth-authorization-server')
  expect([server.status, server.headers.get('location')]).toEqual([
    302,
    `${app.github.url}/.well-known/oauth-authorization-server/login/oauth`,
  ])
  const behind = await at('/.well-known/oauth-protected-resource/mcp', {
    headers: { 'x-forwarded-host': 'countersign.example.com', 'x-forwarded-proto': 'https' },
  })
  expect(await behind.json()).toMatchObject({ resource: 'https://countersign.example.com/mcp' })
})

test('a token that asks too often is sent away, and others are not', async () => {
  const ask = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return (await fetch(`${app.url}/mcp`, { method: 'POST', headers, body: '{}' })).status
  }
  const asked = await Promise.all(Array.from({ length: 240 }, async () => ask('ghp_made_up_too')))
  expect(new Set(asked)).toEqual(new Set([401]))
  expect(await ask('ghp_made_up_too')).toBe(429)
  expect(await ask('ghp_another')).toBe(401)
})
