// A workflow that runs for a push and for a pull request tries two things: the commit, and what it makes of the base. The one that
// passes says nothing of the other.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aSecond } from '../lab/a-second.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
const ci = '.github/workflows/ci.yml'
const policy = `version: 1
verification: { checks: [{ name: build, check_run: build, app: github-actions, workflow: ci.yml }] }
`
const ran = async (
  { name }: Shop,
  sha: string,
  event: string,
  conclusion: 'success' | 'failure',
  branch = 'feature',
) => {
  const run = github.startRun(name, { head: sha, branch, path: ci, event })
  github.reportCheck(name, { name: 'build', sha, run, conclusion })
  github.finishRun(name, run, conclusion)
  await app.idle()
}

test.each([
  ['pull_request', 'failure', 'push', 'success', /^failure/],
  ['push', 'failure', 'pull_request', 'success', /^failure/],
  ['push', 'success', 'pull_request', 'success', /^success/],
  ['pull_request', 'failure', 'pull_request', 'success', /^success/],
  ['workflow_dispatch', 'failure', 'pull_request', 'success', /^success/],
] as const)('%s: %s, then %s: %s', async (first, ended, second, then, expected) => {
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  await shop.open()
  await aSecond()
  await ran(shop, sha, first, ended)
  await ran(shop, sha, second, then)
  expect(await shop.check(sha)).toMatch(expected)
})

test('whoever may push puts the same commit on another branch, where it passes', async () => {
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  await shop.open()
  await aSecond()
  await ran(shop, sha, 'pull_request', 'failure')
  github.moveBranch(shop.name, 'anything', sha, 'agent')
  await ran(shop, sha, 'push', 'success', 'anything')
  expect(await shop.check(sha)).toMatch(/^failure/)
})
