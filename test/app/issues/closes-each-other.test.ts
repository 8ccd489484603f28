// Two pull requests may each close the other's task beside its own. Neither waits for the turn of the other.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { adopted, aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

test('both turn green at the same moment, after a restart', async () => {
  const shop = await aShop(app, adopted)
  const { name } = shop
  const [a = 0, b = 0] = ['One', 'Two'].map((title) => github.openIssue(name, { title, by: 'bob' }))
  await shop.idle()
  const one = await shop.push('one', 'agent', { 'src/one.ts': 'export const one = 1\n' })
  const first = await shop.open('agent', { head: 'one', body: `Closes #${a}` })
  const two = await shop.push('two', 'agent', { 'src/two.ts': 'export const two = 2\n' })
  const second = await shop.open('agent', { head: 'two', body: `Closes #${b}` })
  github.editPull(name, first, { body: `Closes #${a}\nCloses #${b}`, by: 'agent' })
  github.editPull(name, second, { body: `Closes #${b}\nCloses #${a}`, by: 'agent' })
  await shop.idle()
  await app.kill()
  await app.start()
  await app.idle()
  for (const sha of [one, two])
    github.reportCheck(name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
  const green = async (sha: string) => (await shop.check(sha)).startsWith('success')
  await until(async () => (await green(one)) && (await green(two)))
  expect(await shop.check(two)).toMatch(/^success/)
})
