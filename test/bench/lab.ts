// The App as a process, GitHub as another one that takes 50 ms for each call, and repositories to measure on. What the
// App asked for is read from GitHub's own log, with its times.
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { balanced } from '../app/lab/balanced.ts'
import { CLOSELY_MS, appAt, appProcess, freePort, until } from '../app/lab/running.ts'
import { spawnGitHub, type RemoteGitHub } from '../github/remote.ts'
import type { LoggedRequest } from '../github/wire/server.ts'

export type Lab = Awaited<ReturnType<typeof aLab>>

export const callMs = 50
const plenty = 10_000_000
const toldAtOnce = 32
const settleMsMax = 180_000
const seldomMs = 300

type Wishes = {
  /** The embedded store when left out. */
  readonly databaseUrl?: string
  /** On one server any number share the webhooks in turn; one when left out. */
  readonly processes?: number
  /** How often each process is asked whether it is idle, which costs it computing; while something is measured it is seldom. */
  readonly askedEveryMs?: number
  /** May fill the App's directory before its first start. */
  readonly prepare?: (directory: string) => Promise<void>
}

export async function aLab({ databaseUrl = '', processes = 1, askedEveryMs = CLOSELY_MS, prepare }: Wishes = {}) {
  const first = await freePort()
  const others = await Promise.all(Array.from({ length: processes - 1 }, freePort))
  const balancer = processes === 1 ? null : await balanced([first, ...others])
  const port = balancer?.port ?? first
  const limits = { primaryPerHour: plenty }
  const github = await spawnGitHub({ app: appAt(port), limits, delayMs: callMs })
  // GitHub waits for nobody's answer before it tells the next thing.
  await github.setDeliveries({ concurrency: toldAtOnce })
  const app = await appProcess(github, first, { DATABASE_URL: databaseUrl })
  const beside = await Promise.all(others.map((one) => appProcess(github, one, { DATABASE_URL: databaseUrl })))
  const apps = [app, ...beside]
  await prepare?.(`${app.directory}/data`)
  for (const one of apps) await one.start()
  const toldBy = async (url: string) => health.parse(await (await fetch(`${url}/health`)).json())
  const inbox = async () => (await toldBy(app.url)).inbox
  const idle = async (everyMs = askedEveryMs): Promise<void> => {
    let quiet = 0
    await until(
      async () => {
        await github.idle()
        const all = await Promise.all(apps.map(({ url }) => toldBy(url)))
        const isQuiet = all.every((one) => one.inbox.waiting === 0 && one.inbox.active === 0 && one.soon === 0)
        quiet = isQuiet ? quiet + 1 : 0
        return quiet >= 2
      },
      settleMsMax,
      everyMs,
    )
  }
  return {
    github,
    url: app.url,
    pid: app.pid,
    pids: () => apps.flatMap((one) => one.pid() ?? []),
    inbox,
    idle: () => idle(),
    /** Everything that was asked of GitHub because of `act`, and when we were first told of that. */
    watch: async (act: () => Promise<unknown>): Promise<Watched> => {
      await github.clearLog()
      const before = Date.now()
      await act()
      await idle(seldomMs)
      const told = (await github.deliveries()).map(({ deliveredAt }) => Date.parse(deliveredAt))
      return { began: told.find((at) => at >= before) ?? before, requests: await github.requestLog() }
    },
    /** A fresh process, once the round that it begins with is over. Answers how long it took until it answered. */
    restart: async (): Promise<number> => {
      await app.end('SIGTERM')
      const began = performance.now()
      await app.start()
      const startMs = performance.now() - began
      await lull(github)
      return startMs
    },
    lull: () => lull(github),
    stop: async () => {
      for (const { end, directory } of apps) {
        await end('SIGTERM')
        await rm(directory, { recursive: true, force: true })
      }
      balancer?.close()
      await github.close()
    },
  }
}

export type Watched = { readonly began: number; readonly requests: readonly LoggedRequest[] }

const health = z.object({
  inbox: z.object({ waiting: z.number(), active: z.number(), dead: z.number() }),
  soon: z.number(),
})

/** Nothing was asked for a second. */
async function lull(github: RemoteGitHub): Promise<void> {
  let last = -1
  let since = performance.now()
  await until(async () => {
    const { length } = await github.requestLog()
    if (length !== last) since = performance.now()
    last = length
    return performance.now() - since > lullMs
  }, settleMsMax)
}

