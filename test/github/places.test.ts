// Stacks, locked conversations, suspended installations and the history of branches and texts.
import { expect, test } from 'vitest'
import { aGitHub, refusal, shop } from './setting.ts'

async function aStack() {
  const setting = await aGitHub()
  const { github } = setting
  const { number: bottom } = setting.aPull()
  const head = github.push('acme/shop', 'above', { from: 'feature', files: { 'src/b.ts': 'two\n' }, author: 'ada' })
  const top = github.openPull('acme/shop', { title: 'Two', head: 'above', base: 'feature', by: 'ada' })
  return { setting, github, bottom, top, head }
}

test('every pull request of a stack answers to the rules for the base of the lowest', async () => {
  const { setting, github, bottom, top } = await aStack()
  github.protect('acme/shop', 'main', { checks: [{ context: 'gate', appId: null }] })
  const stateOf = async (pull_number: number) =>
    (await setting.asApp().rest.pulls.get({ ...shop, pull_number })).data.mergeable_state
  expect(await stateOf(top)).toBe('clean')
  github.stack('acme/shop', [bottom, top], 'ada')
  expect(await stateOf(top)).toBe('blocked')
  expect(() => github.merge('acme/shop', top, { by: 'ada' })).toThrow('"gate" is expected')
})

test('a stack is told once it is one, and never when a pull request is opened', async () => {
  const { setting, github, bottom, top } = await aStack()
  expect((await setting.news()).at(-1)).toBe('pull_request.opened')
  expect(setting.heard.at(-1)?.payload).toMatchObject({ pull_request: { stack: null, base: { ref: 'feature' } } })
  await setting.hush()
  github.stack('acme/shop', [bottom, top], 'ada')
  expect(await setting.news()).toEqual(['pull_request.stacked', 'pull_request.stacked'])
  const stack = { base: { ref: 'main' }, size: 2, position: 2, number: 1 }
  expect(setting.heard[1]?.payload).toMatchObject({ number: top, stack, pull_request: { stack } })
  const listed = await setting.asApp().request('GET /repos/{owner}/{repo}/stacks', { ...shop, pull_request: top })
  expect(listed.data).toMatchObject([{ number: 1, open: true, pull_requests: [{ number: bottom }, { number: top }] }])
  github.unstack('acme/shop', 1)
  expect((await setting.asApp().rest.pulls.get({ ...shop, pull_number: top })).data).toMatchObject({ stack: null })
})

test('a locked conversation takes words from writers, and from no App', async () => {
  const setting = await aGitHub()
  const { number } = setting.aPull()
  const said = { ...shop, issue_number: number, body: 'Hello' }
  const { data: comment } = await setting.asApp().rest.issues.createComment(said)
  await setting.hush()
  setting.github.lock('acme/shop', number, 'too heated', 'ada')
  expect(await setting.news()).toEqual(['pull_request.locked'])
  const words = '403 Unable to create comment because issue is locked'
  expect(await refusal(setting.asApp().rest.issues.createComment(said))).toContain(words)
  expect(await refusal(setting.as('rae').rest.issues.createComment(said))).toContain(words)
  const reaction = { ...shop, comment_id: comment.id, content: 'eyes' } as const
  expect(await refusal(setting.asApp().rest.reactions.createForIssueComment(reaction))).toMatch(/^403/)
  const review = { ...shop, pull_number: number, event: 'COMMENT', body: 'Hm' } as const
  expect(await refusal(setting.asApp().rest.pulls.createReview(review))).toContain('lock prevents review')
  await setting.as('bob').rest.issues.createComment(said)
  const edited = await setting.asApp().rest.issues.updateComment({ ...shop, comment_id: comment.id, body: 'Bye' })
  expect(edited.data.body).toBe('Bye')
  const { data } = await setting.asApp().rest.pulls.get({ ...shop, pull_number: number })
  expect([data.locked, data.active_lock_reason]).toEqual([true, 'too heated'])
  setting.github.unlock('acme/shop', number, 'ada')
  await setting.asApp().rest.issues.createComment(said)
})

