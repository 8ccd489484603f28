// What the Action hands over, where the platform did less than it should, or more than once.
import { describe, expect, test } from 'vitest'
import { actionJob, workflowFiles } from '../../action/workflow.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { aRun, handOver, outcome, policy, results, workflow } from '../lab/action-run.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()

describe('what the platform did not do is no failure, and says what to do:', () => {
  test('a cancelled run', async () => {
    const { shop, sha, run } = await aRun(app)
    app.github.finishRun(shop.name, run, 'cancelled')
    await shop.idle()
    expect(await shop.check(sha)).toBe('in_progress: Waiting: the workflow run was cancelled: run it again')
  })

  test('a machine that was lost', async () => {
    const { shop, sha, run } = await aRun(app)
    app.github.reportCheck(shop.name, { name: actionJob, sha, conclusion: 'failure' })
    const steps = [{ name: 'Set up job', conclusion: 'success' } as const, { name: 'countersign', conclusion: null }]
    app.github.finishRun(shop.name, run, 'failure', steps)
    await shop.idle()
    expect(await shop.check(sha)).toBe('in_progress: Waiting: the workflow run was cancelled: run it again')
    expect(await shop.summary(sha)).not.toContain('never reported')
  })

  test('a run that never started', async () => {
    const { shop, sha, run } = await aRun(app)
    app.github.finishRun(shop.name, run, 'skipped')
    await shop.idle()
    expect(await shop.check(sha)).toBe('in_progress: Waiting: the workflow run never started: run it again')
  })

  test('a conflict with the base', async () => {
    const shop = await aShop(app, policy, workflowFiles)
    const sha = await shop.push()
    app.github.push(shop.name, 'main', { files: { 'src/shop.ts': 'another version\n' }, author: 'cleo' })
    await shop.open()
    expect(await shop.check(sha)).toBe(
      'in_progress: Waiting: the branch conflicts with its base, so no workflow runs: merge or rebase it',
    )
  })
})

test('a run whose jobs were left out does not stand before the one that ran', async () => {
  const given = await aRun(app)
  const { shop, sha } = given
  const skipped = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow })
  app.github.finishRun(shop.name, skipped, 'skipped')
  await handOver(given, results(given))
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('results under a newer policy of the base open the attempt anew under that one', async () => {
  const given = await aRun(app)
  const { shop, sha } = given
  const stricter = `${policy}    - { name: lint, command: npm run lint }\n`
  app.github.push(shop.name, 'main', { files: { '.github/countersign.yml': stricter }, author: 'cleo' })
  await shop.idle()
  const lint = { ...outcome(true), name: 'lint', command: 'npm run lint' }
  await handOver(given, { ...results(given, true, stricter), checks: [outcome(true), lint] })
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await shop.summary(sha)).toContain('`lint` passed')
})

test('a merge group leaves out nothing that its changes touch, nor what has no paths', async () => {
  const given = await aRun(app)
  const { shop } = given
  const sha = await shop.push('feature', 'agent', { 'docs/a.md': 'A.\n' })
  const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow })
  const docs = { ...outcome(true), name: 'docs', command: 'npm run docs' }
  const later = { ...given, sha, run }
  await handOver(later, { ...results(later), checks: [outcome(true), docs], left_out: [] })
  expect(await shop.check(sha)).toMatch(/^success/)
  const group = app.github.mergeGroup(shop.name, [given.number], 'ada').headSha
  const queued = app.github.startRun(shop.name, { head: group, branch: 'queue', path: workflow, event: 'merge_group' })
  const own = { ...results({ ...given, sha: group, run: queued }), event: 'merge_group', pull: null, tier1: null }
  await handOver({ ...given, run: queued }, own)
  expect(await shop.check(group)).toMatch(/^in_progress/)
})
