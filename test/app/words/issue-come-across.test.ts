// What was said at the issue of a task may be come across by a process that did not hear it, or be gone.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { aSecond } from '../lab/a-second.ts'
import { until } from '../lab/running.ts'
import { adopted, aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

async function anIssue() {
  const shop = await aShop(app, adopted)
  const issue = github.openIssue(shop.name, { title: 'Sort', body: 'Sort by price', by: 'cleo' })
  await app.idle()
  return { shop, issue }
}

test.each(['/task reject not worth it', '/goal link #1', '/request approve'])(
  '%s: it was answered before there was a pull request, and is not answered anew',
  async (words) => {
    const { shop, issue } = await anIssue()
    await shop.say(issue, 'eve', words)
    await aSecond()
    const answers = await shop.comments(issue)
    await app.kill()
    await app.start()
    await app.idle()
    const sha = await shop.push()
    await shop.open('agent', { body: `Closes #${issue}` })
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(/^success/)
    expect(await shop.comments(issue)).toEqual(answers)
  },
)

test('an issue that was deleted holds nothing up', async () => {
  const { shop, issue } = await anIssue()
  const { name } = shop
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  // GitHub takes it off the list of what the pull request closes.
  github.editPull(name, number, { body: 'Sorts', by: 'agent' })
  await shop.idle()
  const message = `Could not resolve to an Issue with the number of ${issue}.`
  const body = { data: { repository: null }, errors: [{ type: 'NOT_FOUND', path: ['repository', 'issue'], message }] }
  const gone = { kind: 'answer', status: 410, message: 'This issue was deleted' } as const
  const faults = [
    github.addFault({ path: `/repos/${name}/issues/${issue}`, trouble: gone }),
    github.addFault({ path: `/repos/${name}/issues/${issue}/*`, trouble: gone }),
    github.addFault({ path: '/graphql', holds: `"issue":${issue}`, trouble: { kind: 'answer', status: 200, body } }),
  ]
  github.reportCheck(name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
  await until(async () => (await shop.check(sha)).startsWith('success'))
  for (const one of faults) github.removeFault(one)
  expect(await shop.check(sha)).toMatch(/^success/)
})
