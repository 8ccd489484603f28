// A tag that is called like the base, which whoever may push can make. Git takes the tag where a name alone is said, and GitHub does not
// say what it takes: what is asked about a branch is asked about that.
import { expect, test } from 'vitest'
import { workflowFiles } from '../../action/workflow.ts'
import { handOver, policy, results, workflow } from '../lab/action-run.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop, adopted, type Shop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

async function tagged({ name }: Shop, sha: string): Promise<void> {
  const { status } = await fetch(`${github.url}/repos/${name}/git/refs`, {
    method: 'POST',
    headers: { authorization: `token ${github.tokenOf('agent')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ref: 'refs/tags/main', sha }),
  })
  expect(status).toBe(201)
}

test('hides nothing of what a change touches', async () => {
  const shop = await aShop(app)
  const first = await shop.push('feature', 'agent', { '.github/workflows/ci.yml': 'on: push\n' })
  await tagged(shop, first)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required: Needs a person: `.github\/workflows\/ci.yml` is protected/)
})

test('brings no policy along, where REST alone answers', async () => {
  const fault = github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 404 } })
  const shop = await aShop(app, adopted)
  const sha = await shop.push()
  await tagged(shop, await shop.push('lax', 'agent', { '.github/countersign.yml': 'verification: { checks: [] }\n' }))
  await shop.open()
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: required check `build`/)
  github.removeFault(fault)
})

test('takes no workflow away that the base names', async () => {
  const shop = await aShop(app, policy, workflowFiles)
  const sha = await shop.push()
  await tagged(shop, await shop.push('bare', 'agent', { [workflow]: 'on: push\n' }))
  const number = await shop.open()
  const run = github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow, event: 'pull_request' })
  const given = { app, shop, sha, number, run }
  await handOver(given, results(given))
  expect(await shop.check(sha)).toMatch(/^success/)
})
