// Without credentials the App registers itself, for whoever can read its console and for nobody else.
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, ask, comeBack, cookieOf, fill, registry, stateIn, tokenOf } from '../lab/registering.ts'
import { until } from '../lab/running.ts'
import { aHome, post, spawnApp, type Spawned } from '../lab/spawned.ts'

const { github, conversions, unregistered } = await registry()

test('whoever opens what the console shows registers the App, once', async () => {
  const app = await unregistered()
  const token = tokenOf(app)
  expect(app.output()).toContain(
    `Open ${app.url}/?token=${token} to register it with GitHub, or set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET.`,
  )
  expect(await (await fetch(`${app.url}/health`)).json()).toEqual({
    status: 'not registered',
    next: 'open the address that this process printed at its start',
  })
  const first = await ask(`${app.url}/?token=${token}`)
  expect(first.status).toBe(200)
  expect(first.text).toContain(`name="address" value="${app.url}"`)

  const confirm = await fill(app)
  const manifest: unknown = JSON.parse(/name="manifest" value="(.+?)" ?\/?>/.exec(confirm.text)?.[1] ?? '')
  expect(manifest).toMatchObject({
    redirect_url: `${app.url}/registered`,
    hook_attributes: { url: 'https://gate.acme.com/api/github/webhooks' },
    default_permissions: { checks: 'write', contents: 'read' },
    public: false,
  })
  expect(confirm.text).toContain(`<form action="${github.url}/settings/apps/new?state=`)
  expect(confirm.headers.get('set-cookie')).toMatch(
    /^countersign_registration=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/,
  )

  const back = { code: 'one', state: stateIn(confirm), cookie: cookieOf(confirm) }
  const answers = await Promise.all(Array.from({ length: 5 }, () => comeBack(app, back)))
  expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409, 409, 409, 409])
  expect(conversions()).toBe(1)
  const end = answers.find(({ status }) => status === 200)
  expect(end?.text).toContain(`<a href="${github.url}/apps/app-one/installations/new">Install the App</a>`)
  expect(end?.text).toContain('Yes: GitHub takes the new key.')
  expect(end?.text).toContain('Not yet: No webhook has arrived here yet')
  expect(end?.text).toContain('Not yet: It is not installed anywhere yet.')
  expect(end?.text).not.toMatch(/<script|secret-one|PRIVATE KEY/)

  // GitHub comes by, and is asked to come again when the App runs; whoever registered it sees that.
  github.createOrg('acme', ['cleo'])
  github.install('acme', { app: 'app-one' })
  const ping = await post(app.url, '{}', 'secret-one', { 'x-github-event': 'ping' })
  const forged = await post(app.url, '{}', 'another', { 'x-github-event': 'push' })
  expect([ping.status, forged.status]).toEqual([503, 410])
  const again = await ask(`${app.url}/registered`, { headers: { cookie: end === undefined ? '' : cookieOf(end) } })
  expect(again.status).toBe(200)
  expect(again.text).toContain('Yes: A webhook arrived, signed as it has to be: ping.')
  expect(again.text).toContain('Yes: It is installed on acme.')
  expect((await ask(`${app.url}/registered`)).status).toBe(410)
  expect(app.output()).not.toMatch(/secret-one|PRIVATE KEY-/)
  const file = join(app.cwd, '.env')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const env = await readFile(file, 'utf8')
  expect(env).toMatch(
    /^APP_ID=\d+\nPRIVATE_KEY="-----BEGIN.+-----"\nWEBHOOK_SECRET=secret-one\nGITHUB_CLIENT_ID=\S+\nGITHUB_CLIENT_SECRET=\S+\n$/,
  )
  expect((await readdir(app.cwd)).toSorted()).toEqual(['.countersign', '.env'])

  for (const path of [`/?token=${token}`, '/', `/registered?code=one&state=${back.state}`])
    expect((await ask(`${app.url}${path}`, { headers: { cookie: back.cookie } })).status).toBe(410)
  expect((await fill(app)).status).toBe(410)
  expect(conversions()).toBe(1)
  expect(await app.end('SIGTERM')).toBe(0)

  const next = await spawnApp({ GITHUB_API_URL: github.url }, app.cwd)
  await until(async () =>
    github.requestLog().some(({ path, status }) => path === '/app/installations' && status === 200),
  )
  expect((await post(next.url, '{}', 'secret-one', { 'x-github-event': 'ping' })).text).toBe('ignored\n')
  expect(next.output()).not.toContain('token=')
  expect((await ask(`${next.url}/registered?code=two&state=${back.state}`)).status).toBe(404)
  await next.end('SIGTERM')
  expect(await readFile(file, 'utf8')).toBe(env)
}, 90_000)

