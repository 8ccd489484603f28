// What people say over REST: issues, comments, reactions, labels, reviews and line comments.
import { describe, expect, test } from 'vitest'
import { aGitHub, refusal, shop } from './setting.ts'

test('a pull request is an issue too', async () => {
  const { as, aPull } = await aGitHub()
  const { number } = aPull()
  const { data } = await as('rae').rest.issues.get({ ...shop, issue_number: number })
  expect([data.title, data.pull_request?.url]).toEqual(['One', expect.stringContaining(`/pulls/${number}`)])
})

test('a comment is written, edited with what it said before, and deleted', async () => {
  const { as, asApp, aPull, hush, heard, news } = await aGitHub()
  const { number } = aPull()
  await hush()
  const { data: comment } = await as('rae').rest.issues.createComment({ ...shop, issue_number: number, body: 'Hello' })
  await as('bob').rest.issues.updateComment({ ...shop, comment_id: comment.id, body: 'Goodbye' })
  await as('rae').rest.issues.deleteComment({ ...shop, comment_id: comment.id })
  expect(await news()).toEqual(['issue_comment.created', 'issue_comment.edited', 'issue_comment.deleted'])
  expect(heard[1]?.payload).toMatchObject({
    changes: { body: { from: 'Hello' } },
    sender: { login: 'bob' },
    comment: { user: { login: 'rae' } },
    issue: { number, pull_request: {} },
  })
  const { data: own } = await asApp().rest.issues.createComment({ ...shop, issue_number: number, body: 'Beep' })
  expect([own.user?.login, own.user?.type, own.performed_via_github_app?.slug]).toEqual(['gate[bot]', 'Bot', 'gate'])
  const others = as('rae').rest.issues.updateComment({ ...shop, comment_id: own.id, body: 'Boop' })
  expect(await refusal(others)).toMatch(/^403/)
})

test('a comment has at least one and at most 65,536 characters', async () => {
  const { as, aPull } = await aGitHub()
  const issue = { ...shop, issue_number: aPull().number }
  const body = 'x'.repeat(65_536)
  expect((await as('rae').rest.issues.createComment({ ...issue, body })).status).toBe(201)
  expect(await refusal(as('rae').rest.issues.createComment({ ...issue, body: `${body}x` }))).toMatch(/^422/)
  expect(await refusal(as('rae').rest.issues.createComment({ ...issue, body: ' ' }))).toMatch(/^422/)
})

test('the same reaction counts once', async () => {
  const { github, asApp, aPull } = await aGitHub()
  const { number } = aPull()
  const comment_id = github.comment('acme/shop', number, { body: 'Hello', by: 'rae' })
  const react = () => asApp().rest.reactions.createForIssueComment({ ...shop, comment_id, content: 'eyes' })
  expect([(await react()).status, (await react()).status]).toEqual([201, 200])
  const { data } = await asApp().rest.issues.getComment({ ...shop, comment_id })
  expect([data.reactions?.eyes, data.reactions?.total_count]).toEqual([1, 1])
})

test('labels on a pull request are news of the pull request, with who set them', async () => {
  const { github, as, aPull, hush, heard, news } = await aGitHub()
  const { number } = aPull()
  await hush()
  await as('tia').rest.issues.addLabels({ ...shop, issue_number: number, labels: ['ready', 'small'] })
  github.unlabel('acme/shop', number, 'small', 'bob')
  expect(await news()).toEqual(['pull_request.labeled', 'pull_request.labeled', 'pull_request.unlabeled'])
  expect(heard[2]?.payload).toMatchObject({ label: { name: 'small' }, sender: { login: 'bob' } })
  const { data } = await as('tia').rest.issues.setLabels({ ...shop, issue_number: number, labels: ['small'] })
  expect(data.map(({ name }) => name)).toEqual(['small'])
  const absent = as('tia').rest.issues.removeLabel({ ...shop, issue_number: number, name: 'ready' })
  expect(await refusal(absent)).toBe('404 Label does not exist - https://docs.github.com/rest')
  expect(await refusal(as('rae').rest.issues.addLabels({ ...shop, issue_number: number, labels: ['x'] }))).toMatch(
    /^403/,
  )
})

