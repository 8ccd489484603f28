// That GitHub does not know a job for a moment says nothing of the next one.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const pinned =
  'version: 1\nverification: { checks: [{ name: build, check_run: build, app: github-actions, workflow: ci.yml }] }\n'
const ci = '.github/workflows/ci.yml'

test('GitHub does not know the newest job for a moment (404), which has failed; an older one passes', async () => {
  const shop = await aShop(app, pinned)
  const sha = await shop.push()
  await shop.open()
  const first = github.startRun(shop.name, { head: sha, branch: 'feature', path: ci })
  github.reportCheck(shop.name, { name: 'build', sha, run: first, conclusion: 'success' })
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  aMinuteLater()
  // Only as long as the job is new; every webhook arrives, and from then on GitHub says everything.
  const fault = github.addFault({ path: '/repos/*/actions/jobs/*', trouble: { kind: 'answer', status: 404 } })
  const second = github.startRun(shop.name, { head: sha, branch: 'feature', path: ci })
  const id = github.reportCheck(shop.name, { name: 'build', sha, run: second, status: 'in_progress' })
  await app.idle()
  github.removeFault(fault)
  aMinuteLater()
  github.updateCheck(shop.name, id, { conclusion: 'failure' })
  github.finishRun(shop.name, second, 'failure')
  await app.idle()
  expect(await shop.check(sha)).not.toMatch(/^success/)
})
