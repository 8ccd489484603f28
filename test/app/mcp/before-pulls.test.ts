// Goals are planned before anybody opens a pull request: whose answers are those of the App is known then, too, from who put its label
// on the issue; and where nobody can tell, that is said at once.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { goalPolicy } from '../lab/a-goal.ts'
import { call, mcpClients } from '../lab/mcp-clients.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app
const clients = mcpClients(app)

/** A goal, and a task that is none of it yet. */
async function planned() {
  const shop = await aShop(app, goalPolicy)
  const goal = github.openIssue(shop.name, { title: 'A shop that sells', by: 'bob' })
  github.label(shop.name, goal, 'goal', 'ada')
  const task = github.openIssue(shop.name, { title: 'Show prices', by: 'bob' })
  await shop.idle()
  return { shop, goal_id: `${shop.name}#${goal}`, task_id: `${shop.name}#${task}` }
}

test.each([
  ['over HTTP, before any pull request', 'http', false],
  ['over stdio, where a pull request was judged', 'stdio', true],
  ['over stdio, before any pull request', 'stdio', false],
] as const)('a word at a goal is answered %s', async (_when, over, isJudged) => {
  const { shop, goal_id, task_id } = await planned()
  if (isJudged) {
    await shop.push()
    await shop.open()
  }
  const ada = over === 'http' ? await clients.overHttp('ada') : await clients.overStdio('ada')
  const { structured } = await call(ada, 'link_task_to_goal', { goal_id, task_id })
  expect(structured).toMatchObject({ outcome: 'taken' })
  const status = await call(ada, 'goal_status', { goal_id })
  expect(status.structured).toMatchObject({ tasks: [{ task_id }] })
})

test('where only a person put that label on an issue, nobody can tell, and that is said at once', async () => {
  const { shop, task_id } = await planned()
  const ada = await clients.overStdio('ada')
  github.setDeliveries({ lostPercent: 100, neverSent: true })
  const other = github.openIssue(shop.name, { title: 'Not followed', by: 'bob' })
  github.label(shop.name, other, 'countersign:goal-active', 'bob')
  const { structured } = await call(ada, 'link_task_to_goal', { goal_id: `${shop.name}#${other}`, task_id })
  github.setDeliveries({ lostPercent: 0, neverSent: false })
  expect(structured).toMatchObject({
    outcome: 'not_heard_yet',
    words: expect.stringContaining('nobody can tell yet whose answers are the App’s'),
  })
})
