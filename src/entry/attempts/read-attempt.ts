// Where the document of an attempt is read by whoever is not the App: from the App, from its store, or from its comment on
// GitHub, which holds the same bytes. What is asked for by name goes first; a token is what an agent has.
import { z } from 'zod'
import type { Environment } from '../../checks/runner/environment.ts'
import { stickyMarker } from '../../core/words/report.ts'
import { CannotRun } from '../cli/cannot-run.ts'
import { processEnvironment } from '../environment.ts'
import { readSettings, readToken } from '../wire.ts'
import type { PullNamed } from './pull-named.ts'

export type Read = {
  /** Null where nothing was judged yet, or nothing is shown. */
  readonly text: string | null
  /** Where GitHub tells: the newest commit, which the document may not be about yet. */
  readonly head: string | null
}
export type ReadAttempt = (pull: PullNamed) => Promise<Read>

const ASKING_MS_MAX = 30_000
const COMMENTS_PAGES_MAX = 10
const COMMENTS_PER_PAGE = 100

/** `env` is what was given to the process; a file of settings in a clone may be a stranger's, and counts only without a token. */
export function attemptReader(env: Environment, app: string | null = env['COUNTERSIGN_URL'] || null): ReadAttempt {
  const token = readToken(env)
  if (app !== null) return overHttp(app, token)
  if (env['DATABASE_URL'] || env['DATA_DIR'] || token === null) return fromStore
  return fromComment(token, readSettings(env).apiUrl)
}

const refusal = z.object({ error: z.string() })

function overHttp(app: string, token: string | null): ReadAttempt {
  if (URL.parse(app)?.protocol.startsWith('http') !== true) throw new CannotRun(`\`${app}\` is no address of an App`)
  if (token === null) throw new CannotRun('the App answers those who may read the repository: set GITHUB_TOKEN')
  return async ({ repository, number }) => {
    const url = `${app.replace(/\/$/, '')}/attempts/${repository}/${number}`
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ASKING_MS_MAX) }).catch((cause: unknown) => {
      throw new CannotRun(`the App at ${app} does not answer (${String(cause)})`)
    })
    const text = await answer.text()
    if (answer.ok) return { text, head: null }
    const why = refusal.safeParse(parsed(text)).data?.error ?? `it answered ${answer.status}`
    if (answer.status === 404 && why.startsWith('Nothing was judged')) return { text: null, head: null }
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

const fromStore: ReadAttempt = async ({ repository, number }) => {
  // A database is loaded only where it is asked.
  const { CannotReach, withOperations } = await import('../cli/operator.ts')
  const { StoreLocked } = await import('../../adapters/store/lock.ts')
  try {
    const settings = readSettings(processEnvironment())
    return { text: await withOperations(settings, (operations) => operations.explain(repository, number)), head: null }
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

/** The comment of the App that reports our check on the head; whoever else writes like it is not believed. */
function fromComment(token: string, apiUrl: string): ReadAttempt {
  const client = clientOf(token, apiUrl)
  return async ({ repository: name, number }) => {
    const octokit = await client
    const [owner = '', repo = ''] = name.split('/')
    const place = { owner, repo }
    const pull = await octokit.rest.pulls.get({ ...place, pull_number: number }).catch((error: unknown) => {
      throw new CannotRun(`GitHub does not show ${name}#${number} to this token (${String(error)})`)
    })
    const head = pull.data.head.sha
    for (let page = 1; page <= COMMENTS_PAGES_MAX; page += 1) {
      const per_page = COMMENTS_PER_PAGE
      const { data } = await octokit.rest.issues.listComments({ ...place, issue_number: number, per_page, page })
      for (const { user, body } of data) {
        const slug = /^(.+)\[bot\]$/.exec(user?.login ?? '')?.[1]
        if (slug === undefined || slug === 'github-actions' || body?.startsWith(stickyMarker) !== true) continue
        const text = documentIn(body)
        const sha = shaOf(text) ?? head
        const { data: runs } = await octokit.rest.checks.listForRef({ ...place, ref: sha, per_page })
        const reports = runs.check_runs.some((run) => run.app?.slug === slug && /^countersign( \(|$)/.test(run.name))
        if (reports) return { text, head }
      }
      if (data.length < COMMENTS_PER_PAGE) break
    }
    return { text: null, head }
  }
}

const headed = z.object({ head_sha: z.string() })
const shaOf = (text: string | null): string | null =>
  text === null ? null : (headed.safeParse(parsed(text)).data?.head_sha ?? null)

async function clientOf(token: string, apiUrl: string) {
  const { githubTraffic, tokenOctokit } = await import('../../adapters/github/traffic/client.ts')
  return tokenOctokit(githubTraffic(), token, apiUrl)
}
