// What was shown by half, or may have been, is shown again whatever is concluded meanwhile: also what stood there before.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
const gone = { kind: 'answer', status: 502 } as const

test('labels of which one was taken away and none could be set are set when all is as before', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const run = github.reportCheck(shop.name, { name: 'build', sha, app: 'github-actions', conclusion: 'success' })
  const pull = await shop.open()
  const before = await shop.labels(pull)
  expect(before).toContain('countersign:success')

  const adding = github.addFault({ method: 'POST', path: '/repos/*/issues/*/labels', trouble: gone })
  const together = github.addFault({ path: '/graphql', holds: 'addLabels', trouble: gone })
  github.updateCheck(shop.name, run, { status: 'completed', conclusion: 'failure' })
  await until(async () => !(await shop.labels(pull)).includes('countersign:success'))
  github.updateCheck(shop.name, run, { status: 'completed', conclusion: 'success' })
  await until(async () => (await shop.check(sha)).startsWith('success'))
  for (const fault of [adding, together]) github.removeFault(fault)
  await until(async () => (await shop.labels(pull)).join() === before.join(), 20_000)
  await app.idle()
  expect(await shop.labels(pull)).toEqual(before)
})
