// Requests through the tools: where one stands, and which of them wait for whom. Approving is said by people on GitHub.
import { expect, test, vi } from 'vitest'
import { documentIn } from '../../../src/entry/attempts/read-board.ts'
import { aRequest, formed } from '../lab/a-request.ts'
import { built } from '../lab/a-goal.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { call, mcpClients } from '../lab/mcp-clients.ts'

vi.setConfig({ testTimeout: 60_000 })
const app = await sharedApp()
const { overHttp, overStdio } = mcpClients(app)
const { github } = app

test('an agent reads where a request stands from the first word to the last, and the same bytes wherever it reads', async () => {
  const { shop, request, page } = await aRequest(app)
  const agent = await overHttp('agent')
  const request_id = `${shop.name}#${request}`
  const status = async () => (await call(agent, 'request_status', { request_id })).structured
  expect(await status()).toMatchObject({
    schema: 'countersign/request@1',
    request_id,
    title: 'Show prices',
    status: 'triaged',
    headline: 'Waits for approval',
    by: 'dan',
    criteria: ['The price stands below the title', 'It has the currency of the order'],
    approval: null,
    task: null,
    unblock: [
      { words: '/request approve' },
      { words: '/request ask <question>' },
      { words: '/request reject <reason>' },
    ],
  })
  await shop.say(request, 'ada', '/request ask in which currency?')
  expect(await status()).toMatchObject({
    status: 'needs_info',
    question: { by: 'ada', text: 'in which currency?' },
    unblock: [{ who: 'dan' }],
  })
  await shop.say(request, 'ada', '/request approve\n\nIn euro.')
  const { pull } = await built(shop, request)
  expect(await status()).toMatchObject({
    status: 'in_work',
    approval: { by: 'ada', solo: false },
    task: { task_id: request_id, status: 'review', pull },
    unblock: [],
  })
  const { text } = await call(agent, 'request_status', { request_id })
  expect(text).toBe(documentIn(await page()))
  expect((await call(await overStdio('agent'), 'request_status', { request_id })).text).toBe(text)
  const address = `countersign://requests/${shop.name}/${request}`
  expect((await agent.readResource({ uri: address })).contents).toMatchObject([{ text }])
  const none = await call(agent, 'request_status', { request_id: `${shop.name}#${pull}` })
  expect(none).toMatchObject({ isError: true, text: expect.stringContaining('is no request') })
})

test('those that wait are listed, the oldest first, with whom they wait for; no tool approves one', async () => {
  const { shop, request } = await aRequest(app)
  const { name: project } = shop
  const more = ['Take money', 'Sort books'].map((title) => {
    const number = github.openIssue(project, { title, body: formed(), by: 'dan' })
    github.label(project, number, 'request', 'bob')
    return number
  })
  await shop.idle()
  const [money = 0, books = 0] = more
  await shop.say(money, 'ada', '/request ask whose money?')
  await shop.say(books, 'ada', '/request approve')
  const agent = await overHttp('agent')
  const listed = async (wanted = {}) => (await call(agent, 'list_requests', { project, ...wanted })).structured
  expect(await listed()).toMatchObject({
    requests: [
      { request_id: `${project}#${request}`, title: 'Show prices', status: 'triaged', waits_for: 'approval' },
      { request_id: `${project}#${money}`, title: 'Take money', status: 'needs_info', waits_for: 'answers' },
    ],
  })
  expect(await listed({ status: 'approved' })).toMatchObject({ requests: [{ request_id: `${project}#${books}` }] })
  const { tools } = await agent.listTools()
  expect(
    tools
      .filter(({ name }) => name.includes('request'))
      .map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
  ).toEqual([
    ['request_status', true],
    ['list_requests', true],
  ])
})
