// Every tool that changes something, asked by everybody who may not: nothing of it is done, and they are told why.
import { beforeAll, expect, test, vi } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { aGoal, built } from '../lab/a-goal.ts'
import { call, mcpClients } from '../lab/mcp-clients.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const app = await appOfFile()
const { overHttp, overStdio, withToken } = mcpClients(app)

let given: Awaited<ReturnType<typeof setUp>>
beforeAll(async () => {
  given = await setUp()
})

async function setUp() {
  const { shop, goal, tasks } = await aGoal(app, ['Show prices', 'Read rates'])
  const [first = 0, second = 0] = tasks
  const { pull } = await built(shop, first)
  await shop.review(pull, 'bob', 'APPROVE')
  const loose = app.github.openIssue(shop.name, { title: 'Round prices', by: 'bob' })
  await shop.idle()
  const [goal_id, task_id, issue] = [`${shop.name}#${goal}`, `${shop.name}#${pull}`, `${shop.name}#${second}`]
  const words = { notes: 'I tried it' }
  /** As whoever calls would, had they the right. */
  const args = (agent_name: string): Readonly<Record<string, Record<string, unknown>>> => ({
    create_task: { creator: agent_name, title: 'Another', project: shop.name },
    update_task: { agent_name, task_id: issue, status: 'in_progress' },
    submit_for_review: { agent_name, task_id, summary: 'done' },
    approve_task: { agent_name, task_id, ...words },
    verify_task: { agent_name, task_id, ...words },
    reject_verification: { agent_name, task_id, reason: 'it is not' },
    create_goal: { creator: agent_name, title: 'Another goal', project: shop.name },
    link_task_to_goal: { task_id: `${shop.name}#${loose}`, goal_id },
    verify_goal: { agent_name, goal_id, ...words },
  })
  return { shop, args, task_id, goal_id }
}

/** What people and programs would see of an act: decisions, confirmations, issues and who works on them. */
async function standing() {
  const { shop, task_id, goal_id } = given
  await shop.idle()
  const reader = await overHttp('bob')
  const [attempt, goal] = await Promise.all([
    call(reader, 'retry_context', { task_id }),
    call(reader, 'goal_status', { goal_id }),
  ])
  return {
    status: attempt.structured['status'],
    goal: goal.structured['status'],
    tasks: goal.structured['tasks'],
    issues: await shop.read('/issues?state=all&per_page=100').then((all) => (Array.isArray(all) ? all.length : all)),
  }
}

test('the table names every tool that changes something', async () => {
  const { tools } = await (await overHttp('ada')).listTools()
  const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)
  expect(Object.keys(given.args('ada')).toSorted()).toEqual(changing.toSorted())
})

test('in the name of somebody else: nothing, over both transports', async () => {
  const before = await standing()
  for (const client of [await overHttp('bob'), await overStdio('bob')]) {
    for (const [tool, args] of Object.entries(given.args('ada'))) {
      if (tool === 'link_task_to_goal') continue
      const answer = await call(client, tool, args)
      expect([tool, answer.isError, answer.text]).toEqual([
        tool,
        true,
        '`agent_name` is ada, and this token is bob’s: it speaks for bob alone.',
      ])
    }
  }
  expect(await standing()).toEqual(before)
})

test('with the token of a workflow, which is nobody’s: nothing', async () => {
  const before = await standing()
  const client = await withToken(app.github.installationToken(given.shop.name))
  for (const [tool, args] of Object.entries(given.args('github-actions[bot]'))) {
    const answer = await call(client, tool, args)
    expect([tool, answer.isError]).toEqual([tool, true])
  }
  expect(await standing()).toEqual(before)
})

test('who built it, who may only read, and who is no lead: each is told, and nothing moves', async () => {
  const before = await standing()
  const barred = [
    ['agent', 'approve_task', /GitHub does not let this token approve|a machine account cannot do this/],
    ['agent', 'verify_task', /a machine account cannot do this/],
    ['agent', 'reject_verification', /a machine account cannot do this/],
    ['agent', 'verify_goal', /a machine account cannot do this/],
    ['bob', 'verify_goal', /not in `roles\.lead`/],
    ['bob', 'link_task_to_goal', /not in `roles\.lead`/],
    ['bob', 'verify_task', /you approved this change/],
    ['dan', 'verify_task', /permission/],
    // A stranger gets one answer.
    ['dan', 'reject_verification', /nobody has answered/],
    ['dan', 'submit_for_review', /.+/],
    ['dan', 'update_task', /write permission|take up that issue/],
    ['dan', 'verify_goal', /not in `roles\.lead`|nobody has answered/],
  ] as const
  for (const [login, tool, why] of barred) {
    const answer = await call(await overHttp(login), tool, given.args(login)[tool] ?? {})
    expect([login, tool, answer.text]).toEqual([login, tool, expect.stringMatching(why)])
  }
  expect(await standing()).toEqual(before)
})

test('whoever cannot see the repository is told nothing of it, by any tool', async () => {
  const { shop, args, task_id, goal_id } = given
  app.github.setPrivate(shop.name, true)
  app.github.createUser('mallory')
  const client = await overHttp('mallory')
  const reading = {
    task_status: { task_id },
    retry_context: { task_id },
    task_log: { task_id },
    goal_status: { goal_id },
  }
  for (const [tool, given] of Object.entries({ ...reading, ...args('mallory') })) {
    const answer = await call(client, tool, given)
    expect([tool, answer.isError]).toEqual([tool, true])
    expect(answer.text).not.toMatch(/prices|rates/i)
  }
  app.github.setPrivate(shop.name, false)
})
