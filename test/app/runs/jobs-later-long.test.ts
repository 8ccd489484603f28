// Jobs that run again, do not run, or run for a merge group.
import { describe, expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { workflow, type Given } from '../lab/action-run.ts'
import { aJobRun, byJob, checkFile, finish, job, tier1, tier1File, workflowFor } from '../lab/job-run.ts'

const app = await appOfFile()
const waitsFor = (check: string): RegExp => new RegExp(`^in_progress: Waiting: required check \`${check}\` has not`)

describe('is no pass, and says what to do:', () => {
  const through = async (conclusion: Parameters<typeof job>[2]): Promise<Given> => {
    const given = await aJobRun(app)
    tier1(given)
    job(given, 'test', conclusion)
    job(given, 'lint')
    await finish(given, 'failure')
    return given
  }

  test('a job that was skipped', async () => {
    const { shop, sha } = await through({ conclusion: 'skipped' })
    expect(await shop.check(sha)).toBe('failure: Changes needed: required check `test` never reported')
    expect(await shop.summary(sha)).toContain('was skipped, which is no pass: let it run')
  })

  test('a job that was cancelled', async () => {
    const { shop, sha } = await through({ conclusion: 'cancelled' })
    expect(await shop.check(sha)).toBe('in_progress: Waiting: the workflow run was cancelled: run it again')
    expect(await shop.summary(sha)).toContain('`lint` passed')
  })

  test('a base whose workflow has one job for everything', async () => {
    const text = workflowFor(byJob).replace(/ {2}# How each[\s\S]*$/, '')
    const given = await aJobRun(app, { text })
    tier1(given)
    await finish(given)
    expect(await given.shop.check(given.sha)).toBe(
      'in_progress: Waiting: not every check has a job on the base branch: `countersign workflow --isolation job` prints one for each',
    )
    expect(await given.shop.summary(given.sha)).toContain('no job of it runs')
  })

  test('one that another failure took along is not waited for', async () => {
    const given = await aJobRun(app)
    tier1(given)
    job(given, 'test', { conclusion: 'failure' })
    job(given, 'lint', { conclusion: 'cancelled' })
    await finish(given, 'failure')
    expect(await given.shop.check(given.sha)).toBe(
      'failure: Changes needed: required check `test` failed with exit code 1',
    )
  })
})

test.each<[string, (given: Given) => unknown]>([
  ['of another check', (given) => checkFile(given, 'lint', false)],
  ['of tier 1', (given) => tier1File(given)],
  ['of another run', (given) => checkFile(given, 'test', false, { run: { id: 7, attempt: 1, workflow } })],
  ['of another commit', (given) => checkFile(given, 'test', false, { head_sha: 'a'.repeat(40) })],
  ['that cannot be read', () => 'nothing'],
])('what a job leaves %s costs its words, and not its result', async (_title, leaves) => {
  const given = await aJobRun(app)
  tier1(given)
  job(given, 'test', { conclusion: 'failure', leaves: leaves(given) })
  job(given, 'lint')
  await finish(given, 'failure')
  expect(await given.shop.check(given.sha)).toBe(
    'failure: Changes needed: required check `test` failed with exit code 1',
  )
  expect((await given.shop.comments(given.number))[0]).not.toContain('AssertionError')
})

describe('"Re-run failed jobs"', () => {
  test('counts the newest run of a job, and keeps those that were not run again', async () => {
    const given = await aJobRun(app)
    const { shop, sha, run } = given
    tier1(given)
    job(given, 'test', { conclusion: 'failure' })
    job(given, 'lint')
    await finish(given, 'failure')
    expect(await shop.check(sha)).toMatch(/^failure/)
    app.github.rerunFailed(shop.name, run)
    await shop.idle()
    expect(await shop.check(sha)).toMatch(waitsFor('test'))
    expect(await shop.summary(sha)).toContain('`lint` passed')
    job(given, 'test')
    await finish(given)
    expect(await shop.check(sha)).toMatch(/^success/)
  })

  test('of one that had passed takes its pass away', async () => {
    const given = await aJobRun(app)
    const { shop, sha, run } = given
    tier1(given)
    job(given, 'test')
    job(given, 'lint')
    await finish(given)
    expect(await shop.check(sha)).toMatch(/^success/)
    app.github.rerun(shop.name, run)
    await shop.idle()
    expect(await shop.check(sha)).toMatch(/^in_progress/)
    app.github.deleteArtifact(shop.name, run, 'countersign-results')
    tier1(given, { leaves: tier1File(given, { run: { id: run, attempt: 2, workflow } }) })
    job(given, 'test', { conclusion: 'failure' })
    job(given, 'lint')
    await finish(given, 'failure')
    expect(await shop.check(sha)).toMatch(/^failure/)
  })
})

test('a merge group has jobs of its own, and leaves out what its changes do not touch', async () => {
  const given = await aJobRun(app)
  const { shop, number } = given
  tier1(given)
  job(given, 'test')
  job(given, 'lint')
  await finish(given)
  const sha = app.github.mergeGroup(shop.name, [number], 'ada').headSha
  const run = app.github.startRun(shop.name, { head: sha, branch: 'queue', path: workflow, event: 'merge_group' })
  await shop.idle()
  const group = { ...given, sha, run }
  tier1(group, { leaves: tier1File(group, { event: 'merge_group', pull: null }) })
  job(group, 'test')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^in_progress/)
  job(group, 'lint', { conclusion: 'failure' })
  await finish(group, 'failure')
  expect(await shop.check(sha)).toMatch(/^failure/)
  app.github.rerunFailed(shop.name, run)
  job(group, 'lint')
  await finish(group)
  expect(await shop.check(sha)).toMatch(/^success/)
})
