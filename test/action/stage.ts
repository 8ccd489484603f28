// A pull request on the GitHub of the tests, a checkout of it, and the bundled Action as a process, as a runner starts
// it: inputs and files by name in the environment, and nothing else from where the tests run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { resultsFile, type ResultsFile } from '../../src/core/decision/results/results-file.ts'
import type { FileChanges } from '../github/acts/push.ts'
import { startGitHub, type GitHub } from '../github/github.ts'
import { artifactServer, type ArtifactServer } from './artifact-server.ts'
import { originOf, removeScratch, scratch } from './origin.ts'
import { unzip } from './unzip.ts'

const main = resolve(import.meta.dirname, '../../action/dist/index.js')

export type Wishes = {
  /** The file on the base branch, or null for none. */
  readonly policy?: string | null
  readonly organisation?: string
  readonly base?: FileChanges
  readonly change?: FileChanges
  readonly body?: string
  /** Issues that are there before the pull request, numbered from 1. */
  readonly issues?: readonly { readonly body: string; readonly by: string }[]
  readonly private?: boolean
  /** Of the job's token; by default what every example grants. */
  readonly permissions?: Readonly<Record<string, 'read'>>
  readonly fork?: boolean
  readonly checkout?: 'head' | 'merge' | 'shallow merge' | 'none'
}
export type Run = {
  readonly code: number | null
  readonly signal: string | null
  readonly log: string
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  /** What later steps would take over: variables, paths and what the job remembers. */
  readonly forLater: string
  /** From the artifact, through its schema. */
  readonly results: () => ResultsFile
  readonly files: ReadonlyMap<string, Buffer>
  readonly peakMb: number
}
export type Stage = Awaited<ReturnType<typeof aStage>>

const stages: { readonly github: GitHub; readonly artifacts: ArtifactServer }[] = []

export async function closeStages(): Promise<void> {
  for (const { github, artifacts } of stages.splice(0)) {
    await github.close()
    await artifacts.close()
  }
  await removeScratch()
}

/** A policy with these checks: pairs of a name and the rest in flow style. */
export const policyWith = (checks: Readonly<Record<string, string>>, more = ''): string => {
  const lines = Object.entries(checks).map(([name, rest]) => `    - { name: ${JSON.stringify(name)}, ${rest} }\n`)
  return `version: 1\nverification:\n${more}  checks:\n${lines.join('')}`
}
/** The rest of a check that runs this. */
export const runs = (command: string, more = ''): string =>
  `command: ${JSON.stringify(command)}${more === '' ? '' : `, ${more}`}`

export async function aStage(wishes: Wishes = {}) {
  const {
    policy = policyWith({ test: runs('true') }),
    base = {},
    change = { 'src/new.ts': 'export const a = 1\n' },
    issues = [],
    permissions = { contents: 'read' },
  } = wishes
  const [github, artifacts] = await Promise.all([startGitHub(), artifactServer()])
  stages.push({ github, artifacts })
  for (const login of ['ada', 'cleo', 'eve']) github.createUser(login)
  github.createOrg('acme', ['cleo'])
  const files = { 'README.md': '# Shop\n', ...(policy === null ? {} : { '.github/countersign.yml': policy }) }
  github.createRepo('acme/shop', { files, by: 'cleo', private: wishes.private === true })
  github.setPermission('acme/shop', 'ada', 'write')
  for (const { body, by } of issues) github.openIssue('acme/shop', { title: 'What is wrong', body, by })
  if (wishes.organisation !== undefined) {
    github.createRepo('acme/.github', { files: { '.github/countersign.yml': wishes.organisation }, by: 'cleo' })
  }
  github.install('acme', { app: 'github-actions', permissions: { ...permissions, metadata: 'read' } })
  const baseSha =
    Object.keys(base).length > 0
      ? github.push('acme/shop', 'main', { files: base, author: 'cleo' })
      : github.tip('acme/shop', 'main')
  const headRepo = wishes.fork === true ? github.fork('acme/shop', 'eve') : 'acme/shop'
  const headSha = github.push(headRepo, 'feature', { files: change, author: 'eve' })
  const head = wishes.fork === true ? 'eve:feature' : 'feature'
  const number = github.openPull('acme/shop', {
    title: 'A change',
    head,
    by: 'eve',
    ...(wishes.body === undefined ? {} : { body: wishes.body }),
  })
  const origin = await originOf(github, 'acme/shop', [baseSha, headSha])
  const mergeSha = origin.merge(baseSha, headSha, number)
  const kind = wishes.checkout ?? 'head'
  const commit = kind === 'head' ? headSha : mergeSha
  const workspace = kind === 'none' ? scratch('empty') : origin.checkout(commit, kind === 'shallow merge' ? 1 : 0)
  const token = github.installationToken('acme/shop', 'github-actions')
  const pullPayload = {
    action: 'opened',
    number,
    pull_request: {
      number,
      title: 'A change',
      body: wishes.body ?? null,
      head: { sha: headSha, ref: 'feature', repo: { full_name: headRepo } },
      base: { sha: baseSha, ref: 'main', repo: { full_name: 'acme/shop' } },
    },
    repository: { full_name: 'acme/shop' },
  }
  const serverUrl = origin.server.url
  const stage = {
    github,
    artifacts,
    origin,
    serverUrl,
    workspace,
    baseSha,
    headSha,
    mergeSha,
    number,
    token,
    pullPayload,
  }
  return {
    ...stage,
    run: (more: RunWishes = {}) => runAction(stage, more),
    /** Not awaited until it ends. */
    start: (more: RunWishes = {}) => startAction(stage, more),
  }
}

