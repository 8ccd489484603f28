// Pull requests over REST: heads that move, forks, drafts, bases that change, conflicts, and the rules of merging.
import { describe, expect, test } from 'vitest'
import { aGitHub, refusal, shop } from './setting.ts'

test('a push moves the head, and the App hears of it', async () => {
  const { github, as, aPull, hush, heard, news } = await aGitHub()
  const { number, head } = aPull()
  await hush()
  const next = github.push('acme/shop', 'feature', { files: { 'src/a.ts': 'two\n' }, author: 'bob' })
  expect(await news()).toEqual(['push', 'check_suite.requested', 'pull_request.synchronize'])
  expect(heard.at(-1)?.payload).toMatchObject({ before: head, after: next, number, sender: { login: 'bob' } })
  const { data } = await as('rae').rest.pulls.get({ ...shop, pull_number: number })
  expect(data.head.sha).toBe(next)
  expect(data.commits).toBe(2)
})

test('a pull request from a fork names the fork as its head', async () => {
  const { github, as, heard, news } = await aGitHub()
  github.fork('acme/shop', 'eve')
  github.push('eve/shop', 'fix', { files: { 'a.ts': 'one\n' }, author: 'eve' })
  const number = github.openPull('acme/shop', { title: 'Fix', head: 'eve:fix', by: 'eve' })
  github.push('eve/shop', 'fix', { files: { 'a.ts': 'two\n' }, author: 'eve' })
  const { data } = await as('rae').rest.pulls.get({ ...shop, pull_number: number })
  expect([data.head.label, data.head.repo.full_name, data.head.repo.fork]).toEqual(['eve:fix', 'eve/shop', true])
  expect(data.author_association).toBe('NONE')
  // The fork's own pushes are none of the App's business; the pull request is.
  expect(await news()).toEqual(['pull_request.opened', 'pull_request.synchronize'])
  expect(heard.at(-1)?.payload).toMatchObject({ repository: { full_name: 'acme/shop' }, installation: {} })
})

test('a pull request outlives the fork that it came from', async () => {
  const { github, as } = await aGitHub()
  github.fork('acme/shop', 'eve')
  github.push('eve/shop', 'fix', { files: { a: '1' }, author: 'eve' })
  const pull_number = github.openPull('acme/shop', { title: 'Fix', head: 'eve:fix', by: 'eve' })
  github.deleteRepo('eve/shop', 'eve')
  const { data } = await as('rae').rest.pulls.get({ ...shop, pull_number })
  expect([data.state, data.head.repo, data.head.ref]).toEqual(['open', null, 'fix'])
})

test('a pull request closes when its branch is deleted', async () => {
  const { github, aPull, hush, news } = await aGitHub()
  const { number } = aPull()
  await hush()
  github.deleteBranch('acme/shop', 'feature', 'ada')
  expect(github.look('acme/shop', number).state).toBe('closed')
  expect(await news()).toEqual(['push', 'delete', 'pull_request.closed'])
})

test('a branch is brought up to date', async () => {
  const { github, as, aPull } = await aGitHub()
  const { number, head } = aPull()
  const base = github.push('acme/shop', 'main', { files: { other: '1' }, author: 'bob' })
  await as('bob').rest.pulls.updateBranch({ ...shop, pull_number: number, expected_head_sha: head })
  const { data } = await as('rae').rest.repos.getCommit({ ...shop, ref: github.tip('acme/shop', 'feature') })
  expect(data.parents.map(({ sha }) => sha)).toEqual([head, base])
  expect([data.author?.login, data.committer?.login]).toEqual(['bob', 'web-flow'])
})

test('a draft is made and unmade', async () => {
  const { github, as, aPull, hush, news } = await aGitHub()
  const { number } = aPull()
  await hush()
  github.setDraft('acme/shop', number, true, 'ada')
  expect((await as('rae').rest.pulls.get({ ...shop, pull_number: number })).data.mergeable_state).toBe('draft')
  github.setDraft('acme/shop', number, false, 'ada')
  expect(await news()).toEqual(['pull_request.converted_to_draft', 'pull_request.ready_for_review'])
})

