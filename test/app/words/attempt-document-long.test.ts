// What agents read is one document, the same bytes wherever they read it: in the comment, from the App over HTTP, and on
// the command line from the App, from its store and from GitHub alone.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { attemptSchema } from '../../../src/core/words/documents/attempt-schema.ts'
import { documentIn } from '../../../src/entry/attempts/read-board.ts'
import { countersign } from '../../cli/cli.ts'
import { call, mcpClients } from '../lab/mcp-clients.ts'
import { runningApp } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

// The command line reads the directory of this one.
vi.setConfig({ testTimeout: 60_000 })
const app = await runningApp()
afterAll(app.stop)
const clients = mcpClients(app)
const outside = { GITHUB_TOKEN: '', GH_TOKEN: '', DATABASE_URL: '', DATA_DIR: '', COUNTERSIGN_URL: '' }

/** As much of a clone as is looked at. */
async function cloneOf(name: string, branch: string): Promise<string> {
  const folder = await mkdtemp(join(app.directory, 'clone-'))
  await mkdir(join(folder, '.git'))
  await writeFile(join(folder, '.git/HEAD'), `ref: refs/heads/${branch}\n`)
  await writeFile(join(folder, '.git/config'), `[remote "origin"]\n\turl = https://github.com/${name}.git\n`)
  return folder
}

const overHttp = (path: string, token: string | null) =>
  fetch(`${app.url}/attempts/${path}`, token === null ? {} : { headers: { authorization: `Bearer ${token}` } })

test('the comment, the App, its store, the command line and MCP give the same bytes', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  const [sticky = ''] = await shop.comments(number)
  const document = documentIn(sticky) ?? ''
  expect(attemptSchema.parse(JSON.parse(document))).toMatchObject({
    repository: shop.name,
    pull: number,
    head_sha: sha,
    status: 'retry',
    attempt: { number: 1, max: 3 },
    may_push: { allowed: true, why: 'push a fix' },
    failed: ['check:build'],
  })
  const token = app.github.tokenOf('eve')
  const answer = await overHttp(`${shop.name}/${number}`, token)
  expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: document })
  const env = { ...outside, GITHUB_API_URL: app.github.url }
  const name = `${shop.name}#${number}`
  const [fromApp, fromStore, fromComment, page] = await Promise.all([
    countersign(['explain', name, '--json', '--app', app.url], { env: { ...env, GITHUB_TOKEN: token } }),
    countersign(['explain', name, '--json'], { env: { ...env, DATA_DIR: `${app.directory}/data` } }),
    countersign(['explain', name, '--json'], { env: { ...env, GITHUB_TOKEN: token } }),
    countersign(['explain', name], { env: { ...env, DATA_DIR: `${app.directory}/data` } }),
  ])
  const tool = { task_id: name }
  for (const client of await Promise.all([clients.overHttp('eve'), clients.overStdio('eve')]))
    expect((await call(client, 'retry_context', tool)).text).toBe(document)
  for (const ran of [fromApp, fromStore, fromComment])
    expect(ran).toMatchObject({ code: 0, out: `${document}\n`, err: '' })
  expect(page.out.replace(sha.slice(0, 7), '1234567').replaceAll(shop.org, 'acme')).toMatchInlineSnapshot(`
    "acme/shop#1 at 1234567: Changes needed: required check \`build\` failed with exit code 1

    Attempt 1 of 3. Task: acme/shop#1.
    Push: yes, push a fix.
    Waits for: builder.

    Why
      required check \`build\` failed with exit code 1

    build: failed, exit code 1

    What to do next
      The builder: push a fix
      ada or cleo: /override --check build <reason>
    "
  `)
})

test('who may not read the repository reads nothing, and learns nothing', async () => {
  const shop = await aShop(app)
  await shop.push()
  const number = await shop.open()
  app.github.createUser('mallory')
  expect((await overHttp(`${shop.name}/${number}`, null)).status).toBe(401)
  expect((await overHttp(`${shop.name}/${number}`, 'ghp_made_up')).status).toBe(401)
  expect((await overHttp(`${shop.name}/999`, app.github.tokenOf('ada'))).status).toBe(404)
  const vault = `${shop.org}/vault`
  app.github.createRepo(vault, { private: true, files: { 'README.md': '# Vault\n' }, by: 'cleo' })
  const said = async (login: string) => (await overHttp(`${vault}/1`, app.github.tokenOf(login))).text()
  expect(await said('mallory')).toBe('{"error":"GitHub shows no such repository to this token."}')
  expect(await said('cleo')).toBe('{"error":"Nothing was judged there."}')
})

test('`countersign wait` returns with the decision, and says which by its exit code', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  const env = { ...outside, GITHUB_API_URL: app.github.url, GITHUB_TOKEN: app.github.tokenOf('eve') }
  const words = ['wait', `${shop.name}#${number}`, '--app', app.url, '--interval', '0.3']
  // In a clone, that of the branch which is checked out.
  const cwd = await cloneOf(shop.name, 'feature')
  const waiting = countersign(['wait', ...words.slice(2), '--sha', sha], { env, cwd })
  expect(await countersign([...words, '--timeout', '0.1'], { env })).toMatchObject({
    code: 5,
    out: expect.stringContaining('"status": "pending"'),
  })
  await shop.build(sha, 'success')
  expect(await waiting).toMatchObject({ code: 0, out: expect.stringContaining('"status": "success"'), err: '' })
  const nowhere = await countersign(['explain'], { env, cwd: await cloneOf(shop.name, 'another') })
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('has no open pull request: name one') })
})
