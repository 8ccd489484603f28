// Check runs, suites, statuses, workflow runs and artifacts over REST, with GitHub's limits.
import { describe, expect, test } from 'vitest'
import { aGitHub, refusal, shop, type Setting } from './setting.ts'

const create = (setting: Setting, head_sha: string, more: object = {}) =>
  setting.asApp().rest.checks.create({ ...shop, name: 'gate', head_sha, ...more })

test('only an App writes check runs, and only its own', async () => {
  const setting = await aGitHub()
  const { head } = setting.aPull()
  const byHand = setting.as('olga').rest.checks.create({ ...shop, name: 'gate', head_sha: head })
  expect(await refusal(byHand)).toContain('403 You must authenticate via a GitHub App')
  const id = setting.github.reportCheck('acme/shop', { sha: head, name: 'ci', status: 'in_progress' })
  const stolen = setting.asApp().rest.checks.update({ ...shop, check_run_id: id, conclusion: 'success' })
  expect(await refusal(stolen)).toMatch(/^403/)
})

test('a run is created and completed, and both are told with its App', async () => {
  const setting = await aGitHub()
  const { head, number } = setting.aPull()
  await setting.hush()
  const { data: run } = await create(setting, head)
  expect([run.status, run.conclusion, run.app?.slug]).toEqual(['queued', null, 'gate'])
  const output = { title: 'Fine', summary: 'All is well.' }
  await setting.asApp().rest.checks.update({ ...shop, check_run_id: run.id, conclusion: 'success', output })
  expect(await setting.news()).toEqual(['check_run.created', 'check_run.completed', 'check_suite.completed'])
  expect(setting.heard[1]?.payload).toMatchObject({
    check_run: {
      name: 'gate',
      status: 'completed',
      conclusion: 'success',
      head_sha: head,
      app: { id: setting.github.app.id },
      check_suite: { head_branch: 'feature', app: { slug: 'gate' } },
      pull_requests: [{ number }],
    },
  })
})

test('a run on a fork names no pull request', async () => {
  const setting = await aGitHub()
  setting.github.fork('acme/shop', 'eve')
  const sha = setting.github.push('eve/shop', 'fix', { files: { a: '1' }, author: 'eve' })
  setting.github.openPull('acme/shop', { title: 'Fix', head: 'eve:fix', by: 'eve' })
  const { data } = await create(setting, sha)
  expect(data.pull_requests).toEqual([])
})

test('a completed run does not go back, but may conclude otherwise', async () => {
  const setting = await aGitHub()
  const { head } = setting.aPull()
  const { data: run } = await create(setting, head, { conclusion: 'success' })
  const update = (fields: object) => setting.asApp().rest.checks.update({ ...shop, check_run_id: run.id, ...fields })
  expect((await update({ status: 'in_progress' })).data).toMatchObject({ status: 'completed', conclusion: 'success' })
  expect((await update({ conclusion: 'failure' })).data).toMatchObject({ status: 'completed', conclusion: 'failure' })
})

describe('limits of a run', () => {
  const annotation = { path: 'a.ts', start_line: 1, end_line: 1, annotation_level: 'warning', message: 'Hm' } as const
  const output = { title: 'Title', summary: 'Summary' }
  const action = { label: 'Retry', description: 'Once more', identifier: 'retry' }
  test.each([
    ['a summary of 65,535 characters', { output: { ...output, summary: 'x'.repeat(65_535) } }, null],
    ['a summary of 65,536 characters', { output: { ...output, summary: 'x'.repeat(65_536) } }, '422'],
    ['a text of 65,536 characters', { output: { ...output, text: 'x'.repeat(65_536) } }, '422'],
    ['fifty annotations', { output: { ...output, annotations: Array.from({ length: 50 }, () => annotation) } }, null],
    [
      'fifty-one annotations',
      { output: { ...output, annotations: Array.from({ length: 51 }, () => annotation) } },
      '422',
    ],
    ['three actions', { actions: [action, action, action] }, null],
    ['four actions', { actions: [action, action, action, action] }, '422'],
    ['a label of twenty-one characters', { actions: [{ ...action, label: 'x'.repeat(21) }] }, '422'],
    ['a summary without a title', { output: { summary: 'Summary' } }, '422'],
    ['a conclusion that GitHub does not know', { conclusion: 'fine' }, '422'],
    ['completed without a conclusion', { status: 'completed' }, '422'],
    ['a commit that is not there', { head_sha: 'f'.repeat(40) }, '422'],
  ])('%s', async (_title, fields, status) => {
    const setting = await aGitHub()
    const { head } = setting.aPull()
    const answer = create(setting, head, fields)
    if (status === null) expect((await answer).status).toBe(201)
    else expect(await refusal(answer)).toMatch(new RegExp(`^${status}`))
  })
})