const lullMs = 1_000

export const isWrite = ({ method, path, mutates }: LoggedRequest): boolean =>
  path === '/graphql' ? mutates.length > 0 : method !== 'GET' && !path.endsWith('/access_tokens')
const isRunWrite = (request: LoggedRequest): boolean => isWrite(request) && /\/check-runs(\/\d+)?$/.test(request.path)

/** Milliseconds from the act until the last check run that followed from it was written. */
export function shownAfterMs({ began, requests }: Watched): number {
  const ends = requests.filter(isRunWrite).map(({ at, tookMs }) => at + tookMs)
  if (ends.length === 0) throw new Error('No check run was written')
  return Math.max(...ends) - began
}

/** Milliseconds from the act until the first check run that followed from it was written. */
export function firstShownAfterMs({ began, requests }: Watched): number {
  return shownAfterMs({ began, requests: requests.filter(isRunWrite).slice(0, 1) })
}

export type Shop = Awaited<ReturnType<typeof aShop>>
let shops = 0
let commits = 0

const workflow = '.github/workflows/ci.yml'
const build = 'verification: { checks: [{ name: build, check_run: build, app: github-actions }] }\n'

/** The one workflow run of each commit: every check run of Actions is a job of one. */
export function workflowRuns(github: RemoteGitHub, name: string) {
  const begun = new Map<string, Promise<number>>()
  return (sha: string, branch: string): Promise<number> => {
    const run = begun.get(sha) ?? github.startRun(name, { head: sha, branch, path: workflow })
    begun.set(sha, run)
    return run
  }
}

export async function aShop({ github, idle }: Lab, more = '') {
  shops += 1
  const org = `acme${shops}`
  const name = `${org}/shop`
  const files = { 'README.md': '# Shop\n', '.github/countersign.yml': `${more}${build}` }
  await github.createOrg(org, ['cleo'])
  await github.createRepo(name, { files, by: 'cleo' })
  await github.setPermission(name, 'ada', 'maintain')
  await github.setPermission(name, 'bob', 'write')
  await github.setPermission(name, 'agent', 'write')
  await github.install(org)
  await idle()
  const jobsOf = workflowRuns(github, name)
  const branches = new Map<string, string>()
  const push = async (branch: string): Promise<string> => {
    commits += 1
    const files = { [`src/${branch}.ts`]: `export const version = ${commits}\n` }
    const sha = await github.push(name, branch, { files, author: 'agent' })
    branches.set(sha, branch)
    return sha
  }
  const workflowRunOf = (sha: string): Promise<number> => jobsOf(sha, branches.get(sha) ?? '')
  const runs = new Map<string, number>()
  return {
    name,
    push,
    open: (head: string) => github.openPull(name, { title: head, head, by: 'agent' }),
    /** A check run that is there and done at once, which GitHub tells in two webhooks. */
    report: async (sha: string, conclusion: 'success' | 'failure') =>
      github.reportCheck(name, { name: 'build', sha, run: await workflowRunOf(sha), conclusion }),
    /** A job of the one workflow run of its commit. */
    begin: async (sha: string, check: string): Promise<number> => {
      const run = await workflowRunOf(sha)
      const id = await github.reportCheck(name, { name: check, sha, run, status: 'in_progress' })
      runs.set(`${sha} ${check}`, id)
      return id
    },
    /** The run of that name which began last. One webhook. */
    complete: async (sha: string, check: string, conclusion: 'success' | 'failure') => {
      const id = runs.get(`${sha} ${check}`)
      if (id === undefined) throw new Error(`${check} has not begun on ${sha}`)
      await github.updateCheck(name, id, { status: 'completed', conclusion })
    },
  }
}

export type Head = { readonly shop: Shop; readonly sha: string }

export async function isRed({ github }: Lab, { shop, sha }: Head): Promise<boolean> {
  const headers = { authorization: `token ${await github.tokenOf('ada')}` }
  const answer = await fetch(`${github.url}/repos/${shop.name}/commits/${sha}/check-runs?check_name=countersign`, {
    headers,
  })
  return (await answer.text()).includes('"conclusion":"failure"')
}