describe('reviews', () => {
  test('nobody approves their own pull request', async () => {
    const { as, aPull } = await aGitHub()
    const pull = { ...shop, pull_number: aPull().number }
    expect(await refusal(as('ada').rest.pulls.createReview({ ...pull, event: 'APPROVE' }))).toMatch(/^422/)
    expect(await refusal(as('ada').rest.pulls.createReview({ ...pull, event: 'REQUEST_CHANGES', body: 'No' }))).toMatch(
      /^422/,
    )
    const { data } = await as('ada').rest.pulls.createReview({ ...pull, event: 'COMMENT', body: 'Note' })
    expect(data.state).toBe('COMMENTED')
  })

  test('a review binds to its commit, and its state is spelt small in webhooks', async () => {
    const { github, as, aPull, hush, heard, news } = await aGitHub()
    const { number, head } = aPull()
    const pull = { ...shop, pull_number: number }
    github.push('acme/shop', 'feature', { files: { b: '2' }, author: 'ada' })
    await hush()
    const { data: review } = await as('bob').rest.pulls.createReview({ ...pull, event: 'APPROVE', commit_id: head })
    expect([review.state, review.commit_id]).toEqual(['APPROVED', head])
    await as('ada').rest.pulls.dismissReview({ ...pull, review_id: review.id, message: 'Too early' })
    expect(await news()).toEqual(['pull_request_review.submitted', 'pull_request_review.dismissed'])
    expect(heard[0]?.payload).toMatchObject({ review: { state: 'approved', commit_id: head, user: { login: 'bob' } } })
    const { data: all } = await as('ada').rest.pulls.listReviews(pull)
    expect(all.map(({ state }) => state)).toEqual(['DISMISSED'])
  })

  test("a pending review is its author's alone until it is submitted", async () => {
    const { as, aPull, hush, news } = await aGitHub()
    const pull = { ...shop, pull_number: aPull().number }
    await hush()
    const { data: review } = await as('bob').rest.pulls.createReview({
      ...pull,
      comments: [{ path: 'src/a.ts', line: 1, side: 'RIGHT', body: 'Hm' }],
    })
    expect((await as('ada').rest.pulls.listReviews(pull)).data).toEqual([])
    await as('bob').rest.pulls.submitReview({
      ...pull,
      review_id: review.id,
      event: 'REQUEST_CHANGES',
      body: 'Change it',
    })
    expect(await news()).toEqual(['pull_request_review.submitted', 'pull_request_review_comment.created'])
  })

  test('a line comment stands only where the diff shows the line', async () => {
    const { as, aPull } = await aGitHub()
    const { number, head } = aPull({ 'src/a.ts': 'one\ntwo\n' })
    const at = (path: string, line: number) =>
      as('rae').rest.pulls.createReviewComment({
        ...shop,
        pull_number: number,
        commit_id: head,
        path,
        line,
        body: 'Why?',
      })
    const { data } = await at('src/a.ts', 2)
    expect([data.path, data.line, data.side]).toEqual(['src/a.ts', 2, 'RIGHT'])
    expect(await refusal(at('src/a.ts', 3))).toMatch(/^422/)
    expect(await refusal(at('README.md', 1))).toMatch(/^422/)
  })
})

test('a review is asked of others, and the answer takes the request away', async () => {
  const { github, as, aPull, hush, news } = await aGitHub()
  const { number } = aPull()
  await hush()
  github.requestReview('acme/shop', number, ['bob'], 'ada')
  const pull = { ...shop, pull_number: number }
  expect((await as('rae').rest.pulls.get(pull)).data.requested_reviewers?.map(({ login }) => login)).toEqual(['bob'])
  github.review('acme/shop', number, { by: 'bob', event: 'APPROVE' })
  expect((await as('rae').rest.pulls.get(pull)).data.requested_reviewers).toEqual([])
  expect(await news()).toEqual(['pull_request.review_requested', 'pull_request_review.submitted'])
})

