// Apps over REST: JWTs, installations, tokens and what they may do, and the webhooks that were sent.
import { createAppAuth } from '@octokit/auth-app'
import { Octokit } from '@octokit/rest'
import { describe, expect, test } from 'vitest'
import { aGitHub, quiet, refusal, shop } from './setting.ts'
import { makeKeyPair } from './world.ts'

test('an App signs in by JWT, finds its installation and gets a token', async () => {
  const { github, installation, asAppItself } = await aGitHub()
  const octokit = asAppItself()
  expect((await octokit.rest.apps.getAuthenticated()).data?.slug).toBe('gate')
  const { data: installations } = await octokit.rest.apps.listInstallations()
  expect(installations.map(({ id, account }) => [id, account?.id])).toEqual([[installation, expect.any(Number)]])
  expect((await octokit.rest.apps.getRepoInstallation(shop)).data.id).toBe(installation)
  // The rest of the client's calls go by a token that it fetches by itself.
  const { data: repos } = await octokit.rest.apps.listReposAccessibleToInstallation()
  expect(repos.repositories.map(({ full_name }) => full_name)).toEqual(['acme/shop'])
  github.expireTokens()
  const { data: fresh } = await octokit.rest.apps.createInstallationAccessToken({ installation_id: installation })
  expect(Date.parse(fresh.expires_at) - Date.now()).toBeGreaterThan(3_500_000)
})

test('a JWT of another key is refused', async () => {
  const { github, installation } = await aGitHub()
  const auth = { appId: github.app.id, privateKey: makeKeyPair().privateKey, installationId: installation }
  const octokit = new Octokit({ baseUrl: github.url, authStrategy: createAppAuth, auth, log: quiet })
  expect(await refusal(octokit.rest.apps.getAuthenticated())).toContain('401 A JSON web token could not be decoded')
})

test('an unknown or expired token is bad credentials', async () => {
  const { github, asApp } = await aGitHub()
  const stranger = new Octokit({ baseUrl: github.url, auth: 'ghp_nobody', log: quiet })
  expect(await refusal(stranger.rest.repos.get(shop))).toContain('401 Bad credentials')
  const octokit = asApp()
  github.expireTokens()
  expect(await refusal(octokit.rest.repos.get(shop))).toContain('401 Bad credentials')
})

describe('a token does what its permissions say', () => {
  const withPermissions = async (permissions: Record<string, string>) => {
    const setting = await aGitHub()
    const auth = setting.github.installationToken('acme/shop', 'gate', permissions)
    const { number, head } = setting.aPull()
    return { octokit: new Octokit({ baseUrl: setting.github.url, auth, log: quiet }), number, head }
  }

  test('reading is not writing', async () => {
    const { octokit, number, head } = await withPermissions({ checks: 'read', pull_requests: 'read' })
    expect((await octokit.rest.pulls.get({ ...shop, pull_number: number })).status).toBe(200)
    const create = octokit.rest.checks.create({ ...shop, name: 'gate', head_sha: head })
    expect(await refusal(create)).toContain('403 Resource not accessible by integration')
  })

  test('what was not granted is closed', async () => {
    const { octokit, head } = await withPermissions({ checks: 'write' })
    const status = octokit.rest.repos.createCommitStatus({ ...shop, sha: head, state: 'success' })
    expect(await refusal(status)).toMatch(/^403/)
    expect(await refusal(octokit.rest.actions.listWorkflowRunsForRepo(shop))).toMatch(/^403/)
  })

  test('a comment on a pull request needs one permission of two', async () => {
    const { octokit, number } = await withPermissions({ pull_requests: 'write' })
    const comment = octokit.rest.issues.createComment({ ...shop, issue_number: number, body: 'Hello' })
    expect((await comment).status).toBe(201)
  })

  test('a token is never wider than the installation', async () => {
    const { installation, asAppItself } = await aGitHub()
    const wide = { installation_id: installation, permissions: { contents: 'write' } } as const
    expect(await refusal(asAppItself().rest.apps.createInstallationAccessToken(wide))).toMatch(/^422/)
  })

  test('another repository is out of reach for writing, and unseen where it is private', async () => {
    const { github, asApp } = await aGitHub()
    github.createRepo('other/place')
    github.createRepo('other/vault', { private: true })
    // The token is for `acme/shop` alone, though the App is installed on all of `acme`.
    github.createRepo('acme/second', { private: true })
    const place = { owner: 'other', repo: 'place' }
    expect((await asApp().rest.repos.get(place)).status).toBe(200)
    expect(await refusal(asApp().rest.issues.create({ ...place, title: 'Hello' }))).toMatch(/^403/)
    expect(await refusal(asApp().rest.repos.get({ owner: 'other', repo: 'vault' }))).toMatch(/^404/)
    expect(await refusal(asApp().rest.repos.get({ owner: 'acme', repo: 'second' }))).toMatch(/^404/)
  })
})

test('an App that is uninstalled hears of it and loses its tokens', async () => {
  const { github, installation, asApp, news } = await aGitHub()
  const octokit = asApp()
  github.uninstall(installation)
  github.comment('acme/shop', github.openIssue('acme/shop', { title: 'Silence', by: 'ada' }), {
    body: 'Hello',
    by: 'ada',
  })
  expect(await news()).toEqual(['installation.deleted'])
  expect(await refusal(octokit.rest.repos.get(shop))).toMatch(/^401/)
})

test('chosen repositories come and go', async () => {
  const { github, heard, news } = await aGitHub()
  github.createRepo('solo/one')
  github.createRepo('solo/two')
  const id = github.install('solo', { repos: ['solo/one'] })
  github.changeInstalledRepos(id, ['solo/two'], ['solo/one'])
  github.openIssue('solo/one', { title: 'Unheard', by: 'ada' })
  github.openIssue('solo/two', { title: 'Heard', by: 'ada' })
  expect(await news()).toEqual([
    'installation.created',
    'installation_repositories.added',
    'installation_repositories.removed',
    'issues.opened',
  ])
  expect(heard[0]?.payload['repositories']).toEqual([expect.objectContaining({ full_name: 'solo/one' })])
  expect(heard.at(-1)?.payload).toMatchObject({ installation: { id }, issue: { title: 'Heard' } })
  const auth = { appId: github.app.id, privateKey: github.app.privateKey, installationId: id }
  const octokit = new Octokit({ baseUrl: github.url, authStrategy: createAppAuth, auth, log: quiet })
  const { data } = await octokit.rest.apps.listReposAccessibleToInstallation()
  expect(data.repositories.map(({ full_name }) => full_name)).toEqual(['solo/two'])
})

test('an App made from a manifest has a key that works', async () => {
  const { github, as } = await aGitHub()
  const { data: app } = await as('ada').rest.apps.createFromManifest({ code: 'abc' })
  const auth = { appId: app.id, privateKey: app.pem }
  const octokit = new Octokit({ baseUrl: github.url, authStrategy: createAppAuth, auth, log: quiet })
  expect((await octokit.rest.apps.getAuthenticated()).data?.id).toBe(app.id)
})
