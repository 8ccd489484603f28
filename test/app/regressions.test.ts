// What takes up again what was confirmed: the check that the policy names, however it breaks, and a revert of this repository's.
import { expect, test } from 'vitest'
import { built } from './lab/a-goal.ts'
import { requestPolicy } from './lab/a-request.ts'
import { sharedApp } from './lab/app-of-file.ts'
import { aShop } from './lab/shop.ts'

const app = await sharedApp()
const { github } = app

/** Merged and confirmed. */
async function confirmed() {
  const shop = await aShop(app, `${requestPolicy}tasks: { reopen_on_regression: true }\n`)
  const task = github.openIssue(shop.name, { title: 'Show prices', by: 'bob' })
  const { pull } = await built(shop, task)
  await shop.review(pull, 'bob', 'APPROVE')
  const merged = github.merge(shop.name, pull, { by: 'cleo' })
  await shop.idle()
  await shop.say(pull, 'eve', '/task verify I looked at it')
  const said = async () => (await shop.comments(pull)).filter((one) => one.includes('is taken up again'))
  return { shop, pull, merged, said }
}

test.each([
  ['a failure of the check', 'github-actions', 'failure', 1],
  ['the end of its time', 'github-actions', 'timed_out', 1],
  ['a check of that name by another App', 'other-ci', 'failure', 0],
  ['a check that somebody cancelled', 'github-actions', 'cancelled', 0],
] as const)('of %s on the default branch this comes', async (_what, by, conclusion, times) => {
  const { shop, merged, said } = await confirmed()
  github.reportCheck(shop.name, { name: 'build', sha: merged, conclusion, app: by })
  await shop.idle()
  expect(await said()).toHaveLength(times)
})

test.each([
  ['this repository', null, 1],
  ['another repository', 'elsewhere/shop', 0],
] as const)('a revert of what has that number in %s', async (_where, elsewhere, times) => {
  const { shop, pull, said } = await confirmed()
  const sha = await shop.push('revert', 'agent', { 'src/prices.ts': null })
  const body = `Reverts ${elsewhere ?? shop.name.toUpperCase()}#${pull}`
  const revert = await shop.open('agent', { head: 'revert', body })
  await shop.build(sha, 'success')
  github.merge(shop.name, revert, { by: 'cleo' })
  await shop.idle()
  expect(await said()).toHaveLength(times)
})