test('further annotations are appended', async () => {
  const setting = await aGitHub()
  const { head } = setting.aPull()
  const said = (message: string) => ({
    output: {
      title: 'Title',
      summary: 'Summary',
      annotations: [{ path: 'a.ts', start_line: 1, end_line: 1, annotation_level: 'notice' as const, message }],
    },
  })
  const { data: run } = await create(setting, head, said('first'))
  await setting.asApp().rest.checks.update({ ...shop, check_run_id: run.id, ...said('second') })
  const { data } = await setting.asApp().rest.checks.listAnnotations({ ...shop, check_run_id: run.id })
  expect(data.map(({ message }) => message)).toEqual(['first', 'second'])
})

test('runs of a commit are listed newest first, by name and App, latest or all', async () => {
  const setting = await aGitHub()
  const { head } = setting.aPull()
  await create(setting, head, { conclusion: 'failure' })
  await create(setting, head, { conclusion: 'success' })
  setting.github.reportCheck('acme/shop', { sha: head, name: 'ci', conclusion: 'success' })
  const list = async (more: object) => {
    const { data } = await setting.asApp().rest.checks.listForRef({ ...shop, ref: 'feature', ...more })
    return data.check_runs.map(({ name, conclusion }) => `${name} ${conclusion}`)
  }
  expect(await list({})).toEqual(['ci success', 'gate success'])
  expect(await list({ filter: 'all' })).toEqual(['ci success', 'gate success', 'gate failure'])
  expect(await list({ check_name: 'gate' })).toEqual(['gate success'])
  expect(await list({ app_id: 15_368 })).toEqual(['ci success'])
})

test('asking for a run again, and pressing its button, reach its App alone', async () => {
  const setting = await aGitHub()
  const { head } = setting.aPull()
  const actions = [{ label: 'Retry', description: 'Once more', identifier: 'retry' }]
  const { data: run } = await create(setting, head, { conclusion: 'failure', actions })
  const other = setting.github.reportCheck('acme/shop', { sha: head, name: 'ci', conclusion: 'failure' })
  await setting.hush()
  setting.github.rerequest('acme/shop', other, 'ada')
  setting.github.rerequest('acme/shop', run.id, 'ada')
  setting.github.pressAction('acme/shop', run.id, 'retry', 'bob')
  expect(await setting.news()).toEqual(['check_run.rerequested', 'check_run.requested_action'])
  expect(setting.heard[1]?.payload).toMatchObject({
    requested_action: { identifier: 'retry' },
    sender: { login: 'bob' },
  })
  expect((await setting.asApp().rest.checks.get({ ...shop, check_run_id: run.id })).data.conclusion).toBe('failure')
})

test('the newest status of each context counts', async () => {
  const { github, as, aPull, hush, heard, news } = await aGitHub()
  const { head: sha } = aPull()
  await hush()
  github.reportStatus('acme/shop', { sha, context: 'ci', state: 'pending', by: 'bob' })
  await as('bob').rest.repos.createCommitStatus({ ...shop, sha, context: 'ci', state: 'success', description: 'Fine' })
  const { data } = await as('rae').rest.repos.getCombinedStatusForRef({ ...shop, ref: 'feature' })
  expect([data.state, data.statuses.map(({ context, state }) => `${context} ${state}`)]).toEqual([
    'success',
    ['ci success'],
  ])
  expect((await as('rae').rest.repos.listCommitStatusesForRef({ ...shop, ref: sha })).data).toHaveLength(2)
  expect(await news()).toEqual(['status', 'status'])
  expect(heard[1]?.payload).toMatchObject({ sha, context: 'ci', state: 'success', branches: [{ name: 'feature' }] })
  const long = { ...shop, sha, state: 'success' as const, description: 'x'.repeat(141) }
  expect(await refusal(as('bob').rest.repos.createCommitStatus(long))).toMatch(/^422/)
  expect(await refusal(as('rae').rest.repos.createCommitStatus({ ...long, description: '' }))).toMatch(/^403/)
})

