// What a task of a goal waits for stands on the board before anybody has begun with it, and nobody is told to begin with it.
import { expect, test, vi } from 'vitest'
import { aGoal, verified } from '../lab/a-goal.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { call, mcpClients } from '../lab/mcp-clients.ts'

vi.setConfig({ testTimeout: 60_000 })
const app = await appOfFile()
const { overHttp } = mcpClients(app)
const { github } = app

test('the board says what blocks which task, and the next task is one that nothing blocks', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices', 'Read rates'])
  const { name } = shop
  const [prices = 0, rates = 0] = tasks
  expect(await board()).toContain(`| #${prices} Show prices | not begun | somebody to take it up |`)
  github.addBlocker(name, prices, rates, 'bob')
  await shop.idle()
  expect(await board()).toContain(
    `| #${prices} Show prices | not begun | blocked by #${rates}; somebody to take it up |`,
  )

  const [agent, bob] = [await overHttp('agent'), await overHttp('bob')]
  const goal_id = `${name}#${goal}`
  const status = await call(bob, 'goal_status', { goal_id })
  expect(status.structured['tasks']).toMatchObject([
    { task_id: `${name}#${prices}`, blocked_by: [`${name}#${rates}`] },
    { task_id: `${name}#${rates}`, blocked_by: [] },
  ])
  for (const where of [{ goal_id }, { project: name }]) {
    const next = await call(agent, 'next_task', { agent_name: 'agent', ...where })
    expect(next.structured).toMatchObject({ found: 'task', task_id: `${name}#${rates}`, blocked: [] })
  }
  await call(agent, 'update_task', { agent_name: 'agent', task_id: `${name}#${rates}`, status: 'in_progress' })
  const nothing = await call(bob, 'next_task', { agent_name: 'bob', goal_id })
  expect(nothing.structured).toMatchObject({
    found: 'nothing',
    words: `What nobody works on waits for other tasks: ${name}#${prices} for ${name}#${rates}. Stop, and say so.`,
    blocked: [{ task_id: `${name}#${prices}`, blocked_by: [`${name}#${rates}`] }],
  })

  const { pull } = await verified(shop, rates)
  expect(await board()).toContain(`| #${prices} Show prices | not begun | somebody to take it up |`)
  const next = await call(bob, 'next_task', { agent_name: 'bob', goal_id })
  expect(next.structured).toMatchObject({ found: 'task', task_id: `${name}#${prices}`, blocked: [] })
  await shop.say(pull, 'ada', '/task reopen the rates are of last year')
  expect(await board()).toContain(
    `| #${prices} Show prices | not begun | blocked by #${rates}; somebody to take it up |`,
  )
})

test('what blocked a task before it came into the goal counts, and what its block names', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Read rates'])
  const { name } = shop
  const [rates = 0] = tasks
  const body = `\`\`\`countersign\ndepends_on: ["#${rates}"]\n\`\`\``
  const named = github.openIssue(name, { title: 'Show prices', body, by: 'ada' })
  const listed = github.openIssue(name, { title: 'Sort prices', by: 'ada' })
  github.addBlocker(name, listed, named, 'bob')
  github.addSubIssue(name, goal, named, 'bob')
  github.addSubIssue(name, goal, listed, 'bob')
  await shop.idle()
  expect(await board()).toContain(`| #${named} Show prices | not begun | blocked by #${rates}; `)
  expect(await board()).toContain(`| #${listed} Sort prices | not begun | blocked by #${named}; `)
  github.addBlocker(name, named, listed, 'bob')
  await shop.idle()
  expect(await board()).toContain(`| #${named} Show prices | not begun | blocked by #${listed}, #${rates}; `)
})

test('what states a task in no goal is handed out once what it waits for is closed', async () => {
  const { shop } = await aGoal(app, [])
  const { name } = shop
  const rates = github.openIssue(name, { title: 'Read rates', by: 'ada' })
  const stated = (more: string) => `\`\`\`countersign\nacceptance_criteria: [Prices have two digits]\n${more}\`\`\``
  const prices = github.openIssue(name, { title: 'Show prices', body: stated(`depends_on: [${rates}]\n`), by: 'ada' })
  const sorted = github.openIssue(name, { title: 'Sort prices', body: stated(''), by: 'ada' })
  github.addBlocker(name, sorted, rates, 'ada')
  const agent = await overHttp('agent')
  const next = async () => (await call(agent, 'next_task', { agent_name: 'agent', project: name })).structured
  expect(await next()).toMatchObject({
    found: 'nothing',
    blocked: [
      { task_id: `${name}#${prices}`, blocked_by: [`${name}#${rates}`] },
      { task_id: `${name}#${sorted}`, blocked_by: [`${name}#${rates}`] },
    ],
  })
  github.closeIssue(name, rates, 'ada')
  expect(await next()).toMatchObject({ found: 'task', task_id: `${name}#${prices}` })
})
