// The same calls against this GitHub and against `emulate`, a GitHub that others wrote: where both know a part of the
// interface they have to agree. What `emulate` lacks or does otherwise (heads that follow pushes, Apps on check runs,
// merge groups, artifacts) is not asked here.
import { createAppAuth } from '@octokit/auth-app'
import { Octokit } from '@octokit/rest'
import { createEmulator } from 'emulate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anEar } from './ear.ts'
import { startGitHub } from './github.ts'
import { quiet, refusal } from './setting.ts'
import { makeKeyPair } from './world.ts'

type Forge = {
  readonly url: string
  readonly appId: number
  readonly installation: number
  readonly privateKey: string
  readonly adasToken: string
  /** Resolves once every webhook so far was heard. */
  readonly idle: () => Promise<void>
  readonly close: () => Promise<void>
}

const secret = 'hush'
const permissions = { checks: 'write', contents: 'read', issues: 'write', pull_requests: 'write', metadata: 'read' }
const events = ['issues', 'issue_comment', 'pull_request', 'check_run']
const shop = { owner: 'ada', repo: 'shop' }

async function ours(webhookUrl: string): Promise<Forge> {
  const github = await startGitHub({ app: { slug: 'gate', webhookUrl, webhookSecret: secret, permissions, events } })
  github.createUser('ada')
  github.createUser('bob')
  github.createRepo('ada/shop')
  const installation = github.install('ada')
  const { id: appId, privateKey } = github.app
  const adasToken = github.tokenOf('ada')
  return { url: github.url, appId, privateKey, installation, adasToken, idle: github.idle, close: github.close }
}

async function theirs(webhookUrl: string): Promise<Forge> {
  const { privateKey } = makeKeyPair()
  const [appId, installation] = [123, 456]
  const installations = [
    { installation_id: installation, account: 'ada', repository_selection: 'all' as const, permissions, events },
  ]
  const app = { app_id: appId, slug: 'gate', name: 'gate', private_key: privateKey, permissions, events, installations }
  const emulator = await createEmulator({
    service: 'github',
    port: 0,
    seed: {
      tokens: { 'adas-token': { login: 'ada', scopes: ['repo', 'user'] } },
      github: {
        users: [{ login: 'ada' }, { login: 'bob' }],
        repos: [{ owner: 'ada', name: 'shop', auto_init: true }],
        apps: [{ ...app, webhook_url: webhookUrl, webhook_secret: secret }],
      },
    },
  })
  // It has no way to ask whether a webhook is under way, so the ear itself is asked until it heard.
  return {
    url: emulator.url,
    appId,
    privateKey,
    installation,
    adasToken: 'adas-token',
    idle: async () => {},
    close: () => emulator.close(),
  }
}