test('the issues that a pull request closes are read over GraphQL', async () => {
  const { github, asApp } = await aGitHub()
  const [named, linked, other] = ['a', 'b', 'c'].map((title) => github.openIssue('acme/shop', { title, by: 'rae' }))
  if (named === undefined || linked === undefined) throw new Error('There are no issues')
  github.push('acme/shop', 'feature', { files: { a: '1' }, author: 'ada' })
  const body = `Closes #${named}, see #${other}`
  const number = github.openPull('acme/shop', { title: 'Fix', body, head: 'feature', by: 'ada' })
  github.linkIssue('acme/shop', number, linked)
  const closed = () =>
    asApp().graphql(
      `query($owner: String!, $repo: String!, $number: Int!) {
        repository(owner: $owner, name: $repo) {
          pullRequest(number: $number) {
            closingIssuesReferences(first: 10) { nodes { number repository { nameWithOwner } } }
          }
        }
      }`,
      { ...shop, number },
    )
  const nodes = [named, linked].map((one) => ({ number: one, repository: { nameWithOwner: 'acme/shop' } }))
  expect(await closed()).toEqual({ repository: { pullRequest: { closingIssuesReferences: { nodes } } } })
  github.push('acme/shop', 'release', { files: { v: '1' }, author: 'ada' })
  github.editPull('acme/shop', number, { base: 'release', by: 'ada' })
  const left = { repository: { pullRequest: { closingIssuesReferences: { nodes: nodes.slice(1) } } } }
  expect(await closed()).toEqual(left)
  expect(await refusal(asApp().graphql('{ repository(owner: "acme", name: "shop") { nonsense } }'))).toContain(
    'nonsense',
  )
})

test('a draft is unmade over GraphQL', async () => {
  const { github, as, hush, news } = await aGitHub()
  github.push('acme/shop', 'feature', { files: { a: '1' }, author: 'ada' })
  const number = github.openPull('acme/shop', { title: 'Fix', head: 'feature', draft: true, by: 'ada' })
  await hush()
  const { data } = await as('ada').rest.pulls.get({ ...shop, pull_number: number })
  await as('ada').graphql(
    'mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }',
    { id: data.node_id },
  )
  expect(await news()).toEqual(['pull_request.ready_for_review'])
})

test('the whole page is seen at once', async () => {
  const { github, asApp, aPull } = await aGitHub()
  const { number, head } = aPull()
  github.label('acme/shop', number, 'ready', 'ada')
  const comment_id = github.comment('acme/shop', number, { body: 'Hello', by: 'rae' })
  await asApp().rest.reactions.createForIssueComment({ ...shop, comment_id, content: 'eyes' })
  github.review('acme/shop', number, { by: 'bob', event: 'APPROVE', body: 'Fine' })
  github.reportCheck('acme/shop', { sha: head, name: 'ci', conclusion: 'failure' })
  github.reportCheck('acme/shop', { sha: head, name: 'ci', conclusion: 'success' })
  github.reportStatus('acme/shop', { sha: head, context: 'old', state: 'pending', by: 'bob' })
  expect(github.look('acme/shop', number)).toEqual({
    title: 'One',
    state: 'open',
    labels: ['ready'],
    comments: [{ by: 'rae', body: 'Hello', reactions: ['gate[bot] eyes'] }],
    pull: {
      draft: false,
      merged: false,
      head,
      base: 'main',
      reviews: [{ by: 'bob', state: 'APPROVED', body: 'Fine', commit: head, minimized: null }],
      lineComments: [],
      checks: {
        runs: [expect.objectContaining({ name: 'ci', app: 'github-actions', conclusion: 'success' })],
        statuses: [{ context: 'old', state: 'pending', description: null }],
      },
    },
  })
})
