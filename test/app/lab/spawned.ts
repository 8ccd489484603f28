// The App as a process with an environment and a directory of its own, and nothing else from where the tests run.
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { madeStoreIn } from '../../made-store.ts'
import { START_MS_MAX, startWords, until } from './running.ts'

export type Spawned = {
  /** Where it listens, as it said itself. */
  readonly url: string
  readonly pid: number
  readonly output: () => string
  /** Resolves with the exit code. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
}

export type Started = Omit<Spawned, 'url'> & { readonly code: () => number | null }

export const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'countersign-door-'))

/** One in which an App finds its store made already. */
export function aHome(): string {
  const home = newDirectory()
  madeStoreIn(join(home, '.countersign'))
  return home
}

/** Resolves when it listens; throws where it ends instead. */
export async function spawnApp(env: Readonly<Record<string, string>>, cwd = aHome()): Promise<Spawned> {
  const started = beganApp(env, cwd)
  const url = (): string | undefined => /(?:"url":"|Open )(http:\/\/127\.0\.0\.1:\d+)/.exec(started.output())?.[1]
  await until(async () => {
    if (started.code() !== null) throw new Error(`The App ended at once:\n${started.output()}`)
    return url() !== undefined
  }, START_MS_MAX)
  return { ...started, url: url() ?? '' }
}

/** What it says and how it ends, where it is not to start at all. */
export async function refusedApp(
  env: Readonly<Record<string, string>>,
  cwd = newDirectory(),
): Promise<{ code: number | null; output: string }> {
  const started = beganApp(env, cwd)
  await until(async () => started.code() !== null, START_MS_MAX)
  return { code: started.code(), output: started.output() }
}

/** Whatever becomes of it. */
export function beganApp(env: Readonly<Record<string, string>>, cwd: string, as: { uid?: number } = {}): Started {
  const { PATH = '', NODE_OPTIONS = '' } = process.env
  const child = spawn(process.execPath, startWords, {
    env: { PATH, NODE_OPTIONS, PORT: '0', ...env },
    cwd,
    ...as,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let code: number | null = null
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  child.on('close', () => (code = child.exitCode))
  const closed = once(child, 'close')
  return {
    pid: child.pid ?? 0,
    output: () => output,
    code: () => code,
    end: async (signal) => {
      child.kill(signal)
      await closed
      return code
    },
  }
}

/** Whether it says of itself that it does its work. */
export const isReady = async ({ url }: Pick<Spawned, 'url'>): Promise<boolean> =>
  (await fetch(`${url}/health`).catch(() => null))?.status === 200

export const signatureOf = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Brings a webhook as GitHub does. Headers that are null are left out. */
export async function post(
  url: string,
  body: string,
  secret: string,
  headers: Readonly<Record<string, string | null>> = {},
): Promise<{ status: number; text: string }> {
  const all = {
    'content-type': 'application/json',
    'x-github-event': 'pull_request',
    'x-github-delivery': crypto.randomUUID(),
    'x-hub-signature-256': signatureOf(body, secret),
    ...headers,
  }
  const given = Object.entries(all).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  )
  const answer = await fetch(`${url}/api/github/webhooks`, { method: 'POST', body, headers: given })
  return { status: answer.status, text: await answer.text() }
}
