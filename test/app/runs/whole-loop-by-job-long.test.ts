// The whole loop by `isolation: job`: the real App, a GitHub that knows neither, and the real bundled Action once for each job
// of the workflow that `countersign workflow` prints.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { workflowOf, type Workflow } from '../../action/workflow.ts'
import { workflow as path } from '../lab/action-run.ts'
import { workflowFor } from '../lab/job-run.ts'
import { runningApp, type Running } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'

vi.setConfig({ testTimeout: 90_000 })

const names = ['says so', 'keeps quiet']
const policy = `version: 1
identities: { agents: [agent] }
verification:
  execution: { isolation: job }
  checks:
    - { name: says so, command: "cat words.txt; grep -q yes words.txt" }
    - { name: keeps quiet, command: "! grep -q no words.txt" }
`

let app: Running
let shop: Shop
let workflow: Workflow
beforeAll(async () => {
  app = await runningApp()
  shop = await aShop(app, policy, { [path]: workflowFor(policy), 'words.txt': 'yes\n' })
  workflow = await workflowOf(app.github, shop.name)
}, 60_000)
afterAll(async () => {
  await workflow.close()
  await app.stop()
})

async function pushed(branch: string, files: Record<string, string>) {
  const sha = app.github.push(shop.name, branch, { files, author: 'agent' })
  return { sha, branch }
}

test('one of two checks fails, the agent reads why, and its repair passes', async () => {
  const first = await pushed('feature', { 'words.txt': 'perhaps\n' })
  const number = await shop.open()
  const ran = await workflow.runJobs({ ...first, number }, names)
  await shop.idle()
  expect(ran.map(({ code }) => code)).toEqual([0, 1, 0])
  expect(await shop.check(first.sha)).toBe('failure: Changes needed: required check `says so` failed with exit code 1')
  expect(await shop.summary(first.sha)).toContain('`says so` failed, exit code 1<br>`keeps quiet` passed')
  expect((await shop.comments(number))[0]).toContain('perhaps')
  const second = await pushed('feature', { 'words.txt': 'oh yes\n' })
  await shop.idle()
  await workflow.runJobs({ ...second, number }, names)
  await shop.idle()
  expect(await shop.check(second.sha)).toMatch(/^success/)
})

test('a file that does not parse fails tier 1, and the checks are judged all the same', async () => {
  const { sha, branch } = await pushed('config', { 'config.json': '{ "price": 3,, }\n' })
  const number = await shop.open('agent', { head: branch })
  await workflow.runJobs({ sha, branch, number }, names)
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed: built-in check `syntax_config.json` failed/)
  expect(await shop.summary(sha)).toContain('`says so` passed<br>`keeps quiet` passed')
})
