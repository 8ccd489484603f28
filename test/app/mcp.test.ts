// The tools for agents over both transports, with the official client: what is read is the document itself, what is said is
// said by the owner of the token, once, and nobody else is answered.
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { documentIn } from '../../src/entry/attempts/read-attempt.ts'
import { entry } from '../cli/cli.ts'
import { appOfFile } from './app-of-file.ts'
import { aShop } from './shop.ts'

vi.setConfig({ testTimeout: 60_000 })
const app = await appOfFile()
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.close()
})

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'an agent', version: '1' })
  await client.connect(transport)
  clients.push(client)
  return client
}
const overHttp = (login: string): Promise<Client> => {
  const headers = { authorization: `Bearer ${app.github.tokenOf(login)}` }
  return connected(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } }))
}
const overStdio = (login: string, more: Record<string, string> = {}): Promise<Client> => {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, GITHUB_TOKEN: app.github.tokenOf(login), GITHUB_API_URL: app.github.url, ...more }
  return connected(
    new StdioClientTransport({ command: process.execPath, args: [entry, 'mcp'], env, stderr: 'inherit' }),
  )
}

const answered = z.object({
  content: z.array(z.object({ text: z.string() })),
  isError: z.boolean().optional(),
})
async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError = false } = answered.parse(await client.callTool({ name, arguments: args }))
  return { isError, text: content.map(({ text }) => text).join('\n') }
}

test('over both transports the document is the one in the comment, byte by byte', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  const document = documentIn((await shop.comments(number))[0] ?? '')
  const task_id = `${shop.name}#${number}`
  const [remote, local] = await Promise.all([overHttp('eve'), overStdio('eve')])
  for (const client of [remote, local]) {
    expect(await call(client, 'retry_context', { task_id })).toEqual({ isError: false, text: document })
    expect(await call(client, 'wait_for_decision', { task_id, sha })).toEqual({ isError: false, text: document })
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
      "submit_for_review",
      "approve_task",
      "verify_task",
      "reject_verification",
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
  expect(mistaken).toEqual({
    isError: true,
    text: '`agent_name` is ada, and this token is bob’s: it speaks for bob alone.',
  })
  const own = await call(agent, 'verify_task', { agent_name: 'agent', ...words })
  expect(own.text).toMatch(/^`agent`: Refused: you made part of this change, so somebody else must judge it\./)
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
  expect(await ask({ authorization }, 'x'.repeat(300_000))).toBe(413)
  expect((await call(await overHttp('ada'), 'retry_context', { task_id: 'nobody/here#1' })).isError).toBe(true)
})
