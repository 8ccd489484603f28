// GitHub says 404 of all that it does not let us see. As long as it says so of the repository itself, what is missing there says
// nothing: it waits, and is heard as it was.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

async function whileHidden(paths: readonly string[], act: () => void): Promise<void> {
  const faults = paths.map((path) => github.addFault({ path, trouble: { kind: 'answer', status: 404 } }))
  act()
  await until(async () => faults.every((fault) => github.faultHits(fault) > 0))
  for (const fault of faults) github.removeFault(fault)
  await app.idle()
}

test('what a task waits for', async () => {
  const shop = await aShop(app)
  const [task = 0, other = 0] = ['Prices', 'Rates'].map((title) =>
    github.openIssue(shop.name, { title, body: 'Show them.', by: 'cleo' }),
  )
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${task}` })
  await whileHidden(['/repos/*'], () => github.addBlocker(shop.name, task, other, 'bob'))
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: .* has to be verified first/)
})

test('who may say what', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'failure')
  expect(await shop.check(sha)).toMatch(/^failure/)
  const hidden = [`/repos/${shop.name}`, `/repos/${shop.name}/collaborators/*/permission`]
  await whileHidden(hidden, () => {
    github.comment(shop.name, pull, { body: '/override it is known to fail', by: 'ada' })
  })
  expect(await shop.check(sha)).toMatch(/^success: .*ada/)
})

test('a word of somebody whose permission is not found waits, where they have an account: a no is heard before anything is green', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  const fault = github.addFault({
    path: '/repos/*/collaborators/*/permission',
    trouble: { kind: 'answer', status: 404 },
  })
  github.comment(shop.name, pull, { body: '/reject the prices are wrong', by: 'ada' })
  await until(async () => github.faultHits(fault) > 1)
  github.reportCheck(shop.name, { name: 'build', sha, app: 'github-actions', conclusion: 'success' })
  await github.idle()
  await until(async () => github.faultHits(fault) > 2)
  expect(await shop.check(sha)).not.toMatch(/^success/)
  github.removeFault(fault)
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  expect(await shop.check(sha)).toMatch(/^failure: .*rejected by ada/)
})

test('and who has no account any more may do nothing', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'failure')
  expect(await shop.check(sha)).toMatch(/^failure/)
  const faults = ['/repos/*/collaborators/*/permission', '/user/*', '/users/*'].map((path) =>
    github.addFault({ path, trouble: { kind: 'answer', status: 404 } }),
  )
  await shop.say(pull, 'ada', '/override it is known to fail')
  for (const fault of faults) github.removeFault(fault)
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed/)
})
