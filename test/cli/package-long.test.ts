// The package as people get it: packed, installed into an empty folder, and tried there from begin to end.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { appAt, freePort, until } from '../app/lab/running.ts'
import { watchedGitHub } from '../openapi/watched.ts'
import { commands } from '../../src/entry/cli/commands.ts'
import { bare, npm, packed } from './packed.ts'
import { answer } from './practice.ts'
import { VERSION } from '../../src/entry/version.ts'

let home = ''
let bin = ''

beforeAll(() => {
  ;({ home, bin } = packed())
}, 300_000)
afterAll(() => rmSync(home, { recursive: true, force: true }), 60_000)

type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

/** Beside us, since the GitHub of the tests has to answer it. */
async function countersign(args: readonly string[], cwd: string, env = bare(home)): Promise<Ran> {
  const child = spawn(bin, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  await closed
  return { code: child.exitCode, out, err }
}

function git(cwd: string, args: readonly string[]): void {
  const who = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main']
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8', env: bare(home) })
  if (status !== 0) throw new Error(stderr)
}

test('it knows itself, and teaches what a wrong word meant', async () => {
  expect(await countersign(['--version'], home)).toEqual({ code: 0, out: `${VERSION}\n`, err: '' })
  expect(await countersign(['--help'], home)).toMatchObject({ code: 0, err: '' })
  expect(await countersign(['strat'], home)).toMatchObject({
    code: 2,
    err: expect.stringContaining('Did you mean `start`?'),
  })
})

test.each(Object.keys(commands))('%s is there with all that it needs, and says how it is used', async (name) => {
  const { code, out, err } = await countersign([name, '--help'], home)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(new RegExp(`^countersign ${name}`))
  expect((await countersign(['completion', 'bash'], home)).out).toContain(`    ${name}) `)
})

test('on Node 22 it says that this is too old, and what to do', async () => {
  const old = `node-${process.platform}-${process.arch}`
  const folder = join(home, 'old')
  mkdirSync(folder)
  npm(['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${old}@22`], folder)
  const words = { cwd: home, env: bare(home), encoding: 'utf8' } as const
  const ran = spawnSync(join(folder, 'node_modules', old, 'bin/node'), [realpathSync(bin), 'init', '--help'], words)
  expect([ran.status, ran.stdout]).toEqual([2, ''])
  expect(ran.stderr).toMatch(/^countersign: this is Node 22\.\d+\.\d+, and it takes Node 24\.12 or later\. Install it/)
}, 300_000)

test('what it brings is what it needs, and its schema for editors', () => {
  const brought = readdirSync(join(home, 'empty/node_modules/countersign'), { recursive: true }).map(String)
  expect(brought).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'app.yml']))
  const { exports } = z
    .object({ exports: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(home, 'empty/node_modules/countersign/package.json'), 'utf8')))
  expect(Object.values(exports).filter((path) => !brought.includes(path.slice('./'.length)))).toEqual([])
  expect(Object.keys(exports)).toContain('./policy.schema.json')
  const wrong = brought.filter((path) =>
    /(?:^|\/)(?:test|docs|\.env|\.github)(?:\/|$)|(?<!\.d)\.ts$|\.test\./.test(path),
  )
  expect(wrong).toEqual([])
})

test('in a repository: init, validate and tier1', async () => {
  const clone = join(home, 'shop')
  mkdirSync(join(clone, 'src'), { recursive: true })
  git(clone, ['init', '--quiet'])
  writeFileSync(join(clone, 'package.json'), '{ "scripts": { "test": "node --test" } }')
  git(clone, ['add', '.'])
  git(clone, ['commit', '--quiet', '-m', 'one'])
  expect(await countersign(['init', '--yes'], join(clone, 'src'))).toMatchObject({
    code: 0,
    out: expect.stringContaining('wrote .github/countersign.yml'),
  })
  expect(await countersign(['validate'], clone)).toMatchObject({ code: 0, err: '' })
  git(clone, ['checkout', '--quiet', '-b', 'feature'])
  git(clone, ['add', '.'])
  git(clone, ['commit', '--quiet', '-m', 'two'])
  expect(await countersign(['tier1', '--base', 'main', '--policy', '.github/countersign.yml'], clone)).toMatchObject({
    code: 0,
  })
  writeFileSync(join(clone, '.github/countersign.yml'), 'verfication: {}\n')
  expect(await countersign(['validate'], clone)).toMatchObject({
    code: 1,
    out: expect.stringContaining('verification'),
  })
  expect((await countersign(['schema'], clone)).out).toContain('"$schema"')
})

test('start runs the App, which status and doctor find, and a signal ends it', async () => {
  const port = await freePort()
  const github = await watchedGitHub({ app: appAt(port) })
  const folder = join(home, 'app')
  mkdirSync(folder)
  github.createOrg('acme', ['cleo'])
  github.createRepo('acme/shop', {
    files: { '.github/countersign.yml': 'verification: { checks: [{ check_run: build }] }\n' },
    by: 'cleo',
  })
  const lines = {
    APP_ID: String(github.app.id),
    PRIVATE_KEY: JSON.stringify(github.app.privateKey),
    WEBHOOK_SECRET: JSON.stringify(github.app.webhookSecret),
    GITHUB_API_URL: github.url,
    PORT: String(port),
  }
  writeFileSync(
    join(folder, '.env'),
    Object.entries(lines)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const app = spawn(bin, ['start'], { cwd: folder, env: bare(home), stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  try {
    await until(async () => {
      if (app.exitCode !== null) throw new Error(said)
      return fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    }, 120_000)
    github.install('acme')
    github.push('acme/shop', 'feature', { files: { 'a.txt': 'a\n' }, author: 'agent' })
    github.openPull('acme/shop', { title: 'One', head: 'feature', by: 'agent' })
    await until(async () => {
      await github.idle()
      return github.requests.some(({ method, path }) => method === 'POST' && path.endsWith('/check-runs'))
    })
    expect(await countersign(['status'], folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining('The App runs.'),
    })
    const doctor = await countersign(
      ['doctor', 'acme/shop', '--json'],
      folder,
      bare(home, { GH_TOKEN: github.tokenOf('cleo'), GITHUB_API_URL: github.url }),
    )
    const { findings } = answer.parse(JSON.parse(doctor.out))
    const here = findings.filter(({ about }) => ['credentials', 'webhooks', 'database', 'policy'].includes(about))
    expect(here.map(({ about, state, why }) => (state === 'ok' ? about : why)).toSorted()).toEqual([
      'credentials',
      'database',
      'policy',
      'webhooks',
    ])
  } finally {
    const ended = once(app, 'exit')
    app.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await github.close()
  }
}, 240_000)
