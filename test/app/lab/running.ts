// The real App as a process against the GitHub of the tests, with real signed webhooks between them.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import type { GitHub, Options } from '../../github/github.ts'
import { madeStoreIn } from '../../made-store.ts'
import { watchedGitHub } from '../../openapi/watched.ts'

const root = resolve(import.meta.dirname, '../../..')
/** What `npm start` has Node run, from whichever directory. */
export const startWords: readonly string[] = packageJson.scripts.start
  .replace(/^exec node /, '')
  .split(' ')
  .map((word) => (word.startsWith('-') ? word : join(root, word)))

export type Running = {
  readonly github: GitHub
  readonly url: string
  readonly directory: string
  readonly output: () => string
  /** Null while it does not run. */
  readonly pid: () => number | null
  /** Null where it writes elsewhere. */
  readonly stdout: () => Readable | null
  /** Resolves when every webhook was answered and the App has nothing left to do. */
  readonly idle: () => Promise<void>
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** `conforms` throws where GitHub, or the App, did otherwise than GitHub describes since it was asked last. */
export async function runningApp(
  options: Options = {},
  env: Env = {},
  how: How = {},
): Promise<Running & { readonly conforms: () => void }> {
  const port = await freePort()
  const github = await watchedGitHub({ ...options, app: { ...appAt(port), ...options.app } })
  const { url, directory, output, pid, stdout, start, end } = await appProcess(github, port, env, how)
  const idle = async (): Promise<void> => {
    const isQuiet = async (): Promise<boolean> => {
      await github.idle()
      const { inbox, soon } = health.parse(await (await fetch(`${url}/health`)).json())
      return inbox.waiting === 0 && inbox.active === 0 && soon === 0
    }
    // GitHub's webhooks cause writes, which cause webhooks: quiet twice in a row is quiet.
    await until(async () => {
      if (!(await isQuiet())) return false
      await sleep(CLOSELY_MS)
      return isQuiet()
    })
  }
  await start()
  return {
    github,
    conforms: github.conforms,
    url,
    directory,
    output,
    pid,
    stdout,
    idle,
    start,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM')
      await rm(directory, { recursive: true, force: true })
      await github.close()
    },
  }
}

const registered = z.object({
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
})
const appFile = registered.parse(parse(readFileSync(join(root, 'app.yml'), 'utf8')))

/** How the App is known to the GitHub that it will be told of: with what `app.yml` asks for, and nothing more. */
export const appAt = (port: number) => ({
  slug: 'countersign',
  permissions: appFile.default_permissions,
  events: appFile.default_events,
  webhookSecret: 'it is a secret',
  webhookUrl: `http://127.0.0.1:${port}/api/github/webhooks`,
})

/** The App as a process that can be started again on the same directory, for whichever GitHub there is. */
export async function appProcess(
  { url: apiUrl, app }: Pick<GitHub, 'url' | 'app'>,
  port: number,
  more: Env = {},
  { writesTo = 'pipe', uid }: How = {},
) {
  const url = `http://127.0.0.1:${port}`
  const directory = await mkdtemp(join(tmpdir(), 'countersign-app-'))
  const home = join(directory, 'data')
  let child: ChildProcess | null = null
  let output = ''
  const env = {
    ...process.env,
    APP_ID: String(app.id),
    PRIVATE_KEY: app.privateKey,
    WEBHOOK_SECRET: app.webhookSecret,
    GITHUB_API_URL: apiUrl,
    PORT: String(port),
    DATA_DIR: home,
    // Each run has a store of its own, also where the tests of the store have a server.
    DATABASE_URL: '',
    LOG_LEVEL: 'warn' as const,
    ...more,
  }
  if (env.DATABASE_URL === '' && env.DATA_DIR === home) madeStoreIn(home)
  if (uid !== undefined) execFileSync('chown', ['-R', String(uid), directory])
  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, startWords, {
      env,
      stdio: ['ignore', writesTo, 'pipe'],
      ...(uid !== undefined && { uid }),
    })
    child = started
    children.add(started)
    started.once('exit', () => children.delete(started))
    started.stdout?.on('data', (chunk) => (output += String(chunk)))
    started.stderr?.on('data', (chunk) => (output += String(chunk)))
    await until(async () => {
      if (started.exitCode !== null) throw new Error(`The App ended at once:\n${output}`)
      // What was given up, or waits for long, is said there as well, and keeps nobody from bringing more.
      const told: unknown = await fetch(`${url}/health`).then(
        (answer) => answer.json(),
        () => null,
      )
      return health.safeParse(told).success
    }, START_MS_MAX)
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child?.exitCode) console.error(`The App died:\n${output}`)
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    url,
    directory,
    output: () => output,
    pid: () => (child?.exitCode === null && child.signalCode === null ? (child.pid ?? null) : null),
    stdout: () => child?.stdout ?? null,
    start,
    end,
  }
}
type Env = Readonly<Record<string, string>>
/** What a process has beside its environment; `uid` takes root. */
type How = { readonly writesTo?: 'pipe' | number; readonly uid?: number }
export type AppProcess = Awaited<ReturnType<typeof appProcess>>

/** Nobody is left behind, however this process ends. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

const health = z.object({ soon: z.number(), inbox: z.object({ waiting: z.number(), active: z.number() }) })
const WAIT_MS_MAX = 40_000
/** How often to look where it is measured when something came to pass. */
export const CLOSELY_MS = 15
const SELDOM_MS = 100
/** The embedded database is set up at the first start, which takes long on a busy machine. */
export const START_MS_MAX = 120_000

/** Whoever has waited for long is asked less often: what waits beside others' computing is not to be most of it. */
export async function until(holds: () => Promise<boolean>, waitMsMax = WAIT_MS_MAX, everyMs?: number): Promise<void> {
  const since = performance.now()
  while (!(await holds())) {
    const waited = performance.now() - since
    if (waited > waitMsMax) throw new Error('It did not come to pass in time')
    await sleep(everyMs ?? Math.min(Math.max(waited / 10, CLOSELY_MS), SELDOM_MS))
  }
}

/**
 * Below those that connections take for themselves, or one of these has it before it is listened at, and above 10080, the
 * last that `fetch` refuses to ask. https://fetch.spec.whatwg.org/#port-blocking
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 11_000 + Math.floor(Math.random() * 9_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
