// For which pull request and base a run was, where runs are closed over, repeated or unclear.
import { describe, expect, test } from 'vitest'
import { aRun, handOver, policy, results, workflow, type Given } from '../lab/action-run.ts'
import { actionJob, workflowFiles } from '../../action/workflow.ts'
import { appInTime } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const { app, aMinuteLater } = await appInTime()

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
  test('is not believed either when that one is closed, until somebody pushes', async () => {
    const given = await twoBases()
    const { shop } = given
    app.github.finishRun(shop.name, given.run, 'cancelled')
    aMinuteLater()
    const other = app.github.openPull(shop.name, { title: 'Also', head: 'feature', base: 'lax', by: 'agent' })
    const run = await another(given)
    app.github.closePull(shop.name, other, 'agent')
    aMinuteLater()
    await handOver(run, results(run))
    expect(await shop.check(given.sha)).toMatch(/^in_progress/)
    expect(await shop.summary(given.sha)).toContain('which of them it was for: push')
    aMinuteLater()
    const sha = await shop.push()
    const pushed = await another({ ...given, sha })
    await handOver(pushed, results(pushed))
    expect(await shop.check(sha)).toMatch(/^success/)
  })
})

describe('a run from before the base changed', () => {
  test('does not count either where nobody looked, since it was a draft then', async () => {
    const shop = await aShop(app, policy, workflowFiles)
    app.github.push(shop.name, 'lax', { files: { 'notes.md': 'anything goes\n' }, author: 'agent' })
    const sha = await shop.push()
    const number = await shop.open('agent', { base: 'lax', draft: true })
    const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow })
    aMinuteLater()
    app.github.editPull(shop.name, number, { base: 'main', by: 'agent' })
    app.github.setDraft(shop.name, number, false, 'agent')
    await shop.idle()
    const before = { app, shop, sha, number, run }
    await handOver(before, results(before))
    expect(await shop.check(sha)).toMatch(waiting)
    expect(await shop.summary(sha)).toContain('it began before the base became `main`')
  })

  test('does not count when it is repeated, since it repeats what began it', async () => {
    const given = await twoBases()
    const { shop, sha, number, run } = given
    app.github.finishRun(shop.name, run, 'failure')
    aMinuteLater()
    app.github.editPull(shop.name, number, { base: 'lax', by: 'agent' })
    await shop.idle()
    aMinuteLater()
    app.github.rerun(shop.name, run)
    await handOver(given, { ...results(given), base_ref: 'lax', run: { id: run, attempt: 2, workflow } })
    expect(await shop.check(sha, 'countersign (lax)')).toMatch(waiting)
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

  test('of a job that uploads results of its own changes nothing', async () => {
    const given = await half()
    const { shop, run, sha } = given
    app.github.rerunFailed(shop.name, run)
    aMinuteLater()
    job(given, 'deploy', 'success')
    app.github.deleteArtifact(shop.name, run, 'countersign-results')
    await handOver(given, results(given))
    expect(await shop.check(sha)).not.toMatch(/^success/)
    expect(await shop.summary(sha)).toContain('it is of another attempt of this run')
  })

  test('and all of them asks for new results too', async () => {
    const given = await half()
    app.github.rerun(given.shop.name, given.run)
    job(given, 'deploy', 'success')
    await finished(given)
    expect(await given.shop.check(given.sha)).not.toMatch(/^success/)
  })

  test('leaves nothing where nobody can tell which job is the one of the Action', async () => {
    const named = workflowFiles[workflow].replace('runs-on', "name: '${{ github.workflow }}'\n    runs-on")
    const given = await half({ [workflow]: named })
    app.github.rerunFailed(given.shop.name, given.run)
    job(given, 'deploy', 'success')
    await finished(given)
    expect(await given.shop.check(given.sha)).not.toMatch(/^success/)
  })
})
