// What the Action hands over, from the run that begins to results that decide, and what happens when none come.
import { describe, expect, test } from 'vitest'
import { actionJob, workflowFiles } from '../action/workflow.ts'
import { appOfFile } from './app-of-file.ts'
import { aRun, handOver, outcome, policy, results, workflow } from './action-run.ts'
import { aShop } from './shop.ts'

const app = await appOfFile()

test('from a run that begins to results that pass', async () => {
  const given = await aRun(app)
  const { shop, sha } = given
  expect(await shop.summary(sha)).toContain('`test` running')
  await handOver(given, results(given))
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await shop.summary(sha)).toContain('`test` passed<br>1 left out by their paths')
})

test('a check that failed says so to the next attempt, and what is worth a look is shown', async () => {
  const given = await aRun(app)
  const { shop, sha, number } = given
  const finding = { path: 'test/a.test.ts', line: 3, severity: 'MEDIUM', category: 'weakened_test' } as const
  const tier1 = { passed: true, checks: [], feedback: null, findings: [{ ...finding, message: 'a test is skipped' }] }
  await handOver(given, { ...results(given, false), tier1 }, { conclusion: 'failure' })
  expect(await shop.check(sha)).toBe('failure: Changes needed: required check `test` failed with exit code 1')
  expect((await shop.comments(number))[0]).toContain('AssertionError: expected 3, got 2')
  expect(await shop.summary(sha)).toContain('`test/a.test.ts:3` medium: a test is skipped')
})

test('tier 1 comes from the run, and fails first', async () => {
  const given = await aRun(app)
  const checks = [{ name: 'syntax_a.json', passed: false, detail: 'line 3: a comma is missing' }]
  const tier1 = { passed: false, checks, findings: [], feedback: 'syntax_a.json: line 3: a comma is missing' }
  await handOver(given, { ...results(given), tier1 }, { conclusion: 'failure' })
  expect(await given.shop.check(given.sha)).toBe(
    'failure: Changes needed: built-in check `syntax_a.json` failed: line 3: a comma is missing',
  )
})

test('a required check without a result has failed', async () => {
  const given = await aRun(app)
  await handOver(given, { ...results(given), checks: [] }, { conclusion: 'failure' })
  expect(await given.shop.check(given.sha)).toBe('failure: Changes needed: required check `test` never reported')
})

test.each([
  ['passes', 'success', []],
  ['fails in one of its steps', 'failure', [{ name: 'countersign', conclusion: 'failure' }]],
] as const)('a run that %s without handing anything over has failed its checks', async (_title, conclusion, steps) => {
  const { shop, sha, run } = await aRun(app)
  app.github.reportCheck(shop.name, { name: actionJob, sha, conclusion })
  app.github.finishRun(shop.name, run, conclusion, steps)
  await shop.idle()
  expect(await shop.check(sha)).toBe(
    'failure: Changes needed: built-in check `results` failed: the workflow run ended without reporting it',
  )
  expect(await shop.summary(sha)).toContain('`test` never reported')
})

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

  test('an artifact that could not be downloaded at first', async () => {
    const given = await aRun(app)
    const trouble = { kind: 'answer', status: 502 } as const
    const fault = app.github.addFault({ path: '/_artifacts/*', times: 2, trouble })
    await handOver(given, results(given))
    expect(await given.shop.check(given.sha)).toMatch(/^success/)
    expect(await given.shop.runs(given.sha)).toBe(1)
    app.github.removeFault(fault)
  })

  test('a run that never started', async () => {
    const { shop, sha, run } = await aRun(app)
    app.github.finishRun(shop.name, run, 'skipped')
    await shop.idle()
    expect(await shop.check(sha)).toBe('in_progress: Waiting: the workflow run never started: run it again')
  })

  test('a run on a fork that waits for approval', async () => {
    const { shop, sha, run } = await aRun(app)
    app.github.finishRun(shop.name, run, 'action_required')
    await shop.idle()
    expect(await shop.check(sha)).toBe(
      'in_progress: Waiting: the workflow run waits for approval: a maintainer must approve it',
    )
  })

  test('a base without the workflow', async () => {
    const shop = await aShop(app, policy)
    const sha = await shop.push()
    await shop.open()
    expect(await shop.check(sha)).toBe(
      'in_progress: Waiting: the base branch has no workflow that runs the checks: add it',
    )
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

test('a repeated run counts with its newest attempt only', async () => {
  const given = await aRun(app)
  const { shop, sha, run } = given
  await handOver(given, results(given, false), { conclusion: 'failure' })
  expect(await shop.check(sha)).toMatch(/^failure/)
  app.github.rerun(shop.name, run)
  await shop.idle()
  expect(await shop.check(sha)).toBe('in_progress: Waiting: required check `test` has not reported yet')
  app.github.finishRun(shop.name, run, 'success')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^in_progress/)
  expect(await shop.summary(sha)).toContain('it is of another attempt of this run')
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

test('a merge group hands over its own results, and leaves out what its changes do not touch', async () => {
  const given = await aRun(app)
  const { shop, sha, number } = given
  await handOver(given, results(given))
  const group = app.github.mergeGroup(shop.name, [number], 'ada').headSha
  const run = app.github.startRun(shop.name, { head: group, branch: 'queue', path: workflow, event: 'merge_group' })
  await shop.idle()
  expect(await shop.check(group)).toMatch(/^in_progress/)
  const own = { ...results({ ...given, sha: group, run }), event: 'merge_group', pull: null, tier1: null } as const
  await handOver({ ...given, run }, own)
  expect(await shop.check(group)).toMatch(/^success/)
  expect(await shop.check(sha)).toMatch(/^success/)
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
