// What a task waits for is set at its issue, and nobody tells an App that is away: it is read before the task turns green.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

async function aTask() {
  const shop = await aShop(app)
  const [task = 0, other = 0] = ['Prices', 'Rates'].map((title) =>
    github.openIssue(shop.name, { title, body: 'Show them.', by: 'cleo' }),
  )
  const sha = await shop.push()
  const pull = await shop.open('agent', { body: `Closes #${task}` })
  return { shop, sha, pull, block: () => github.addBlocker(shop.name, task, other, 'bob') }
}
const waits = /^in_progress: Waiting: .* has to be verified first/

test('blocked while the App was not let in', async () => {
  const { shop, sha, block } = await aTask()
  github.uninstall(shop.installation)
  await app.idle()
  block()
  github.install(shop.org)
  await app.idle()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(waits)
})

test('blocked while the App was away, and GitHub brings nothing again', async () => {
  const { shop, sha, block } = await aTask()
  await app.kill()
  block()
  await github.idle()
  github.addFault({ path: '/app/hook/deliveries', trouble: { kind: 'answer', status: 500 } })
  await app.start()
  await app.idle()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(waits)
})

test('and who is not blocked turns green', async () => {
  const { shop, sha } = await aTask()
  await app.kill()
  await app.start()
  await app.idle()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})
