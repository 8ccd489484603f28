// What the Action hands over, from the run that begins to results that decide, and what happens when none come.
import { describe, expect, test } from 'vitest'
import { actionJob } from '../../action/workflow.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aRun, handOver, policy, results, workflow } from '../lab/action-run.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()

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
  test('an artifact that could not be downloaded at first', async () => {
    const given = await aRun(app)
    const trouble = { kind: 'answer', status: 502 } as const
    const fault = app.github.addFault({ path: '/_artifacts/*', times: 2, trouble })
    await handOver(given, results(given))
    expect(await given.shop.check(given.sha)).toMatch(/^success/)
    expect(await given.shop.runs(given.sha)).toBe(1)
    app.github.removeFault(fault)
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
