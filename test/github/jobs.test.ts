// The jobs of workflow runs: each belongs to an attempt, and running the failed ones again leaves the others as they were.
import { expect, test } from 'vitest'
import { aGitHub, shop } from './setting.ts'

async function aRun() {
  const setting = await aGitHub()
  const { github } = setting
  const { head, number } = setting.aPull()
  const run_id = github.startRun('acme/shop', { head, branch: 'feature', path: '.github/workflows/ci.yml' })
  const job = (name: string, conclusion: 'success' | 'failure', run = run_id) =>
    github.reportCheck('acme/shop', { name, sha: head, conclusion, run })
  const { actions } = setting.asApp().rest
  const listed = async (filter?: 'latest' | 'all') => {
    const { data } = await actions.listJobsForWorkflowRun({ ...shop, run_id, ...(filter && { filter }) })
    return data.jobs.map(({ name, run_attempt, conclusion }) => `${name} ${run_attempt} ${conclusion}`)
  }
  return { setting, github, head, number, run_id, job, actions, listed }
}

test('a job that was not run again keeps its attempt, and artifacts stay', async () => {
  const { setting, github, run_id, job, actions, listed } = await aRun()
  job('build', 'success')
  job('test', 'failure')
  github.uploadArtifact('acme/shop', run_id, 'results', 'UEs=')
  github.finishRun('acme/shop', run_id, 'failure')
  github.rerunFailed('acme/shop', run_id, 'bob')
  expect(await listed()).toEqual(['build 1 success'])
  job('test', 'success')
  github.finishRun('acme/shop', run_id, 'success')
  expect(await listed('latest')).toEqual(['build 1 success', 'test 2 success'])
  expect(await listed('all')).toEqual(['build 1 success', 'test 1 failure', 'test 2 success'])
  const first = await actions.listJobsForWorkflowRunAttempt({ ...shop, run_id, attempt_number: 1 })
  expect(first.data.jobs.map(({ conclusion }) => conclusion)).toEqual(['success', 'failure'])
  const { data: run } = await actions.getWorkflowRun({ ...shop, run_id })
  expect([run.run_attempt, run.triggering_actor?.login]).toEqual([2, 'bob'])
  const artifacts = await actions.listWorkflowRunArtifacts({ ...shop, run_id })
  expect(artifacts.data.artifacts.map(({ name }) => name)).toEqual(['results'])
  await setting.hush()
})

test('running all again leaves nothing of the attempt before', async () => {
  const { github, run_id, job, listed } = await aRun()
  job('build', 'success')
  github.finishRun('acme/shop', run_id, 'success')
  github.rerun('acme/shop', run_id)
  expect(await listed()).toEqual([])
  job('build', 'failure')
  expect(await listed()).toEqual(['build 2 failure'])
})

test('a job is the check run of its number, in the suite of its run', async () => {
  const { setting, github, head, number, run_id, job, actions } = await aRun()
  const job_id = job('build', 'success')
  const { data: shown } = await actions.getJobForWorkflowRun({ ...shop, job_id })
  const { data: check } = await setting.asApp().rest.checks.get({ ...shop, check_run_id: job_id })
  const { data: run } = await actions.getWorkflowRun({ ...shop, run_id })
  expect([shown.run_id, check.check_suite?.id]).toEqual([run_id, run.check_suite_id])
  expect(check.details_url).toMatch(new RegExp(`/actions/runs/${run_id}/job/${job_id}$`))
  expect(run.pull_requests).toMatchObject([{ number }])
  const second = github.startRun('acme/shop', { head, branch: 'feature', path: '.github/workflows/other.yml' })
  const { data: other } = await actions.getWorkflowRun({ ...shop, run_id: second })
  expect(other.check_suite_id).not.toBe(run.check_suite_id)
  const theirs = await actions.getJobForWorkflowRun({ ...shop, job_id: job('build', 'success', second) })
  expect(theirs.data.run_id).toBe(second)
})

test('a run names the reusable workflows that it called', async () => {
  const { github, head, actions } = await aRun()
  const referenced = [{ path: 'acme/ci/.github/workflows/all.yml@main', sha: 'a'.repeat(40), ref: 'refs/heads/main' }]
  const run_id = github.startRun('acme/shop', { head, path: '.github/workflows/ci.yml', referenced })
  expect((await actions.getWorkflowRun({ ...shop, run_id })).data.referenced_workflows).toEqual(referenced)
})
