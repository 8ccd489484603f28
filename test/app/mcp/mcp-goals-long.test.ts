// Goals through the tools, by agents and by a lead, each with their own token: from the goal to its confirmation.
import { expect, test, vi } from 'vitest'
import { documentIn } from '../../../src/entry/attempts/read-board.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { goalPolicy } from '../lab/a-goal.ts'
import { call, mcpClients } from '../lab/mcp-clients.ts'
import { aShop } from '../lab/shop.ts'

vi.setConfig({ testTimeout: 60_000 })
const app = await appOfFile()
const { overHttp, overStdio } = mcpClients(app)

test('a lead opens a goal and its tasks, an agent takes one and builds it, others confirm, and each call counts once', async () => {
  const shop = await aShop(app, goalPolicy)
  const { name: project } = shop
  const [ada, bob, eve, agent] = await Promise.all(['ada', 'bob', 'eve', 'agent'].map((login) => overHttp(login)))
  if (!ada || !bob || !eve || !agent) throw new Error('nobody is there')

  const goal = { creator: 'ada', title: 'A shop that sells', description: 'With prices.', project }
  const [first, twin] = await Promise.all([call(ada, 'create_goal', goal), call(ada, 'create_goal', goal)])
  const again = await call(ada, 'create_goal', goal)
  const { goal_id } = again.structured
  expect([first.structured, twin.structured].map((one) => one['goal_id'])).toEqual([goal_id, goal_id])
  expect(again.structured).toMatchObject({ outcome: 'taken', said_before: true })

  const asked = { title: 'Show prices', project, acceptance_criteria: ['Prices have two digits'], assign_to: 'nobody9' }
  const made = await call(ada, 'create_task', { creator: 'ada', ...asked, goal_id })
  const { task_id } = made.structured
  expect(made.structured).toMatchObject({ said_before: false, findings: ['GitHub did not assign nobody9.'] })
  await shop.idle()
  const linked = await call(ada, 'link_task_to_goal', { task_id, goal_id })
  expect(linked.structured).toMatchObject({ outcome: 'taken', said_before: true })

  const next = await call(agent, 'next_task', { agent_name: 'agent', goal_id })
  expect(next.structured).toMatchObject({ found: 'task', task_id, goal_id, title: 'Show prices' })
  expect(next.structured['description']).toContain('acceptance_criteria:\n  - Prices have two digits')
  const take = { agent_name: 'agent', task_id, status: 'in_progress' }
  expect((await call(agent, 'update_task', take)).structured).toMatchObject({ outcome: 'taken', said_before: false })
  expect((await call(agent, 'update_task', take)).structured).toMatchObject({ said_before: true })
  const late = await call(bob, 'update_task', { ...take, agent_name: 'bob' })
  expect(late).toMatchObject({ isError: true, text: `agent has ${String(task_id)} already. Ask for next_task.` })
  expect((await call(bob, 'next_task', { agent_name: 'bob', goal_id })).structured).toMatchObject({ found: 'nothing' })
  expect((await call(agent, 'next_task', { agent_name: 'agent', project })).structured).toMatchObject({
    found: 'task',
    words: 'It is yours already. Open a pull request that closes it.',
  })

  const number = Number(String(task_id).split('#')[1])
  const sha = await shop.push('prices')
  const pull = await shop.open('agent', { head: 'prices', body: `Closes #${number}` })
  await shop.build(sha, 'failure')
  const repair = await call(agent, 'next_task', { agent_name: 'agent', goal_id })
  expect(repair.structured).toMatchObject({ found: 'repair', task_id: `${project}#${pull}` })
  await shop.build(sha, 'success')
  const attempt = { task_id: `${project}#${pull}` }
  expect((await call(bob, 'approve_task', { agent_name: 'bob', ...attempt })).isError).toBe(false)
  await shop.idle()
  expect((await call(eve, 'verify_task', { agent_name: 'eve', ...attempt, notes: 'I looked' })).isError).toBe(false)
  await shop.idle()

  const [board = ''] = await shop.comments(Number(String(goal_id).split('#')[1]))
  const status = await call(agent, 'goal_status', { goal_id })
  expect(status.text).toBe(documentIn(board))
  expect(status.structured).toMatchObject({
    status: 'pending_verify',
    round: 1,
    counts: { verified: 1, pending: 0 },
    tasks: [{ task_id, status: 'verified', pull, who: 'eve' }],
    unblock: [{ who: 'ada', words: expect.stringContaining('/goal verify') }, { who: 'ada' }],
  })
  // Whoever only has the comment reads the same bytes.
  expect((await call(await overStdio('eve'), 'goal_status', { goal_id })).text).toBe(status.text)

  const words = { goal_id, notes: 'I bought a book' }
  const barred = await call(agent, 'verify_goal', { agent_name: 'agent', ...words })
  expect(barred).toMatchObject({
    isError: true,
    text: '`agent`: Refused: a machine account cannot do this. Who may: ada.',
  })
  const none = await call(bob, 'verify_goal', { agent_name: 'bob', ...words })
  expect(none).toMatchObject({ isError: true, text: '`bob`: Refused: you are not in `roles.lead`. Who may: ada.' })
  const confirmed = await call(ada, 'verify_goal', { agent_name: 'ada', ...words })
  expect(confirmed.structured).toMatchObject({ outcome: 'taken', said_before: false })
  expect((await call(ada, 'verify_goal', { agent_name: 'ada', ...words })).structured).toMatchObject({
    outcome: 'taken',
    said_before: true,
  })
  await shop.idle()
  expect((await call(agent, 'goal_status', { goal_id })).structured).toMatchObject({ status: 'verified' })
})
