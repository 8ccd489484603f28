// Where the document of an attempt is read by whoever is not the App: from the App, from its store, or from its check run or
// comment on GitHub, which hold the same bytes. What is asked for by name goes first; a token is what an agent has.
import { z } from 'zod'
import type { Environment } from '../../checks/runner/environment.ts'
import { stickyMarker } from '../../core/words/report.ts'
import { CannotRun } from '../cli/cannot-run.ts'
import { processEnvironment } from '../environment.ts'
import { namesStore, readApp, readSettings, readToken } from '../wire.ts'
import type { PullNamed } from './pull-named.ts'

export type Read = {
  /** Null where nothing was judged yet, or nothing is shown. */
  readonly text: string | null
  /** Where GitHub tells: the newest commit, which the document may not be about yet. */
  readonly head: string | null
}
export type ReadAttempt = (pull: PullNamed) => Promise<Read>
/** What happened to its task, a line each. */
export type ReadLog = (pull: PullNamed) => Promise<string | null>

const ASKING_MS_MAX = 30_000
const COMMENTS_PAGES_MAX = 10
const COMMENTS_PER_PAGE = 100

/** `env` is what was given to the process; a file of settings in a clone may be a stranger's, and counts only without a token. */
export function attemptReader(env: Environment, app = readApp(env)): ReadAttempt {
  const token = readToken(env)
  if (app !== null) {
    const ask = overHttp(app, token)
    return async (pull) => ({ text: await ask(pull, ''), head: null })
  }
  if (isOfStore(env)) return async (pull) => ({ text: await fromStore(pull, 'explain'), head: null })
  return fromGitHub(token ?? '', readSettings(env).apiUrl)
}

export function logReader(env: Environment, app = readApp(env)): ReadLog {
  if (app !== null) {
    const ask = overHttp(app, readToken(env))
    return (pull) => ask(pull, '/log')
  }
  if (isOfStore(env)) return (pull) => fromStore(pull, 'log')
  return async () => {
    throw new CannotRun(
      'the log is kept by the App: name its address in COUNTERSIGN_URL, or write `/log` on the pull request',
    )
  }
}

const isOfStore = (env: Environment): boolean => namesStore(env) || readToken(env) === null

const refusal = z.object({ error: z.string() })

function overHttp(app: string, token: string | null) {
  if (URL.parse(app)?.protocol.startsWith('http') !== true) throw new CannotRun(`\`${app}\` is no address of an App`)
  if (token === null) throw new CannotRun('the App answers those who may read the repository: set GITHUB_TOKEN')
  return async ({ repository, number }: PullNamed, part: '' | '/log'): Promise<string | null> => {
    const url = `${app.replace(/\/$/, '')}/attempts/${repository}/${number}${part}`
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ASKING_MS_MAX) }).catch((cause: unknown) => {
      throw new CannotRun(`the App at ${app} does not answer (${String(cause)})`)
    })
    const text = await answer.text()
    if (answer.ok) return text
    const why = refusal.safeParse(parsed(text)).data?.error ?? `it answered ${answer.status}`
    if (answer.status === 404 && why.startsWith('Nothing was judged')) return null
    throw new CannotRun(`the App at ${app} refuses: ${why}`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function fromStore({ repository, number }: PullNamed, what: 'explain' | 'log'): Promise<string | null> {
  // A database is loaded only where it is asked.
  const { CannotReach, withOperations } = await import('../cli/operator.ts')
  const { StoreLocked } = await import('../../adapters/store/lock.ts')
  try {
    const settings = readSettings(processEnvironment())
    return await withOperations(settings, (operations) => operations[what](repository, number))
  } catch (error) {
    if (error instanceof CannotReach || error instanceof StoreLocked) throw new CannotRun(error.message)
    throw error
  }
}

const opening = '<details><summary>For agents</summary>\n\n'

/** It stands last, and no line of a JSON text can look like its beginning. */
export function documentIn(comment: string): string | null {
  const at = comment.lastIndexOf(opening)
  if (at === -1) return null
  return /^(`{3,})json\n([^]*?)\n\1(?:\n|$)/.exec(comment.slice(at + opening.length))?.[2] ?? null
}

/**
 * The check run of the App on the head; where that is about another pull request of the same commit, or there is none yet,
 * the comment of an App that reports our check. Whoever else writes like it is not believed.
 */
function fromGitHub(token: string, apiUrl: string): ReadAttempt {
  const client = clientOf(token, apiUrl)
  return async ({ repository: name, number }) => {
    const octokit = await client
    const [owner = '', repo = ''] = name.split('/')
    const place = { owner, repo }
    const pull = await octokit.rest.pulls.get({ ...place, pull_number: number }).catch((error: unknown) => {
      throw new CannotRun(`GitHub does not show ${name}#${number} to this token (${String(error)})`)
    })
    const head = pull.data.head.sha
    const { data: reported } = await octokit.rest.checks.listForRef({
      ...place,
      ref: head,
      per_page: COMMENTS_PER_PAGE,
    })
    for (const { name: check, app: by, output } of reported.check_runs) {
      const text = isOurs(check, by?.slug) ? documentIn(output.text ?? '') : null
      if (text !== null && pullOf(text) === number) return { text, head }
    }
    for (let page = 1; page <= COMMENTS_PAGES_MAX; page += 1) {
      const per_page = COMMENTS_PER_PAGE
      const { data } = await octokit.rest.issues.listComments({ ...place, issue_number: number, per_page, page })
      for (const { user, body } of data) {
        const slug = /^(.+)\[bot\]$/.exec(user?.login ?? '')?.[1]
        if (slug === undefined || body?.startsWith(stickyMarker) !== true) continue
        const text = documentIn(body)
        const sha = shaOf(text) ?? head
        const { data: runs } = await octokit.rest.checks.listForRef({ ...place, ref: sha, per_page })
        if (runs.check_runs.some((run) => run.app?.slug === slug && isOurs(run.name, slug))) return { text, head }
      }
      if (data.length < COMMENTS_PER_PAGE) break
    }
    return { text: null, head }
  }
}

/** Whoever runs in Actions is not who judges. */
const isOurs = (check: string, app: string | undefined): boolean =>
  /^countersign( \(|$)/.test(check) && app !== undefined && app !== 'github-actions'

const ofPull = z.object({ pull: z.number() })
const pullOf = (text: string): number | null => ofPull.safeParse(parsed(text)).data?.pull ?? null
const headed = z.object({ head_sha: z.string() })
const shaOf = (text: string | null): string | null =>
  text === null ? null : (headed.safeParse(parsed(text)).data?.head_sha ?? null)

async function clientOf(token: string, apiUrl: string) {
  const { githubTraffic, tokenOctokit } = await import('../../adapters/github/traffic/client.ts')
  return tokenOctokit(githubTraffic(), token, apiUrl)
}
