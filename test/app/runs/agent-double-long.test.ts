// Agents that live on the contract alone: they know the tools, git, and nothing of the page. One takes a task, builds it,
// reads what failed, repairs it and waits; two others confirm it. Every call of theirs comes twice, webhooks are doubled and
// shuffled, and one is lost.
import type { Client } from '@modelcontextprotocol/client'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { appOfFile } from '../lab/app-of-file.ts'
import { call, mcpClients } from '../lab/mcp-clients.ts'
import { aShop, type Shop } from '../lab/shop.ts'
import { until } from '../lab/running.ts'

vi.setConfig({ testTimeout: 180_000 })
const app = await appOfFile()
const { github } = app
const { overHttp, overStdio } = mcpClients(app)

const policy = `version: 1
merge_requires: verified
identities: { agents: [agent] }
roles: { lead: [ada] }
verification:
  checks:
    - { name: build, check_run: build, app: github-actions }
`

/** A message that the network brings twice: both are answered, and what is answered is the same fact. */
async function twice(client: Client, tool: string, args: Record<string, unknown>) {
  const [one, other] = await Promise.all([call(client, tool, args), call(client, tool, args)])
  expect([one.isError, other.isError], `${tool}: ${one.text} ${other.text}`).toEqual([false, false])
  return one.structured
}

const seen = z.object({
  status: z.string(),
  may_push: z.object({ allowed: z.boolean().nullable() }),
  failed: z.array(z.string()),
  checks: z.array(z.object({ name: z.string(), output: z.string().nullable() })),
  waiting_for: z.object({ from: z.string() }),
})

/** What stands for the agent's own machine: it writes a file, and what its continuous integration says of the commit. */
const integration = async (shop: Shop, sha: string, text: string): Promise<void> => {
  const passed = text.includes('count * 3')
  github.reportCheck(shop.name, {
    name: 'build',
    sha,
    conclusion: passed ? 'success' : 'failure',
    app: 'github-actions',
    output: { title: 'build', summary: passed ? 'ok' : 'expected count * 3', text: null, annotations: [] },
  })
}

test('from a task to its confirmation, by the contract alone', async () => {
  const shop = await aShop(app, policy)
  const { name: project } = shop
  github.setDeliveries({ seed: 16, doubledPercent: 40, shuffleWithin: 3 })
  const [lead, agent, bob, eve] = [await overHttp('ada'), await overStdio('agent', { COUNTERSIGN_URL: app.url }), await overHttp('bob'), await overHttp('eve')] // prettier-ignore
  const asked = {
    creator: 'ada',
    title: 'The price of several pieces',
    project,
    acceptance_criteria: ['Two cost twice'],
  }
  await twice(lead, 'create_task', asked)

  // The agent: it is told what to do, and does as it is told.
  const next = await call(agent, 'next_task', { agent_name: 'agent', project })
  const { task_id } = z.object({ found: z.literal('task'), task_id: z.string() }).parse(next.structured)
  await twice(agent, 'update_task', { agent_name: 'agent', task_id, status: 'in_progress' })
  const issue = Number(task_id.split('#')[1])
  let code = 'export const price = (count: number) => count + 3\n'
  let sha = github.push(project, 'price', { files: { 'src/price.ts': code }, author: 'agent' })
  const pull = github.openPull(project, { title: 'Price', head: 'price', body: `Closes #${issue}`, by: 'agent' })
  const attempt = { task_id: `${project}#${pull}` }
  let pushes = 1
  for (;;) {
    await integration(shop, sha, code)
    const decided = seen.parse(await twice(agent, 'wait_for_decision', { ...attempt, sha, timeout_seconds: 60 }))
    if (decided.status !== 'retry' || decided.may_push.allowed !== true) break
    expect(decided.failed).toEqual(['check:build'])
    const hint = /expected (.+)/.exec(decided.checks.map(({ output }) => output).join('\n'))?.[1] ?? 'nothing'
    code = code.replace('count + 3', hint)
    // This push is told to nobody: whoever waits for its commit waits until it is seen all the same.
    github.setDeliveries({ lostPercent: 100 })
    sha = github.push(project, 'price', { files: { 'src/price.ts': code }, author: 'agent' })
    await github.idle()
    github.setDeliveries({ lostPercent: 0 })
    pushes += 1
  }
  expect(pushes).toBe(2)
  const waiting = seen.parse(await twice(agent, 'retry_context', attempt))
  expect([waiting.status, waiting.waiting_for.from]).toEqual(['refer', 'people'])
  await twice(agent, 'submit_for_review', { agent_name: 'agent', ...attempt, summary: 'it multiplies', files_changed: ['src/price.ts'] }) // prettier-ignore

  // Others, who built nothing of it.
  await twice(bob, 'approve_task', { agent_name: 'bob', ...attempt, notes: 'it reads well' })
  await until(async () => (await shop.check(sha)).includes('has to confirm it'))
  await twice(eve, 'verify_task', { agent_name: 'eve', ...attempt, notes: 'two cost six' })
  await until(async () => (await shop.check(sha)).startsWith('success'))
  const done = seen.parse(await twice(agent, 'wait_for_decision', { ...attempt, sha }))
  expect(done.status).toBe('success')
  expect((await call(agent, 'next_task', { agent_name: 'agent', project })).structured).toMatchObject({
    found: 'nothing',
  })

  // Nothing else was said, and a word that the network brought twice has one effect. What was handed in by being ready is not said.
  const said = z
    .array(z.object({ body: z.string() }))
    .parse(await shop.read(`/issues/${pull}/comments`))
    .flatMap(({ body }) => /^\/task \w+/.exec(body)?.[0] ?? [])
  expect(new Set(said)).toEqual(new Set(['/task verify']))
  const log = (await call(eve, 'task_log', attempt)).text
  expect(log.match(/confirmed the task/g)).toHaveLength(1)
  expect(log).not.toMatch(/second time/)
})
