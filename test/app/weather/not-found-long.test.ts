// A list that GitHub does not find is none only where the issue itself does not say that there is something.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aGoal, built } from '../lab/a-goal.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
const missing = (path: string): number => github.addFault({ path, trouble: { kind: 'answer', status: 404 } })

test('what a task waits for', async () => {
  const shop = await aShop(app)
  const [task = 0, other = 0] = ['Prices', 'Rates'].map((title) =>
    github.openIssue(shop.name, { title, body: 'Show them.', by: 'cleo' }),
  )
  github.addBlocker(shop.name, task, other, 'bob')
  await app.idle()
  const fault = missing('/repos/*/issues/*/dependencies/blocked_by')
  const sha = await shop.push()
  github.reportCheck(shop.name, { name: 'build', sha, app: 'github-actions', conclusion: 'success' })
  github.openPull(shop.name, { title: 'Prices', head: 'feature', by: 'agent', body: `Closes #${task}` })
  await until(async () => github.faultHits(fault) > 1)
  expect(await shop.check(sha)).not.toMatch(/^success/)
  github.removeFault(fault)
  await until(async () => /has to be verified first/.test(await shop.check(sha)), 20_000)
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: .* has to be verified first/)
})

test('and nothing, where there is nothing to wait for', async () => {
  const shop = await aShop(app)
  const task = github.openIssue(shop.name, { title: 'Prices', body: 'Show them.', by: 'cleo' })
  const fault = missing('/repos/*/issues/*/dependencies/blocked_by')
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${task}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  github.removeFault(fault)
})

test('the tasks of a goal', async () => {
  const { shop, goal, tasks } = await aGoal(app, ['Show prices'])
  const { sha } = await built(shop, tasks[0] ?? 0)
  expect(await shop.check(sha)).toMatch(/^action_required: .*approv/)
  const fault = missing('/repos/*/issues/*/sub_issues')
  github.editIssue(shop.name, goal, { title: 'A shop that sells a lot', by: 'bob' })
  await until(async () => github.faultHits(fault) > 1)
  expect(await shop.check(sha)).toMatch(/^action_required: .*approv/)
  github.removeFault(fault)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^action_required: .*approv/)
})

test('a page and labels that GitHub did not find a place for are shown once it does', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  const faults = ['comments', 'labels'].map((what) => missing(`/repos/*/issues/*/${what}`))
  faults.push(github.addFault({ path: '/graphql', holds: 'addComment', trouble: { kind: 'answer', status: 404 } }))
  faults.push(github.addFault({ path: '/graphql', holds: 'addLabels', trouble: { kind: 'answer', status: 404 } }))
  github.reportCheck(shop.name, { name: 'build', sha, app: 'github-actions', conclusion: 'failure' })
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  await until(async () => faults.reduce((hits, fault) => hits + github.faultHits(fault), 0) > 3)
  expect(github.look(shop.name, pull).comments).toHaveLength(0)
  for (const fault of faults) github.removeFault(fault)
  await until(async () => github.look(shop.name, pull).comments.length > 0, 20_000)
  await until(async () => github.look(shop.name, pull).labels.includes('countersign:retry'), 20_000)
  await app.idle()
  expect(await shop.comments(pull)).toHaveLength(1)
})