test('a new base is told with the old one', async () => {
  const { github, as, aPull, hush, heard, news } = await aGitHub()
  github.push('acme/shop', 'release', { files: { v: '1' }, author: 'ada' })
  const { number } = aPull()
  await hush()
  await as('ada').rest.pulls.update({ ...shop, pull_number: number, base: 'release' })
  expect(await news()).toEqual(['pull_request.edited'])
  expect(heard[0]?.payload).toMatchObject({
    changes: { base: { ref: { from: 'main' } } },
    pull_request: { base: { ref: 'release', sha: github.tip('acme/shop', 'release') } },
  })
})

test('closing and opening again are told', async () => {
  const { github, as, aPull, hush, news } = await aGitHub()
  const { number } = aPull()
  await hush()
  github.closePull('acme/shop', number, 'bob')
  await as('ada').rest.pulls.update({ ...shop, pull_number: number, state: 'open' })
  expect(await news()).toEqual(['pull_request.closed', 'pull_request.reopened'])
})

test('files are listed with what happened to them', async () => {
  const { github, as } = await aGitHub()
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`)
  const old = { 'kept.ts': 'one\ntwo\nthree\n', 'moved.ts': lines.join(''), 'gone.ts': 'bye\n', 'copied.ts': 'exact\n' }
  github.push('acme/shop', 'main', { files: old, author: 'ada' })
  const files = {
    'kept.ts': 'one\n2\nthree\n',
    'moved.ts': null,
    'new/moved.ts': [...lines.slice(0, 19), 'changed\n'].join(''),
    'gone.ts': null,
    'copied.ts': null,
    'new/copied.ts': 'exact\n',
    'fresh.ts': 'hello\n',
    'image.png': { base64: Buffer.from([0, 1, 2]).toString('base64') },
  }
  github.push('acme/shop', 'feature', { files, author: 'ada' })
  const number = github.openPull('acme/shop', { title: 'Files', head: 'feature', by: 'ada' })
  const { data } = await as('rae').rest.pulls.listFiles({ ...shop, pull_number: number })
  const rows = data.map((file) => {
    const from = file.previous_filename === undefined ? '' : ` from ${file.previous_filename}`
    const patch = file.patch === undefined ? ' without patch' : ''
    return `${file.status} ${file.filename}${from} +${file.additions} -${file.deletions}${patch}`
  })
  expect(rows).toEqual([
    'added fresh.ts +1 -0',
    'removed gone.ts +0 -1',
    'added image.png +0 -0 without patch',
    'modified kept.ts +1 -1',
    'renamed new/copied.ts from copied.ts +0 -0 without patch',
    'renamed new/moved.ts from moved.ts +1 -1',
  ])
  expect(data.find(({ filename }) => filename === 'kept.ts')?.patch).toBe('@@ -1,3 +1,3 @@\n one\n-two\n+2\n three')
})

test('a diff of more than three hundred files is too large, the list stops at three thousand', async () => {
  const { github, as } = await aGitHub()
  const files = Object.fromEntries(Array.from({ length: 3_010 }, (_, index) => [`f/${index}.ts`, `${index}\n`]))
  github.push('acme/shop', 'feature', { files, author: 'ada' })
  const pull_number = github.openPull('acme/shop', { title: 'Many', head: 'feature', by: 'ada' })
  const octokit = as('rae')
  const listed = await octokit.paginate(octokit.rest.pulls.listFiles, { ...shop, pull_number, per_page: 100 })
  expect(listed).toHaveLength(3_000)
  const diff = octokit.rest.pulls.get({ ...shop, pull_number, mediaType: { format: 'diff' } })
  expect(await refusal(diff)).toMatch(/^406/)
})

test('a small diff comes as text', async () => {
  const { as, aPull } = await aGitHub()
  const { number } = aPull()
  const { data } = await as('rae').rest.pulls.get({ ...shop, pull_number: number, mediaType: { format: 'diff' } })
  expect(data).toBe(
    'diff --git a/src/a.ts b/src/a.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1 @@\n+one\n',
  )
})

test('the same line changed on both sides is a conflict', async () => {
  const { github, as, aPull } = await aGitHub()
  const { number } = aPull({ 'README.md': 'Their shop.\n' })
  github.push('acme/shop', 'main', { files: { 'README.md': 'Our shop.\n' }, author: 'bob' })
  const { data } = await as('rae').rest.pulls.get({ ...shop, pull_number: number })
  expect([data.mergeable, data.mergeable_state]).toEqual([false, 'dirty'])
  expect(await refusal(as('bob').rest.pulls.merge({ ...shop, pull_number: number }))).toMatch(/^405/)
})

test('a merge moves the base, closes the pull request and the issues that it closes', async () => {
  const { github, as, news, hush } = await aGitHub()
  const issue = github.openIssue('acme/shop', { title: 'Broken', by: 'rae' })
  github.push('acme/shop', 'feature', { files: { a: '1' }, author: 'ada' })
  const body = `Fixes #${issue}`
  const pull_number = github.openPull('acme/shop', { title: 'Fix', body, head: 'feature', by: 'ada' })
  await hush()
  const { data: merged } = await as('bob').rest.pulls.merge({ ...shop, pull_number, merge_method: 'squash' })
  expect(github.tip('acme/shop', 'main')).toBe(merged.sha)
  expect(await news()).toEqual(['pull_request.closed', 'push', 'check_suite.requested', 'issues.closed'])
  const { data } = await as('rae').rest.pulls.get({ ...shop, pull_number })
  expect([data.merged, data.merged_by?.login, data.merge_commit_sha]).toEqual([true, 'bob', merged.sha])
  const pulls = await as('rae').rest.repos.listPullRequestsAssociatedWithCommit({ ...shop, commit_sha: merged.sha })
  expect(pulls.data.map(({ number }) => number)).toEqual([pull_number])
})

