// For which pull request a run of the Action was, and on which base: what GitHub proves counts, and not what the results
// say. Here they always say what would be believed, as a workflow of another base could have them say.
import { describe, expect, test } from 'vitest'
import { aRun, handOver, policy, results, workflow, type Given } from '../lab/action-run.ts'
import { actionJob, workflowFiles } from '../../action/workflow.ts'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const { app, aMinuteLater } = await sharedInTime()

const waiting = /^in_progress: Waiting: the built-in checks have not reported yet/

/** Another run of the same workflow on the same commit, a minute later. */
async function another(given: Given, branch = 'feature'): Promise<Given> {
  aMinuteLater()
  const run = app.github.startRun(given.shop.name, { head: given.sha, branch, path: workflow })
  await given.shop.idle()
  return { ...given, run }
}

/** A shop with a branch whose workflow its enemy wrote. */
async function twoBases(): Promise<Given> {
  const given = await aRun(app)
  app.github.push(given.shop.name, 'lax', { files: { 'notes.md': 'anything goes\n' }, author: 'agent' })
  return given
}

describe('a run of another pull request on the same commit', () => {
  test('from another branch is not believed, and its own is', async () => {
    const given = await twoBases()
    const { shop, sha } = given
    app.github.moveBranch(shop.name, 'twin', sha, 'agent')
    app.github.openPull(shop.name, { title: 'Also', head: 'twin', base: 'lax', by: 'agent' })
    const twin = await another(given, 'twin')
    await handOver(twin, results(twin))
    expect(await shop.check(sha)).toMatch(/^in_progress/)
    expect(await shop.summary(sha)).toContain('it began from the branch')
    await handOver(given, results(given))
    expect(await shop.check(sha)).toMatch(/^success/)
  })

  test('from the same branch is not believed, and the page says what to do', async () => {
    const given = await twoBases()
    const { shop, sha } = given
    app.github.finishRun(shop.name, given.run, 'cancelled')
    aMinuteLater()
    const other = app.github.openPull(shop.name, { title: 'Also', head: 'feature', base: 'lax', by: 'agent' })
    const run = await another(given)
    await handOver(run, results(run))
    expect(await shop.check(sha)).toMatch(/^in_progress/)
    expect(await shop.summary(sha)).toContain(
      `pull request ${other} had the same branch, so nobody can tell which of them it was for: close one of them and push`,
    )
  })

  test('of a fork is told by the fork', async () => {
    const shop = await aShop(app, policy, workflowFiles)
    const [hers, his] = [`hers-of-${shop.org}`, `his-of-${shop.org}`]
    const [one, other] = [app.github.fork(shop.name, hers), app.github.fork(shop.name, his)]
    const sha = app.github.push(one, 'feature', { files: { 'src/a.ts': 'one\n' }, author: hers })
    app.github.moveBranch(other, 'feature', sha, his)
    const number = await shop.open(hers, { head: `${hers}:feature` })
    const ran = async (headRepo: string): Promise<Given> => {
      const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', headRepo, path: workflow })
      await shop.idle()
      return { app, shop, sha, number, run }
    }
    const foreign = await ran(other)
    await handOver(foreign, results(foreign))
    expect(await shop.check(sha)).toMatch(/^in_progress/)
    const own = await ran(one)
    await handOver(own, results(own))
    expect(await shop.check(sha)).toMatch(/^success/)
  })
})

describe('a run from before the base changed', () => {
  test('does not count for the new one, and one from after that does', async () => {
    const shop = await aShop(app, policy, workflowFiles)
    app.github.push(shop.name, 'lax', { files: { 'notes.md': 'anything goes\n' }, author: 'agent' })
    const sha = await shop.push()
    const number = await shop.open('agent', { base: 'lax' })
    const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow })
    await shop.idle()
    aMinuteLater()
    app.github.editPull(shop.name, number, { base: 'main', by: 'agent' })
    await shop.idle()
    const before = { app, shop, sha, number, run }
    await handOver(before, results(before))
    expect(await shop.check(sha)).toMatch(waiting)
    expect(await shop.summary(sha)).toContain(
      'it began before the base became `main`: push, or close and reopen the pull request',
    )
    const after = await another(before)
    await handOver(after, results(after))
    expect(await shop.check(sha)).toMatch(/^success/)
  })
})

describe('"Re-run failed jobs"', () => {
  const job = (given: Given, name: string, conclusion: 'success' | 'failure') =>
    app.github.reportCheck(given.shop.name, { name, sha: given.sha, conclusion, run: given.run })
  /** The Action passed, and another job of the same run failed. */
  async function half(files = {}): Promise<Given> {
    const given = await aRun(app, 'pull_request', policy, files)
    job(given, actionJob, 'success')
    job(given, 'deploy', 'failure')
    await handOver(given, results(given), { conclusion: 'failure' })
    expect(await given.shop.check(given.sha)).toMatch(waiting)
    aMinuteLater()
    return given
  }
  const finished = async ({ shop, run }: Given): Promise<void> => {
    app.github.finishRun(shop.name, run, 'success')
    await shop.idle()
  }

  test('leaves what the Action handed over, as its job did not run again', async () => {
    const given = await half()
    app.github.rerunFailed(given.shop.name, given.run)
    job(given, 'deploy', 'success')
    await finished(given)
    expect(await given.shop.check(given.sha)).toMatch(/^success/)
  })

  test('that runs the job of the Action again asks for new results', async () => {
    const given = await half()
    app.github.rerunFailed(given.shop.name, given.run)
    job(given, 'deploy', 'success')
    job(given, actionJob, 'success')
    await finished(given)
    expect(await given.shop.check(given.sha)).not.toMatch(/^success/)
    expect(await given.shop.summary(given.sha)).toContain('run all of its jobs again')
  })
})
