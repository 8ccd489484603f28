// Somebody switches the issues of a repository off for a while, and GitHub says of each that it is gone. What a task waits for cannot
// be read then, and is not taken for nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

const off = { kind: 'answer', status: 410, message: 'Issues has been disabled in this repository.' } as const
const waiting = /^in_progress: Waiting: .* has to be verified first/

async function aTask() {
  const shop = await aShop(app)
  const [task = 0, first = 0] = ['Prices', 'Rates'].map((title) =>
    github.openIssue(shop.name, { title, body: 'Show them.', by: 'cleo' }),
  )
  github.addBlocker(shop.name, task, first, 'bob')
  await app.idle()
  const sha = await shop.push()
  const open = () =>
    github.openPull(shop.name, { title: 'Prices', head: 'feature', by: 'agent', body: `Closes #${task}` })
  const build = () =>
    github.reportCheck(shop.name, { name: 'build', sha, app: 'github-actions', conclusion: 'success' })
  const switchOff = () => github.addFault({ path: `/repos/${shop.name}/issues/${task}*`, trouble: off })
  return { shop, task, sha, open, build, switchOff }
}

test('while the first attempt at it begins', async () => {
  const { shop, sha, open, build, switchOff } = await aTask()
  const fault = switchOff()
  open()
  await until(async () => github.faultHits(fault) > 1)
  build()
  await sleep(2_000)
  expect(await shop.check(sha)).not.toMatch(/^success/)
  github.removeFault(fault)
  await app.idle()
  expect(await shop.check(sha)).toMatch(waiting)
})

test('while it is asked again what a begun one waits for', async () => {
  const { shop, task, sha, open, build, switchOff } = await aTask()
  open()
  await app.idle()
  const fault = switchOff()
  const third = github.openIssue(shop.name, { title: 'Taxes', body: 'Show them.', by: 'cleo' })
  github.addBlocker(shop.name, task, third, 'bob')
  await until(async () => github.faultHits(fault) > 0)
  build()
  await app.idle()
  expect(await shop.check(sha)).toMatch(waiting)
})