test('a merge that expects another head is refused', async () => {
  const { github, as, aPull } = await aGitHub()
  const { number, head } = aPull()
  github.push('acme/shop', 'feature', { files: { 'src/a.ts': 'two\n' }, author: 'ada' })
  expect(await refusal(as('bob').rest.pulls.merge({ ...shop, pull_number: number, sha: head }))).toMatch(/^409/)
})

describe('the rules of the base branch', () => {
  const needsGate = (appId: number | null) => ({ checks: [{ context: 'gate', appId }] })

  test('a required check is expected, then has to pass on the very head', async () => {
    const { github, as, aPull } = await aGitHub()
    github.protect('acme/shop', 'main', needsGate(null))
    const { number, head } = aPull()
    const merge = () => as('olga').rest.pulls.merge({ ...shop, pull_number: number })
    expect(await refusal(merge())).toContain('Required status check "gate" is expected.')
    github.reportCheck('acme/shop', { sha: head, name: 'gate', conclusion: 'failure' })
    expect(await refusal(merge())).toContain('"gate" is failing')
    github.reportCheck('acme/shop', { sha: head, name: 'gate', status: 'in_progress' })
    expect(await refusal(merge())).toContain('"gate" is pending')
    github.reportCheck('acme/shop', { sha: head, name: 'gate', conclusion: 'neutral' })
    github.push('acme/shop', 'feature', { files: { b: '2' }, author: 'ada' })
    expect(await refusal(merge())).toContain('is expected')
    github.reportCheck('acme/shop', { sha: 'feature', name: 'gate', conclusion: 'success' })
    expect((await merge()).data.merged).toBe(true)
  })

  test('a pinned check counts from its App only', async () => {
    const { github, as, asApp, aPull } = await aGitHub()
    github.protect('acme/shop', 'main', needsGate(github.app.id))
    const { number, head } = aPull()
    github.reportCheck('acme/shop', { sha: head, name: 'gate', conclusion: 'success', app: 'github-actions' })
    github.reportStatus('acme/shop', { sha: head, context: 'gate', state: 'success', by: 'ada' })
    const merge = () => as('bob').rest.pulls.merge({ ...shop, pull_number: number })
    expect(await refusal(merge())).toContain('is expected')
    await asApp().rest.checks.create({ ...shop, name: 'gate', head_sha: head, conclusion: 'success' })
    expect((await merge()).data.merged).toBe(true)
  })

  test('where any source will do, the newest run counts', async () => {
    const { github, as, aPull } = await aGitHub()
    github.protect('acme/shop', 'main', needsGate(null))
    const { number, head } = aPull()
    github.reportCheck('acme/shop', { sha: head, name: 'gate', app: 'one', conclusion: 'success' })
    github.reportCheck('acme/shop', { sha: head, name: 'gate', app: 'two', conclusion: 'success' })
    github.reportCheck('acme/shop', { sha: head, name: 'gate', app: 'one', conclusion: 'failure' })
    expect(await refusal(as('bob').rest.pulls.merge({ ...shop, pull_number: number }))).toContain('is failing')
  })

  test('a check run and a status of the same name have to pass both', async () => {
    const { github, as, aPull } = await aGitHub()
    github.protect('acme/shop', 'main', needsGate(null))
    const { number, head } = aPull()
    github.reportCheck('acme/shop', { sha: head, name: 'gate', conclusion: 'success' })
    github.reportStatus('acme/shop', { sha: head, context: 'gate', state: 'failure', by: 'ada' })
    expect(await refusal(as('bob').rest.pulls.merge({ ...shop, pull_number: number }))).toContain('is failing')
  })

  test('a ruleset asks as well as a protection', async () => {
    const { github, as, aPull } = await aGitHub()
    github.setRuleset('acme/shop', 'house', { checks: [{ context: 'lint', appId: null }] })
    const { number } = aPull()
    expect(await refusal(as('bob').rest.pulls.merge({ ...shop, pull_number: number }))).toContain('"lint" is expected')
  })

  test('a branch that is behind has to catch up first where the rule is strict', async () => {
    const { github, as, aPull } = await aGitHub()
    github.protect('acme/shop', 'main', { strict: true })
    const { number } = aPull()
    github.push('acme/shop', 'main', { files: { other: '1' }, author: 'bob' })
    expect(await refusal(as('bob').rest.pulls.merge({ ...shop, pull_number: number }))).toContain('out of date')
  })

  test('approvals count from people who may write, and not after a push where they turn stale', async () => {
    const { github, as, aPull } = await aGitHub()
    github.protect('acme/shop', 'main', { approvals: 1, dismissStale: true })
    const { number } = aPull()
    const merge = () => as('bob').rest.pulls.merge({ ...shop, pull_number: number })
    github.review('acme/shop', number, { by: 'rae', event: 'APPROVE' })
    expect(await refusal(merge())).toContain('At least 1 approving review is required')
    github.review('acme/shop', number, { by: 'bob', event: 'APPROVE' })
    github.push('acme/shop', 'feature', { files: { b: '2' }, author: 'ada' })
    expect(await refusal(merge())).toContain('At least 1 approving review is required')
    github.review('acme/shop', number, { by: 'bob', event: 'APPROVE' })
    expect((await merge()).data.merged).toBe(true)
  })
})

