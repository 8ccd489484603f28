// Becomes a task of a goal while nobody tells the App: what blocks it is read again before green, what it belongs to is not.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { goalPolicy } from '../lab/a-goal.ts'
import { aShop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app
const { wasGreen } = changesIn(app)

async function aTask() {
  const shop = await aShop(app, goalPolicy)
  const goal = github.openIssue(shop.name, { title: 'A shop that sells', by: 'bob' })
  github.label(shop.name, goal, 'goal', 'ada')
  const task = github.openIssue(shop.name, { title: 'Show prices', by: 'bob' })
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${task}` })
  return { shop, sha, join: () => github.addSubIssue(shop.name, goal, task, 'bob') }
}

test('control: told', async () => {
  const { shop, sha, join } = await aTask()
  join()
  await app.idle()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required/)
})

test('joined while the App was not let in', async () => {
  const { shop, sha, join } = await aTask()
  github.uninstall(shop.installation)
  await app.idle()
  join()
  github.install(shop.org)
  await app.idle()
  await shop.build(sha, 'success')
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('joined while the App was away, and built then', async () => {
  const { shop, sha, join } = await aTask()
  await app.idle()
  await app.kill()
  join()
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
  await github.idle()
  github.addFault({ path: '/app/hook/deliveries', trouble: { kind: 'answer', status: 500 } })
  await app.start()
  await app.idle()
  console.log('away', await shop.check(sha))
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('joined untold', async () => {
  const { shop, sha, join } = await aTask()
  await untold(github, join)
  await shop.build(sha, 'success')
  expect(wasGreen(sha, shop.name)).toBe(false)
})
