// Who people are and what they may do: numbers that outlive names, Apps that write with a person's token, and lists of
// collaborators that are long.
import { Octokit } from '@octokit/rest'
import { expect, test } from 'vitest'
import { aGitHub, quiet, refusal, shop, type Setting } from './setting.ts'

const asThrough = (setting: Setting, login: string, app: string): Octokit =>
  new Octokit({ baseUrl: setting.github.url, auth: setting.github.tokenOf(login, app), log: quiet })

test('a renamed account keeps its number and its rights, and its name may be taken by a stranger', async () => {
  const setting = await aGitHub()
  const { github } = setting
  const { number } = setting.aPull()
  const idOf = async (username: string) => (await setting.asApp().rest.users.getByUsername({ username })).data.id
  const roleOf = async (username: string) =>
    (await setting.asApp().rest.repos.getCollaboratorPermissionLevel({ ...shop, username })).data.role_name
  const before = await idOf('ada')
  github.renameAccount('ada', 'ada-lovelace')
  github.createUser('ada')
  expect(await idOf('ada-lovelace')).toBe(before)
  expect(await idOf('ada')).not.toBe(before)
  expect([await roleOf('ada-lovelace'), await roleOf('ada')]).toEqual(['maintain', 'read'])
  const pull = await setting.asApp().rest.pulls.get({ ...shop, pull_number: number })
  expect(pull.data.user).toMatchObject({ login: 'ada-lovelace', id: before })
})

test('a noreply address with a number names that number, one without names whoever has the login', async () => {
  const setting = await aGitHub()
  const { github } = setting
  const id = (await setting.as('ada').rest.users.getAuthenticated()).data.id
  const commit = (email: string) => github.push('acme/shop', 'feature', { author: { name: 'x', email }, pusher: 'bob' })
  const [numbered, plain] = [commit(`${id}+ada@users.noreply.github.com`), commit('ada@users.noreply.github.com')]
  github.renameAccount('ada', 'lovelace')
  const taker = github.createUser('ada')
  const authorOf = async (ref: string) => (await setting.asApp().rest.repos.getCommit({ ...shop, ref })).data.author
  expect(await authorOf(numbered)).toMatchObject({ login: 'lovelace', id })
  expect(await authorOf(plain)).toMatchObject({ login: 'ada', id: taker })
  expect(await authorOf(commit('nobody@nowhere.example'))).toBeNull()
})

test("a comment that an App writes with a person's token is the person's, and names the App", async () => {
  const setting = await aGitHub()
  const { number } = setting.aPull()
  const said = { ...shop, issue_number: number, body: '/approve' }
  const { data } = await asThrough(setting, 'ada', 'gate').rest.issues.createComment(said)
  expect([data.user?.login, data.performed_via_github_app?.slug]).toEqual(['ada', 'gate'])
  const own = await setting.as('ada').rest.issues.createComment(said)
  expect(own.data.performed_via_github_app).toBeNull()
  setting.github.comment('acme/shop', number, { body: 'hello', by: 'ada', via: 'gate' })
  await setting.news()
  expect(setting.heard.at(-1)?.payload).toMatchObject({
    comment: { user: { login: 'ada' }, performed_via_github_app: { slug: 'gate' } },
  })
})

test('such a token may do what both may', async () => {
  const setting = await aGitHub()
  const { head } = setting.aPull()
  const status = { ...shop, sha: head, state: 'success' } as const
  await asThrough(setting, 'ada', 'gate').rest.repos.createCommitStatus(status)
  expect(await refusal(asThrough(setting, 'rae', 'gate').rest.repos.createCommitStatus(status))).toMatch(/^403/)
  const stranger = asThrough(setting, 'ada', 'not-installed').rest.repos.createCommitStatus(status)
  expect(await refusal(stranger)).toContain('not accessible by integration')
})

test('one account in two spellings', async () => {
  const setting = await aGitHub()
  const number = setting.github.openIssue('acme/shop', { title: 'By a bot', by: 'Copilot' })
  const rest = await setting.asApp().rest.issues.get({ ...shop, issue_number: number })
  const id = rest.data.user?.id
  expect(rest.data.user).toMatchObject({ login: 'Copilot', type: 'Bot' })
  const answer = await setting
    .asApp()
    .graphql(
      `{ repository(owner: "acme", name: "shop") { issue(number: ${number}) { author { login ... on Bot { databaseId } } } } }`,
    )
  expect(answer).toEqual({ repository: { issue: { author: { login: 'copilot-swe-agent[bot]', databaseId: id } } } })
})

test('collaborators by permission and affiliation, also where there are thousands', async () => {
  const setting = await aGitHub()
  const { github } = setting
  github.addCrowd('acme/shop', 2_050, 'read')
  github.setMember('acme', 'mia', 'member')
  const octokit = setting.asApp()
  const list = (more: object) =>
    octokit.paginate(octokit.rest.repos.listCollaborators, { ...shop, per_page: 100, ...more })
  const logins = async (more: object) => (await list(more)).map(({ login }) => login)
  expect(await list({})).toHaveLength(2_055)
  expect(await logins({ permission: 'push' })).toEqual(['olga', 'ada', 'bob'])
  expect(await logins({ permission: 'push', affiliation: 'direct' })).toEqual(['ada', 'bob'])
  github.setMember('acme', 'ada', 'member')
  expect(await logins({ permission: 'push', affiliation: 'outside' })).toEqual(['bob'])
  // A base permission makes every member one.
  github.setBaseRole('acme', 'write')
  expect(await logins({ permission: 'push' })).toEqual(['olga', 'ada', 'bob', 'mia'])
})
