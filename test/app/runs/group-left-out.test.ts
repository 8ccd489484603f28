// A check with `paths` is left out of a merge group where nothing of them changed from the branch on: what the group below changes may
// merge with it.
import { expect, test } from 'vitest'
import { aRun, handOver, outcome, results, workflow, type Given } from '../lab/action-run.ts'
import { sharedInTime } from '../lab/app-of-file.ts'

const { app } = await sharedInTime()
const { github } = app

/** Two pull requests that are a success, of which the first needs the check `docs`. */
async function two() {
  const second = await aRun(app)
  const { shop } = second
  await handOver(second, results(second))
  const sha = github.push(shop.name, 'one', { files: { 'docs/one.md': 'One\n' }, author: 'agent' })
  await app.idle()
  const number = await shop.open('agent', { head: 'one' })
  const run = github.startRun(shop.name, { head: sha, branch: 'one', path: workflow, event: 'pull_request' })
  await app.idle()
  const first: Given = { ...second, sha, number, run }
  await handOver(first, { ...results(first), checks: [outcome(true), docs(true)], left_out: [] })
  expect(await shop.check(sha)).toMatch(/^success/)
  return { first, second }
}

const docs = (passed: boolean) => ({ ...outcome(passed), name: 'docs', command: 'npm run docs', log: 'logs/docs.log' })

/** What is said of a group of this pull request, whose run found this of `docs`. */
async function queued(given: Given, found: 'passed' | 'failed' | 'left out') {
  const { shop, number } = given
  const sha = github.mergeGroup(shop.name, [number], 'ada').headSha
  const run = github.startRun(shop.name, { head: sha, branch: 'queue', path: workflow, event: 'merge_group' })
  await app.idle()
  const group: Given = { ...given, sha, run }
  const own = { ...results(group), event: 'merge_group', pull: null, tier1: null }
  const ran = { checks: [outcome(true), docs(found === 'passed')], left_out: [] }
  const conclusion = found === 'failed' ? 'failure' : 'success'
  await handOver(group, found === 'left out' ? own : { ...own, ...ran }, { conclusion })
  return { sha, said: await shop.check(sha) }
}

test('what the group below needs and failed there is not left out above it', async () => {
  const { first, second } = await two()
  expect((await queued(first, 'failed')).said).toMatch(/^failure: .*`docs` failed/)
  expect((await queued(second, 'left out')).said).not.toMatch(/^success/)
})

test('once it passed above too, that is a success', async () => {
  const { first, second } = await two()
  expect((await queued(first, 'passed')).said).toMatch(/^success/)
  expect((await queued(second, 'passed')).said).toMatch(/^success/)
})

test('what the group below brought to the branch is nothing that the one above changes', async () => {
  const { first, second } = await two()
  const below = await queued(first, 'passed')
  github.endGroup(first.shop.name, below.sha, 'merged', 'ada')
  await app.idle()
  expect((await queued(second, 'left out')).said).toMatch(/^success/)
})
