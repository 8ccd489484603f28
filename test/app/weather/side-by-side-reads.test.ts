// What is asked of GitHub side by side fails in any order, and one part long before the other: the App waits and goes on.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

test('results that cannot be read while the files of the commit take their time do not end the App', async () => {
  const shop = await aShop(app)
  const pid = app.pid()
  const late = github.addFault({ path: '/repos/*/git/trees/*', trouble: { kind: 'delay', ms: 1_500 } })
  const runs = `/repos/${shop.name}/commits/*/check-runs*`
  const failing = github.addFault({ path: runs, method: 'GET', trouble: { kind: 'answer', status: 500 } })
  const sha = github.push(shop.name, 'feature', { files: { 'src/shop.ts': 'export {}\n' }, author: 'agent' })
  github.openPull(shop.name, { title: 'Better', head: 'feature', by: 'agent' })
  await until(async () => github.faultHits(failing) > 0 && github.faultHits(late) > 0)
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  await until(async () => github.faultHits(failing) > 3)
  for (const one of [late, failing]) github.removeFault(one)
  await until(async () => (await shop.check(sha)).startsWith('success'), 30_000)
  expect(app.pid()).toBe(pid)
}, 60_000)
