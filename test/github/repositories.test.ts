// Repositories over REST: git objects under their real names, who may do what, branches and rules, renames.
import { describe, expect, test } from 'vitest'
import { aGitHub, refusal, shop } from './setting.ts'

test('commits and trees have the names that git gives them', async () => {
  const { github, as } = await aGitHub({ clock: { now: () => '2026-01-05T09:00:00Z' } })
  github.createUser('ann', { name: 'ada', email: 'ada@example.com' })
  github.createRepo('ann/git', { files: null })
  const octokit = as('ann')
  const files = {
    'src/deep/a.ts': 'one\n',
    'src.txt': 'two\n',
    'run.sh': { text: '#!/bin/sh\n', mode: '100755' },
    link: { text: 'src.txt', mode: '120000' },
  } as const
  // These names are what `git commit` printed for the same files.
  const sha = github.push('ann/git', 'main', { files, message: 'Begin\n', author: 'ann', from: null })
  expect(sha).toBe('bd49327cfc76680497362c695e23e432d7a9adab')
  const repo = { owner: 'ann', repo: 'git' }
  const { data: tree } = await octokit.rest.git.getTree({ ...repo, tree_sha: sha, recursive: '1' })
  expect(tree.sha).toBe('8d490e535e0ceb1e680df7fb968eb4010559703d')
  expect(tree.tree.map(({ path, mode, type }) => `${mode} ${type} ${path}`)).toEqual([
    '120000 blob link',
    '100755 blob run.sh',
    '100644 blob src.txt',
    '040000 tree src',
    '040000 tree src/deep',
    '100644 blob src/deep/a.ts',
  ])
})

test('a file is read as base64, raw, and as a blob', async () => {
  const { as } = await aGitHub()
  const octokit = as('rae')
  const { data: file } = await octokit.rest.repos.getContent({ ...shop, path: 'README.md', ref: 'main' })
  if (Array.isArray(file) || file.type !== 'file') throw new Error('README.md is not a file')
  expect(Buffer.from(file.content, 'base64').toString()).toBe('A shop.\n')
  const raw = await octokit.request('GET /repos/{owner}/{repo}/contents/{path}', {
    ...shop,
    path: 'README.md',
    mediaType: { format: 'raw' },
  })
  expect(raw.data).toBe('A shop.\n')
  const { data: blob } = await octokit.rest.git.getBlob({ ...shop, file_sha: file.sha })
  expect(Buffer.from(blob.content, 'base64').toString()).toBe('A shop.\n')
  expect(await refusal(octokit.rest.repos.getContent({ ...shop, path: 'missing' }))).toMatch(/^404/)
})

test('a commit has an author only where the address belongs to an account', async () => {
  const { github, as } = await aGitHub()
  const stranger = { name: 'Nobody', email: 'nobody@nowhere.test' }
  const sha = github.push('acme/shop', 'feature', {
    files: { a: '1' },
    author: stranger,
    committer: 'bob',
    pusher: 'ada',
  })
  const { data: commit } = await as('rae').rest.repos.getCommit({ ...shop, ref: sha })
  expect(commit.author).toBeNull()
  expect(commit.committer).toMatchObject({ login: 'bob' })
  expect(commit.commit.author).toMatchObject(stranger)
  expect(commit.files?.map(({ filename, status }) => [filename, status])).toEqual([['a', 'added']])
})

test('two lines of history are compared from where they part', async () => {
  const { github, as } = await aGitHub()
  github.push('acme/shop', 'feature', { files: { a: '1\n' }, author: 'ada' })
  github.push('acme/shop', 'main', { files: { b: '2\n' }, author: 'bob' })
  const { data } = await as('rae').rest.repos.compareCommitsWithBasehead({ ...shop, basehead: 'main...feature' })
  expect([data.status, data.ahead_by, data.behind_by]).toEqual(['diverged', 1, 1])
  expect(data.files?.map(({ filename, patch }) => [filename, patch])).toEqual([['a', '@@ -0,0 +1 @@\n+1']])
})

describe('permission and role are told apart', () => {
  test.each([
    ['olga', 'admin', 'admin'],
    ['ada', 'write', 'maintain'],
    ['bob', 'write', 'write'],
    ['tia', 'read', 'triage'],
    ['rae', 'read', 'read'],
    ['someone', 'read', 'read'],
  ])('%s: %s, %s', async (username, permission, role_name) => {
    const { github, as } = await aGitHub()
    if (username === 'someone') github.createUser('someone')
    const { data } = await as('ada').rest.repos.getCollaboratorPermissionLevel({ ...shop, username })
    expect(data).toMatchObject({ permission, role_name, user: { login: username } })
  })

  test('a custom role shows under its own name', async () => {
    const { github, as } = await aGitHub()
    github.setPermission('acme/shop', 'rex', 'write', 'release-manager')
    const { data } = await as('ada').rest.repos.getCollaboratorPermissionLevel({ ...shop, username: 'rex' })
    expect([data.permission, data.role_name]).toEqual(['write', 'release-manager'])
  })

  test('a team gives its members its role', async () => {
    const { github, as } = await aGitHub()
    github.setTeam('acme', 'owners', { members: ['tom'], repos: { 'acme/shop': 'maintain' } })
    const { data } = await as('ada').rest.repos.getCollaboratorPermissionLevel({ ...shop, username: 'tom' })
    expect(data.role_name).toBe('maintain')
    const team = { org: 'acme', team_slug: 'owners' }
    const membership = await as('olga').rest.teams.getMembershipForUserInOrg({ ...team, username: 'tom' })
    expect(membership.data.state).toBe('active')
    const stranger = as('olga').rest.teams.getMembershipForUserInOrg({ ...team, username: 'ada' })
    expect(await refusal(stranger)).toMatch(/^404/)
  })
})