describe('nobody else', () => {
  let app: Spawned & { readonly cwd: string }
  let confirm: Answer
  beforeAll(async () => {
    const cwd = aHome()
    app = { ...(await spawnApp({ GITHUB_API_URL: github.url }, cwd)), cwd }
    confirm = await fill(app)
  }, 90_000)
  afterAll(async () => void (await app.end('SIGTERM')))

  test.each<[string, string, RequestInit, number]>([
    ['opens the page', '/', {}, 403],
    ['guesses', '/?token=guess', {}, 403],
    [
      'sends the form',
      '/',
      { method: 'POST', body: new URLSearchParams({ address: 'https://evil.example.org' }) },
      403,
    ],
    ['sends a form without an end', '/', { method: 'POST', body: 'a'.repeat(100_000) }, 403],
    ['brings a code of their own', '/registered?code=evil&state=evil', {}, 403],
    ['brings a code without a state', '/registered?code=evil', {}, 403],
    [
      'makes up both state and cookie',
      '/registered?code=evil&state=evil',
      { headers: { cookie: 'countersign_registration=evil' } },
      403,
    ],
    ['looks for the webhooks', '/api/github/webhooks', { method: 'POST', body: '{}' }, 404],
    ['looks elsewhere', '/.env', {}, 404],
  ])('who %s gets anywhere', async (_title, path, init, status) => {
    const answer = await ask(`${app.url}${path}`, init)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain('the console of this process')
    expect(answer.text).not.toContain(tokenOf(app))
    expect(answer.text).not.toContain('<form')
    expect(conversions()).toBe(0)
    expect(existsSync(join(app.cwd, '.env'))).toBe(false)
  })

  test('who knows the state has it without its cookie', async () => {
    const state = stateIn(confirm)
    expect((await ask(`${app.url}/registered?code=evil&state=${state}`)).status).toBe(403)
    const cookie = cookieOf(confirm).replace(/=.+/, `=${state.slice(1)}`)
    expect((await comeBack(app, { code: 'evil', state, cookie })).status).toBe(403)
    expect((await comeBack(app, { code: 'evil', state: 'evil', cookie: cookieOf(confirm) })).status).toBe(403)
    expect((await comeBack(app, { code: '', state, cookie: cookieOf(confirm) })).status).toBe(400)
    expect(conversions()).toBe(0)
  })

  test('no page is kept, framed, or tells where it was reached', async () => {
    for (const { headers } of [confirm, await ask(`${app.url}/?token=${tokenOf(app)}`), await ask(app.url)]) {
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/)
    }
  })

  test.each([
    [{ 'x-forwarded-host': 'gate.acme.com', 'x-forwarded-proto': 'https, http' }, 'https://gate.acme.com'],
    [{ 'x-forwarded-host': 'gate.acme.com' }, 'https://gate.acme.com'],
    [{ 'x-forwarded-host': 'localhost:8080' }, 'http://localhost:8080'],
    [{ 'x-forwarded-host': 'evil"><script>alert(1)</script>' }, ''],
    [{ 'x-forwarded-host': 'user@evil.example.org' }, ''],
    [{ 'x-forwarded-proto': 'javascript' }, null],
  ])('a request of %j is a guess and no more', async (headers, guess) => {
    const answer = await fetch(`${app.url}/?token=${tokenOf(app)}`, { headers })
    const text = await answer.text()
    expect(text).toContain(`name="address" value="${guess ?? app.url}"`)
    expect(text).not.toContain('<script')
  })

  test.each([
    [{ address: 'http://gate.acme.com' }, 'must begin with https://'],
    [{ address: 'javascript:alert(1)' }, 'must begin with https://'],
    [{ address: '"><script>' }, 'looks like https://'],
    [{ address: 'https://user:secret@gate.acme.com' }, 'must not hold a name'],
    [{ back: 'http://gate.acme.com' }, 'Address of this page'],
    [{ organization: '../../login' }, 'An organisation is given by its name'],
    [{ organization: '"><script>' }, 'An organisation is given by its name'],
  ])('what %j says is refused, and can be mended', async (fields, why) => {
    const all = { token: tokenOf(app), address: 'https://gate.acme.com', back: '', organization: '', ...fields }
    const answer = await fetch(`${app.url}/`, { method: 'POST', body: new URLSearchParams(all) })
    const text = await answer.text()
    expect(answer.status).toBe(422)
    expect(text).toContain(why)
    expect(text).not.toContain('<script')
    expect(text).toContain('<form')
  })
})

test('an organisation owns its App, a public page has a cookie for it alone, and a private name is warned of', async () => {
  const app = await unregistered()
  const { text, headers } = await fill(app, {
    address: 'https://gate.corp',
    back: 'https://gate.acme.com/countersign/',
    organization: 'acme-inc',
  })
  expect(text).toContain(`<form action="${github.url}/organizations/acme-inc/settings/apps/new?state=`)
  expect(text).toContain('gate.corp is a private name.')
  expect(text).toContain('https://gate.acme.com/countersign/registered')
  expect(headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
})

test('what GitHub does not confirm changes nothing, and can be begun again', async () => {
  const fault = github.addFault({ path: '/app-manifests/*', trouble: { kind: 'answer', status: 404 } })
  const app = await unregistered()
  const confirm = await fill(app)
  const back = { code: 'old', state: stateIn(confirm), cookie: cookieOf(confirm) }
  expect(await comeBack(app, back)).toMatchObject({
    status: 500,
    text: expect.stringContaining('GitHub answered 404 to the registration: begin again'),
  })
  expect(existsSync(join(app.cwd, '.env'))).toBe(false)
  github.removeFault(fault)
  // A state is good for one try.
  expect((await comeBack(app, { ...back, code: 'new' })).status).toBe(403)
  const again = await fill(app)
  expect((await comeBack(app, { code: 'new', state: stateIn(again), cookie: cookieOf(again) })).status).toBe(200)
})