export type RunWishes = {
  readonly event?: string
  readonly payload?: object
  readonly env?: Readonly<Record<string, string>>
  readonly inputs?: Readonly<Record<string, string>>
  /** What stands before the program, where it is not to run as whoever runs the tests. */
  readonly by?: readonly [string, ...string[]]
}
/** What a run of the Action needs to have around it. */
export type Ready = {
  readonly github: Pick<GitHub, 'url'>
  readonly artifacts: Pick<ArtifactServer, 'env' | 'uploads'>
  /** Where the repository may be fetched from. */
  readonly serverUrl: string
  readonly workspace: string
  readonly mergeSha: string
  readonly number: number
  readonly token: string
  readonly pullPayload: object
}

export async function runAction(ready: Ready, wishes: RunWishes = {}): Promise<Run> {
  return startAction(ready, wishes).ended
}

export function startAction(ready: Ready, { event = 'pull_request', payload, env = {}, inputs = {}, by }: RunWishes) {
  const temp = scratch('runner')
  const file = (name: string, text = ''): string => {
    writeFileSync(join(temp, name), text)
    return join(temp, name)
  }
  const [output, summary] = [file('output'), file('summary')]
  const later = [file('env'), file('path'), file('state')]
  const { PATH = '' } = process.env
  const all = {
    PATH,
    HOME: temp,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: file('event.json', JSON.stringify(payload ?? ready.pullPayload)),
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_WORKSPACE: ready.workspace,
    GITHUB_RUN_ID: '77',
    GITHUB_RUN_ATTEMPT: '2',
    GITHUB_WORKFLOW_REF: 'acme/shop/.github/workflows/countersign.yml@refs/pull/1/merge',
    GITHUB_SHA: ready.mergeSha,
    GITHUB_REF: `refs/pull/${ready.number}/merge`,
    GITHUB_API_URL: ready.github.url,
    GITHUB_OUTPUT: output,
    GITHUB_ENV: later[0],
    GITHUB_PATH: later[1],
    GITHUB_STATE: later[2],
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: temp,
    // Checks see a variable of such a name, so that a test may tell them where to look.
    STAGE_HOME: temp,
    'INPUT_GITHUB-TOKEN': ready.token,
    ...ready.artifacts.env,
    GITHUB_SERVER_URL: ready.serverUrl,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    ...env,
  }
  if (by !== undefined)
    for (const place of [temp, ...readdirSync(temp).map((name) => join(temp, name))]) chmodSync(place, 0o777)
  const [program, ...args] = [...(by ?? []), process.execPath, main]
  const child = spawn(program ?? '', args, { env: all, cwd: ready.workspace, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  let peakMb = 0
  child.stdout.on('data', (bytes) => (log += String(bytes)))
  child.stderr.on('data', (bytes) => (log += String(bytes)))
  const memory = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid))), 50)
  const ended = once(child, 'close').then((): Run => {
    clearInterval(memory)
    const files = unzipped(ready.artifacts)
    return {
      code: child.exitCode,
      signal: child.signalCode,
      log,
      outputs: outputsOf(readFileSync(output, 'utf8')),
      summary: readFileSync(summary, 'utf8'),
      forLater: later.map((one) => readFileSync(one, 'utf8')).join(''),
      results: () => resultsFile.parse(JSON.parse(files.get('results.json')?.toString('utf8') ?? 'null')),
      files,
      peakMb,
    }
  })
  return { child, temp, log: () => log, ended }
}

/** The highest resident memory so far, where the system tells. */
function peakOf(pid: number | undefined): number {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function unzipped({ uploads }: Ready['artifacts']): ReadonlyMap<string, Buffer> {
  const last = uploads.at(-1)
  return last === undefined ? new Map<string, Buffer>() : unzip(last.zip)
}

function outputsOf(text: string): Record<string, string> {
  const blocks = text.matchAll(/^([\w-]+)<<(ghadelimiter_[\w-]+)\n([\s\S]*?)\n\2$/gm)
  return Object.fromEntries(Array.from(blocks, ([, name = '', , value = '']) => [name, value]))
}