test('a suspended installation is listed, makes no token and hears nothing; others go on', async () => {
  const setting = await aGitHub()
  const { github, installation } = setting
  github.createRepo('umbrella/lab', { by: 'umbrella' })
  const other = github.install('umbrella')
  const octokit = setting.asApp()
  await setting.hush()
  github.suspendInstallation(installation, 'olga')
  setting.aPull()
  expect(await setting.news()).toEqual(['installation.suspend'])
  const itself = setting.asAppItself()
  const token = (installation_id: number) => itself.rest.apps.createInstallationAccessToken({ installation_id })
  expect(await refusal(token(installation))).toContain('403 This installation has been suspended')
  expect((await token(other)).status).toBe(201)
  expect(await refusal(octokit.rest.repos.get(shop))).toContain('403 This installation has been suspended')
  const { data } = await itself.rest.apps.listInstallations()
  expect(data.map(({ id, suspended_at }) => [id, suspended_at !== null])).toEqual([
    [installation, true],
    [other, false],
  ])
  github.suspendInstallation(installation, null)
  expect(await setting.news()).toEqual(['installation.suspend', 'installation.unsuspend'])
  expect((await token(installation)).status).toBe(201)
})

test('the activity of a branch says who moved it, page by page', async () => {
  const setting = await aGitHub()
  const { github } = setting
  const { number } = setting.aPull()
  github.push('acme/shop', 'feature', { files: { a: '1' }, author: { name: 'x', email: 'x@y.example' }, pusher: 'bob' })
  github.merge('acme/shop', number, { by: 'olga' })
  const list = (more: object) =>
    setting.asApp().request('GET /repos/{owner}/{repo}/activity', { ...shop, per_page: 2, ...more })
  const first = await list({})
  const shown = ({ data }: Awaited<ReturnType<typeof list>>) =>
    data.map((one) => `${one.activity_type} ${one.ref} ${one.actor?.login}`)
  expect(shown(first)).toEqual(['pr_merge refs/heads/main olga', 'push refs/heads/feature bob'])
  const after = /after=([\w-]+)/.exec(first.headers.link ?? '')?.[1]
  expect(shown(await list({ after }))).toEqual([
    'branch_creation refs/heads/feature ada',
    'branch_creation refs/heads/main olga',
  ])
  expect(shown(await list({ ref: 'refs/heads/feature', actor: 'bob' }))).toEqual(['push refs/heads/feature bob'])
})

test('a push is told with who pushed it before there is a pull request, and one to a fork is not', async () => {
  const setting = await aGitHub()
  const { github } = setting
  github.fork('acme/shop', 'eve')
  await setting.hush()
  const head = github.push('acme/shop', 'early', { files: { a: '1' }, author: 'bob', pusher: 'ada' })
  github.push('eve/shop', 'early', { files: { a: '2' }, author: 'eve' })
  expect(await setting.news()).toEqual(['create', 'push', 'check_suite.requested'])
  expect(setting.heard[1]?.payload).toMatchObject({
    ref: 'refs/heads/early',
    before: '0'.repeat(40),
    after: head,
    pusher: { name: 'ada' },
    sender: { login: 'ada', type: 'User' },
  })
})

test('what became of a text, and who changed it', async () => {
  const setting = await aGitHub()
  const { github } = setting
  const number = github.openIssue('acme/shop', { title: 'A task', body: 'one', by: 'ada' })
  const asked = () =>
    setting.asApp().graphql(`{ repository(owner: "acme", name: "shop") { issue(number: ${number}) {
      state locked lastEditedAt editor { login ... on User { databaseId } }
      userContentEdits(first: 9) { totalCount nodes { editedAt editor { login } } } } } }`)
  expect(await asked()).toMatchObject({ repository: { issue: { lastEditedAt: null, editor: null, locked: false } } })
  github.editIssue('acme/shop', number, { body: 'two', by: 'bob' })
  github.editIssue('acme/shop', number, { body: 'three', by: 'ada' })
  expect(await asked()).toMatchObject({
    repository: {
      issue: {
        state: 'OPEN',
        lastEditedAt: expect.stringContaining('T'),
        editor: { login: 'ada', databaseId: expect.any(Number) },
        userContentEdits: { totalCount: 2, nodes: [{ editor: { login: 'ada' } }, { editor: { login: 'bob' } }] },
      },
    },
  })
})
