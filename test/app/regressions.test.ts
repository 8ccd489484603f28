// What takes up again what was confirmed: the check that the policy names, however it breaks, and a revert of this repository's.
import { expect, test } from 'vitest'
import { sharedApp } from './lab/app-of-file.ts'
import { mergedAndConfirmed } from './lab/merged-and-confirmed.ts'

const app = await sharedApp()
const { github } = app

test.each([
  ['a failure of the check', 'github-actions', 'failure', 1],
  ['the end of its time', 'github-actions', 'timed_out', 1],
  ['a check of that name by another App', 'other-ci', 'failure', 0],
  ['a check that somebody cancelled', 'github-actions', 'cancelled', 0],
] as const)('of %s on the default branch this comes', async (_what, by, conclusion, times) => {
  const { shop, merged, said } = await mergedAndConfirmed(app)
  github.reportCheck(shop.name, { name: 'build', sha: merged, conclusion, app: by })
  await shop.idle()
  expect(await said()).toHaveLength(times)
})

test.each([
  ['this repository', null, 1],
  ['another repository', 'elsewhere/shop', 0],
] as const)('a revert of what has that number in %s', async (_where, elsewhere, times) => {
  const { shop, pull, said } = await mergedAndConfirmed(app)
  const sha = await shop.push('revert', 'agent', { 'src/prices.ts': null })
  const body = `Reverts ${elsewhere ?? shop.name.toUpperCase()}#${pull}`
  const revert = await shop.open('agent', { head: 'revert', body })
  await shop.build(sha, 'success')
  github.merge(shop.name, revert, { by: 'cleo' })
  await shop.idle()
  expect(await said()).toHaveLength(times)
})