describe('workflow runs', () => {
  test('a run is requested, works and ends, and can be run again', async () => {
    const { github, asApp, aPull, hush, heard, news } = await aGitHub()
    const { number, head } = aPull()
    await hush()
    const id = github.startRun('acme/shop', { head: 'feature', name: 'CI', actor: 'ada' })
    github.finishRun('acme/shop', id, 'failure')
    expect(await news()).toEqual(['workflow_run.requested', 'workflow_run.in_progress', 'workflow_run.completed'])
    expect(heard[2]?.payload).toMatchObject({
      workflow_run: {
        id,
        name: 'CI',
        path: '.github/workflows/ci.yml',
        event: 'pull_request',
        head_sha: head,
        head_branch: 'feature',
        head_repository: { full_name: 'acme/shop' },
        conclusion: 'failure',
        run_attempt: 1,
        pull_requests: [{ number }],
      },
    })
    github.rerun('acme/shop', id)
    const { data } = await asApp().rest.actions.getWorkflowRun({ ...shop, run_id: id })
    expect([data.status, data.conclusion, data.run_attempt]).toEqual(['in_progress', null, 2])
    const { data: all } = await asApp().rest.actions.listWorkflowRunsForRepo({ ...shop, head_sha: head })
    expect(all.workflow_runs.map((run) => run.id)).toEqual([id])
  })

  test('a run of a fork names no pull request, not even one from a branch of the same name', async () => {
    const { github, asApp, aPull } = await aGitHub()
    aPull()
    github.fork('acme/shop', 'eve')
    github.push('eve/shop', 'feature', { files: { a: '1' }, author: 'eve' })
    github.openPull('acme/shop', { title: 'Fix', head: 'eve:feature', by: 'eve' })
    const run_id = github.startRun('acme/shop', { head: 'feature', headRepo: 'eve/shop', actor: 'eve' })
    const { data } = await asApp().rest.actions.getWorkflowRun({ ...shop, run_id })
    expect([data.pull_requests, data.head_repository.full_name]).toEqual([[], 'eve/shop'])
  })

  test('an artifact is downloaded through a link that lasts one minute', async () => {
    let now = Date.parse('2026-01-05T09:00:00Z')
    const { github, asApp } = await aGitHub({ clock: { now: () => new Date(now).toISOString() } })
    github.push('acme/shop', 'feature', { files: { a: '1' }, author: 'ada' })
    const run_id = github.startRun('acme/shop', { head: 'feature' })
    github.uploadArtifact('acme/shop', run_id, 'results', Buffer.from('PK and so on'))
    const { data } = await asApp().rest.actions.listWorkflowRunArtifacts({ ...shop, run_id })
    const [artifact] = data.artifacts
    expect(artifact).toMatchObject({ name: 'results', size_in_bytes: 12, workflow_run: { id: run_id } })
    expect(artifact?.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    const token = github.installationToken('acme/shop')
    const headers = { authorization: `Bearer ${token}` }
    const first = await fetch(`${artifact?.archive_download_url}`, { headers, redirect: 'manual' })
    expect(first.status).toBe(302)
    const link = String(first.headers.get('location'))
    expect(await (await fetch(link)).text()).toBe('PK and so on')
    now += 61_000
    expect((await fetch(link)).status).toBe(403)
    expect(() => github.uploadArtifact('acme/shop', run_id, 'results', Buffer.from(''))).toThrow('Unprocessable')
  })
})