test('groups in the merge queue stand on each other', async () => {
  const { github, hush, heard, news } = await aGitHub()
  const numbers = ['one', 'two'].map((branch) => {
    github.push('acme/shop', branch, { files: { [branch]: '1' }, author: 'ada' })
    return github.openPull('acme/shop', { title: branch, head: branch, by: 'ada' })
  })
  await hush()
  const [first, second] = numbers.map((number) => github.mergeGroup('acme/shop', [number], 'ada'))
  if (first === undefined || second === undefined) throw new Error('The queue is empty')
  expect(first.headRef).toBe(`refs/heads/gh-readonly-queue/main/pr-${numbers[0]}-${github.tip('acme/shop', 'main')}`)
  expect(second.baseSha).toBe(first.headSha)
  github.endGroup('acme/shop', first.headSha, 'merged', 'github-merge-queue[bot]')
  expect(github.tip('acme/shop', 'main')).toBe(first.headSha)
  expect(await news()).toEqual([
    'pull_request.enqueued',
    'merge_group.checks_requested',
    'pull_request.enqueued',
    'merge_group.checks_requested',
    'merge_group.destroyed',
    'pull_request.dequeued',
    'pull_request.closed',
    'push',
    'check_suite.requested',
  ])
  expect(heard[1]?.payload).toMatchObject({
    merge_group: { base_ref: 'refs/heads/main', head_commit: { id: first.headSha } },
  })
  expect(heard.find(({ payload }) => payload['action'] === 'closed')?.payload).toMatchObject({
    pull_request: { merged_by: { login: 'ada' } },
    sender: { login: 'github-merge-queue[bot]' },
  })
})