test('collaborators are listed with their roles', async () => {
  const { as } = await aGitHub()
  const { data } = await as('ada').rest.repos.listCollaborators({ ...shop, permission: 'push' })
  expect(data.map(({ login, role_name }) => [login, role_name])).toEqual([
    ['olga', 'admin'],
    ['ada', 'maintain'],
    ['bob', 'write'],
  ])
})

test('the old name of a repository leads to the new one', async () => {
  const { github, as } = await aGitHub()
  github.renameRepo('acme/shop', 'store', 'olga')
  const bare = await fetch(`${github.url}/repos/acme/shop/branches/main`, { redirect: 'manual' })
  expect(bare.status).toBe(301)
  expect((await as('ada').rest.repos.get(shop)).data.full_name).toBe('acme/store')
})

test('a branch shows which checks it wants, and from which App', async () => {
  const { github, as, asApp } = await aGitHub()
  github.protect('acme/shop', 'main', {
    checks: [
      { context: 'gate', appId: github.app.id },
      { context: 'any', appId: null },
    ],
  })
  github.setRuleset('acme/shop', 'house', { checks: [{ context: 'lint', appId: 15_368 }] })
  const branch = await asApp().rest.repos.getBranch({ ...shop, branch: 'main' })
  expect(branch.data.protection).toMatchObject({
    required_status_checks: {
      checks: [
        { context: 'gate', app_id: github.app.id },
        { context: 'any', app_id: null },
      ],
    },
  })
  const rules = await asApp().rest.repos.getBranchRules({ ...shop, branch: 'main' })
  expect(rules.data[0]).toMatchObject({
    type: 'required_status_checks',
    parameters: { required_status_checks: [{ context: 'lint', integration_id: 15_368 }] },
  })
  expect(await refusal(as('bob').rest.repos.getBranchProtection({ ...shop, branch: 'main' }))).toMatch(/^403/)
  const whole = await as('olga').rest.repos.getBranchProtection({ ...shop, branch: 'main' })
  expect(whole.data.enforce_admins?.enabled).toBe(true)
})

test('lists come in pages that name the next and the last', async () => {
  const { github, as } = await aGitHub()
  for (let index = 1; index <= 5; index += 1) github.openIssue('acme/shop', { title: `Issue ${index}`, by: 'ada' })
  const octokit = as('ada')
  const first = await octokit.rest.issues.listForRepo({ ...shop, per_page: 2 })
  expect(first.headers.link).toContain('page=3>; rel="last"')
  const last = await octokit.rest.issues.listForRepo({ ...shop, per_page: 2, page: 3 })
  expect([last.data.length, last.headers.link?.includes('rel="next"')]).toEqual([1, false])
  const all = await octokit.paginate(octokit.rest.issues.listForRepo, { ...shop, per_page: 2 })
  expect(all.map(({ title }) => title)).toEqual(['Issue 5', 'Issue 4', 'Issue 3', 'Issue 2', 'Issue 1'])
})

test('a private repository does not exist for strangers', async () => {
  const { github, as } = await aGitHub()
  github.createRepo('acme/vault', { private: true })
  github.createUser('stranger')
  expect(await refusal(as('stranger').rest.repos.get({ owner: 'acme', repo: 'vault' }))).toMatch(/^404/)
})

test('a client may write files, commits and branches itself', async () => {
  const { github, as, news } = await aGitHub()
  const octokit = as('bob')
  const head = github.tip('acme/shop', 'main')
  const { data: tree } = await octokit.rest.git.createTree({
    ...shop,
    base_tree: head,
    tree: [{ path: 'src/b.ts', mode: '100644', type: 'blob', content: 'b\n' }],
  })
  const commit = await octokit.rest.git.createCommit({ ...shop, message: 'Add b', tree: tree.sha, parents: [head] })
  await octokit.rest.git.createRef({ ...shop, ref: 'refs/heads/by-hand', sha: commit.data.sha })
  const content = Buffer.from('c\n').toString('base64')
  const file = { ...shop, path: 'c.ts', message: 'Add c', content, branch: 'by-hand' }
  await octokit.rest.repos.createOrUpdateFileContents(file)
  expect(github.fileAt('acme/shop', 'by-hand', 'c.ts')).toBe('c\n')
  expect(github.fileAt('acme/shop', 'by-hand', 'src/b.ts')).toBe('b\n')
  expect((await news()).filter((one) => one === 'push')).toHaveLength(2)
  expect(await refusal(as('rae').rest.repos.createOrUpdateFileContents(file))).toMatch(/^403/)
})

test('who moved a branch is on record, whoever wrote the commit', async () => {
  const { github, as } = await aGitHub()
  github.push('acme/shop', 'feature', { files: { a: '1' }, author: 'ada', pusher: 'bob' })
  github.push('acme/shop', 'feature', { files: { a: '2' }, author: 'ada', from: 'main' })
  const { data } = await as('rae').rest.repos.listActivities({ ...shop, ref: 'feature' })
  expect(data.map(({ activity_type, actor }) => `${activity_type} ${actor?.login}`)).toEqual([
    'force_push ada',
    'branch_creation bob',
  ])
})
