// `isolation: job`: how GitHub says that the job of a check ended is its result, and what is left beside it proves nothing.
import { describe, expect, test } from 'vitest'
import { governing } from '../../../src/core/contract/policy/governing.ts'
import { artifactOfCheck } from '../../../src/core/decision/results/results-file.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import type { Given } from '../lab/action-run.ts'
import { aJobRun, byJob, checkFile, finish, job, tier1, tier1File, upload } from '../lab/job-run.ts'

const app = await sharedApp()
const waitsFor = (check: string): RegExp => new RegExp(`^in_progress: Waiting: required check \`${check}\` has not`)

test('from a run that begins to jobs that pass, each as it ends', async () => {
  const given = await aJobRun(app)
  const { shop, sha } = given
  expect(await shop.summary(sha)).toContain('`test` running')
  tier1(given)
  job(given, 'test')
  const lint = job(given, 'lint', { conclusion: null, leaves: checkFile(given, 'lint', true) })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(waitsFor('lint'))
  expect(await shop.summary(sha)).toContain('`test` passed<br>`lint` running<br>1 left out by their paths')
  app.github.updateCheck(shop.name, lint, { conclusion: 'success' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  await finish(given)
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a job that fails says what was printed, and a green file beside it changes nothing', async () => {
  const given = await aJobRun(app)
  const { shop, sha, number } = given
  tier1(given)
  job(given, 'test', { conclusion: 'failure', leaves: checkFile(given, 'test', false) })
  job(given, 'lint', { conclusion: 'failure', leaves: checkFile(given, 'lint', true) })
  await finish(given, 'failure')
  expect(await shop.check(sha)).toBe('failure: Changes needed: required check `test` failed with exit code 1')
  expect(await shop.summary(sha)).toContain('`lint` failed, exit code 1')
  expect((await shop.comments(number))[0]).toContain('AssertionError: expected 3, got 2')
})

test('words that appear after a job has ended are not its own', async () => {
  const given = await aJobRun(app)
  const { shop, sha, run } = given
  tier1(given)
  const id = app.github.reportCheck(shop.name, { name: 'test', sha, run, status: 'in_progress' })
  app.github.updateCheck(shop.name, id, { conclusion: 'failure', completedAt: '2020-01-01T00:00:00Z' })
  upload(given, artifactOfCheck('test'), checkFile(given, 'test', false))
  job(given, 'lint')
  await finish(given, 'failure')
  expect((await shop.comments(given.number))[0]).not.toContain('AssertionError')
})

test('tier 1 comes from its job, and fails first', async () => {
  const given = await aJobRun(app)
  const checks = [{ name: 'syntax_a.json', passed: false, detail: 'line 3: a comma is missing' }]
  const failed = { passed: false, checks, findings: [], feedback: null }
  tier1(given, { conclusion: 'failure', leaves: tier1File(given, { tier1: failed }) })
  job(given, 'test')
  job(given, 'lint')
  await finish(given, 'failure')
  expect(await given.shop.check(given.sha)).toContain('failure: Changes needed: built-in check `syntax_a.json` failed')
})

describe('is no pass, and says what to do:', () => {
  const through = async (conclusion: Parameters<typeof job>[2]): Promise<Given> => {
    const given = await aJobRun(app)
    tier1(given)
    job(given, 'test', conclusion)
    job(given, 'lint')
    await finish(given, 'failure')
    return given
  }

  test('a job that ran out of time', async () => {
    const { shop, sha } = await through({ conclusion: 'timed_out' })
    expect(await shop.check(sha)).toBe('failure: Changes needed: required check `test` timed out')
  })

  test('a job that is not there', async () => {
    const given = await aJobRun(app)
    tier1(given)
    job(given, 'lint')
    await finish(given)
    expect(await given.shop.check(given.sha)).toBe('failure: Changes needed: required check `test` never reported')
    expect(await given.shop.summary(given.sha)).toContain('no job of this run is called')
  })
})

test('results under a newer policy of the base open the attempt anew under that one', async () => {
  const given = await aJobRun(app)
  const { shop, sha } = given
  const looser = byJob.replace('name: lint,', 'name: lint, required: false,')
  app.github.push(shop.name, 'main', { files: { '.github/countersign.yml': looser }, author: 'cleo' })
  await shop.idle()
  const { hash } = governing({ own: looser, organisation: null })
  tier1(given, { leaves: tier1File(given, { policy: { hash, organisation: 'none' } }) })
  job(given, 'test')
  job(given, 'lint', { conclusion: 'failure' })
  await finish(given, 'failure')
  expect(await shop.check(sha)).toMatch(/^success/)
})
