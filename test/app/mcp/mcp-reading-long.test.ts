// What agents read by address over both transports, how they learn that it changed, and the prompts for people.
import type { Client } from '@modelcontextprotocol/client'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { appOfFile } from '../lab/app-of-file.ts'
import { aGoal, built } from '../lab/a-goal.ts'
import { call, mcpClients } from '../lab/mcp-clients.ts'
import { until } from '../lab/running.ts'

vi.setConfig({ testTimeout: 60_000 })
const app = await appOfFile()
const { overHttp, overStdio } = mcpClients(app)
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } }

const contents = z.object({ contents: z.array(z.object({ text: z.string(), mimeType: z.string() })) })
const read = async (client: Client, uri: string): Promise<string> =>
  contents
    .parse(await client.readResource({ uri }))
    .contents.map(({ text }) => text)
    .join('')

/** Counts what it is told, as clients of today and of before ask for it. */
async function told(client: Client, uri: string, how: 'listen' | 'subscribe') {
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
  if (how === 'subscribe') await client.subscribeResource({ uri })
  else await client.listen({ resourceSubscriptions: [uri] })
  return heard
}

test('attempts, tasks and goals are read by address, whoever listens is told of a change, and prompts bring the document', async () => {
  const { shop, goal, tasks } = await aGoal(app, ['Show prices'])
  const [task = 0] = tasks
  const { pull } = await built(shop, task)
  const at = (folder: string, number: number) => `countersign://${folder}/${shop.name}/${number}`
  const [http, today, stdio, earlier] = await Promise.all([
    overHttp('eve'),
    overHttp('eve', modern),
    overStdio('eve', { COUNTERSIGN_URL: app.url }, modern),
    overStdio('eve', { COUNTERSIGN_URL: app.url }),
  ])
  const document = (await call(http, 'retry_context', { task_id: `${shop.name}#${pull}` })).text
  for (const client of [http, today, stdio, earlier]) {
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'countersign://attempts/{owner}/{repo}/{pull}',
      'countersign://tasks/{owner}/{repo}/{issue}',
      'countersign://goals/{owner}/{repo}/{issue}',
      'countersign://requests/{owner}/{repo}/{issue}',
    ])
    expect(await read(client, at('attempts', pull))).toBe(document)
    expect(JSON.parse(await read(client, at('tasks', task)))).toMatchObject({
      task_id: `${shop.name}#${task}`,
      status: 'review',
      builders: ['agent'],
      attempts: [{ pull, status: 'refer', live: true }],
      goals: [`${shop.name}#${goal}`],
    })
    expect(JSON.parse(await read(client, at('goals', goal)))).toMatchObject({ counts: { review: 1 } })
    await expect(read(client, at('goals', 999))).rejects.toThrow('Nothing is known of')
    const { messages } = await client.getPrompt({
      name: 'verify_task',
      arguments: { task_id: `${shop.name}#${pull}` },
    })
    expect(messages.map(({ content }) => content)).toMatchObject([
      { type: 'text', text: expect.stringContaining('call reject_verification') },
      { type: 'resource', resource: { uri: at('attempts', pull), text: document } },
    ])
  }
  const heard = await Promise.all([
    told(today, at('attempts', pull), 'listen'),
    told(stdio, at('goals', goal), 'listen'),
    told(earlier, at('tasks', task), 'subscribe'),
  ])
  // What stays as it is is told to nobody.
  await new Promise((done) => setTimeout(done, 2_500))
  expect(heard).toEqual([[], [], []])
  await shop.review(pull, 'bob', 'APPROVE')
  await until(async () => heard.every((one) => one.length > 0))
  expect(heard).toEqual([[at('attempts', pull)], [at('goals', goal)], [at('tasks', task)]])
})