describe.each([
  ['this GitHub', ours],
  ['emulate', theirs],
])('%s', (_name, open) => {
  const opened: { forge?: Forge; ear?: Awaited<ReturnType<typeof anEar>> } = {}
  beforeAll(async () => {
    opened.ear = await anEar(secret)
    opened.forge = await open(opened.ear.url)
  })
  afterAll(async () => {
    await opened.forge?.close()
    opened.ear?.close()
  })
  const forge = (): Forge => {
    if (opened.forge === undefined) throw new Error('The forge is not open')
    return opened.forge
  }
  const ada = () => new Octokit({ baseUrl: forge().url, auth: forge().adasToken, log: quiet })
  const app = (privateKey = forge().privateKey) => {
    const auth = { appId: forge().appId, privateKey, installationId: forge().installation }
    return new Octokit({ baseUrl: forge().url, authStrategy: createAppAuth, auth, log: quiet })
  }

  test('people and what they may do', async () => {
    expect((await ada().rest.users.getAuthenticated()).data.login).toBe('ada')
    expect((await ada().rest.users.getByUsername({ username: 'bob' })).data).toMatchObject({
      login: 'bob',
      type: 'User',
    })
    expect(await refusal(ada().rest.users.getByUsername({ username: 'nobody' }))).toMatch(/^404/)
    const level = await ada().rest.repos.getCollaboratorPermissionLevel({ ...shop, username: 'ada' })
    expect(level.data).toMatchObject({ permission: 'admin', role_name: 'admin', user: { login: 'ada' } })
  })

  test('an issue, its labels and its comments', async () => {
    const { data: issue } = await ada().rest.issues.create({ ...shop, title: 'Broken', body: 'It is.' })
    expect(issue).toMatchObject({ title: 'Broken', body: 'It is.', state: 'open', user: { login: 'ada' }, comments: 0 })
    const at = { ...shop, issue_number: issue.number }
    await ada().rest.issues.createLabel({ ...shop, name: 'bug', color: 'ff0000' })
    const { data: labels } = await ada().rest.issues.addLabels({ ...at, labels: ['bug'] })
    expect(labels.map(({ name, color }) => [name, color])).toEqual([['bug', 'ff0000']])
    const { data: comment } = await ada().rest.issues.createComment({ ...at, body: 'Why?' })
    await ada().rest.issues.updateComment({ ...shop, comment_id: comment.id, body: 'Because.' })
    expect((await ada().rest.issues.listComments(at)).data.map(({ body }) => body)).toEqual(['Because.'])
    expect((await ada().rest.issues.deleteComment({ ...shop, comment_id: comment.id })).status).toBe(204)
    const { data: closed } = await ada().rest.issues.update({ ...at, state: 'closed', state_reason: 'not_planned' })
    expect([closed.state, closed.state_reason, closed.closed_by?.login]).toEqual(['closed', 'not_planned', 'ada'])
    expect(await refusal(ada().rest.issues.get({ ...shop, issue_number: 999 }))).toMatch(/^404/)
  })

  test('an App signs in by its own key and acts as its bot', async () => {
    expect((await app().rest.apps.getAuthenticated()).data?.slug).toBe('gate')
    expect(await refusal(app(makeKeyPair().privateKey).rest.apps.getAuthenticated())).toMatch(/^401/)
    const { data: token } = await app().rest.apps.createInstallationAccessToken({
      installation_id: forge().installation,
    })
    expect(Date.parse(token.expires_at)).toBeGreaterThan(Date.now() + 3_000_000)
    const { data: issue } = await app().rest.issues.create({ ...shop, title: 'Beep' })
    expect(issue.user).toMatchObject({ login: 'gate[bot]', type: 'Bot' })
    const forbidden = app().rest.git.createRef({ ...shop, ref: 'refs/heads/x', sha: 'f'.repeat(40) })
    expect(await refusal(forbidden)).toMatch(/^403/)
  })

  test('a required check keeps a pull request from being merged until it passes', async () => {
    const { data: main } = await ada().rest.repos.getBranch({ ...shop, branch: 'main' })
    await ada().rest.git.createRef({ ...shop, ref: 'refs/heads/feature', sha: main.commit.sha })
    const content = Buffer.from('one\n').toString('base64')
    const file = { ...shop, path: 'a.ts', message: 'Add a', branch: 'feature', content }
    const { data: written } = await ada().rest.repos.createOrUpdateFileContents(file)
    const { data: pull } = await ada().rest.pulls.create({ ...shop, title: 'Add a', head: 'feature', base: 'main' })
    expect(pull).toMatchObject({ state: 'open', merged: false, head: { ref: 'feature', sha: written.commit.sha } })
    await ada().rest.repos.updateBranchProtection({
      ...shop,
      branch: 'main',
      required_status_checks: { strict: false, contexts: ['gate'] },
      enforce_admins: true,
      required_pull_request_reviews: null,
      restrictions: null,
    })
    const merge = () => ada().rest.pulls.merge({ ...shop, pull_number: pull.number, merge_method: 'merge' })
    // GitHub's documentation says 405; `emulate` answers 422.
    expect(await refusal(merge())).toMatch(/^(405|422) Required status check/)
    const named = { ...shop, name: 'gate', head_sha: pull.head.sha }
    const { data: run } = await app().rest.checks.create({ ...named, status: 'in_progress' })
    expect([run.status, run.conclusion, run.name]).toEqual(['in_progress', null, 'gate'])
    const output = { title: 'Fine', summary: 'All is well.' }
    await app().rest.checks.update({
      ...shop,
      check_run_id: run.id,
      status: 'completed',
      conclusion: 'success',
      output,
    })
    const { data: runs } = await ada().rest.checks.listForRef({ ...shop, ref: pull.head.sha, check_name: 'gate' })
    expect(runs.check_runs.map(({ status, conclusion }) => [status, conclusion])).toEqual([['completed', 'success']])
    expect((await merge()).data.merged).toBe(true)
    expect((await ada().rest.pulls.get({ ...shop, pull_number: pull.number })).data.merged).toBe(true)
  })

  test('webhooks are signed and name the installation', async () => {
    await ada().rest.issues.create({ ...shop, title: 'Heard' })
    await forge().idle()
    const isIt = ({ payload }: { readonly payload: object }) => JSON.stringify(payload).includes('"title":"Heard"')
    await expect
      .poll(() => opened.ear?.heard.find(isIt))
      .toMatchObject({
        event: 'issues',
        action: 'opened',
        signed: true,
        payload: {
          sender: { login: 'ada' },
          repository: { full_name: 'ada/shop' },
          installation: { id: forge().installation },
        },
      })
  })
})
