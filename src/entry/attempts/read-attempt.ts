// Where documents are read by whoever is not the App: from the App, from its store, or from its check runs and comments on
// GitHub, which hold the same bytes. What is asked for by name goes first; a token is what an agent has.
import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { wordsOf } from '../../core/error-words.ts'
import type { Environment } from '../../checks/runner/environment.ts'
import { jsonIn } from '../../core/json.ts'
import type { DocumentKind } from '../../engine/documents.ts'
import { NOTHING_THERE } from '../app/door/attempts.ts'
import { CannotRun } from '../cli/cases/cannot-run.ts'
import { processEnvironment } from '../environment.ts'
import { namesStore, readApp, readSettings, readToken } from '../wire.ts'
import { NotNow, passes, retryAfterMs, shown } from './not-now.ts'
import { ourRunsOn, type Place } from './our-app.ts'
import { boardOn, boardsAt, documentIn } from './read-board.ts'
import type { PullNamed } from './pull-named.ts'

export type Read = {
  /** Null where nothing was judged yet, or nothing is shown. */
  readonly text: string | null
  /** Where GitHub tells: the newest commit, which the document may not be about yet. */
  readonly head: string | null
}
/** What passes by itself is NotNow. */
export type ReadAttempt = (pull: PullNamed) => Promise<Read>
/** Null where there is nothing. */
export type ReadDocument = (kind: DocumentKind, named: PullNamed) => Promise<string | null>

const ASKING_MS_MAX = 30_000

/** `env` is what was given to the process; a file of settings in a clone may be a stranger's, and counts only without a token. */
export function attemptReader(env: Environment, app = readApp(env)): ReadAttempt {
  const token = readToken(env)
  const ask = askedByName(env, app)
  if (ask !== null) return async (pull) => ({ text: await ask('attempt', pull), head: null })
  return fromGitHub(token ?? '', readSettings(env).apiUrl)
}

/** Without an App or a store only what stands in comments. */
export function documentReader(env: Environment, app = readApp(env)): ReadDocument {
  const ask = askedByName(env, app)
  if (ask !== null) return ask
  const token = readToken(env) ?? ''
  const { apiUrl } = readSettings(env)
  const attempt = fromGitHub(token, apiUrl)
  const client = clientOf(token, apiUrl)
  return async (kind, named) => {
    if (kind === 'attempt') return (await attempt(named)).text
    if (kind === 'goal' || kind === 'request') return boardOn(await client, placeOf(named), named.number)
    throw new CannotRun(
      `the ${kind} is kept by the App: name its address in COUNTERSIGN_URL, or write \`/log\` on the pull request`,
    )
  }
}

function askedByName(env: Environment, app: string | null): ReadDocument | null {
  if (app !== null) return overHttp(app, readToken(env))
  return isOfStore(env) ? fromStore : null
}

const isOfStore = (env: Environment): boolean => namesStore(env) || readToken(env) === null

const refusal = z.object({ error: z.string() })

function overHttp(app: string, token: string | null) {
  if (URL.parse(app)?.protocol.startsWith('http') !== true) throw new CannotRun(`\`${app}\` is no address of an App`)
  if (token === null) throw new CannotRun('the App answers those who may read the repository: set GITHUB_TOKEN')
  return async (kind: DocumentKind, { repository, number }: PullNamed): Promise<string | null> => {
    const folder = kind === 'log' ? 'attempts' : `${kind}s`
    const url = `${app.replace(/\/$/, '')}/${folder}/${repository}/${number}${kind === 'log' ? '/log' : ''}`
    const headers = { authorization: `Bearer ${token}` }
    const silent = (cause: unknown): never => {
      throw new NotNow(`the App at ${app} does not answer (${String(cause)})`)
    }
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ASKING_MS_MAX) }).catch(silent)
    const text = await answer.text().catch(silent)
    if (answer.ok) return text
    const why = refusal.safeParse(jsonIn(text)).data?.error ?? `it answered ${answer.status}`
    if (answer.status === 404 && why === NOTHING_THERE) return null
    if (passes(answer.status))
      throw new NotNow(`the App at ${app} cannot say: ${why}`, retryAfterMs(answer.headers.get('retry-after')))
    throw new CannotRun(`the App at ${app} refuses: ${why}`)
  }
}

async function fromStore(kind: DocumentKind, { repository, number }: PullNamed): Promise<string | null> {
  // A database is loaded only where it is asked.
  const { CannotReach, withOperations } = await import('../cli/common/operator.ts')
  const { StoreLocked } = await import('../../adapters/store/embedded/lock.ts')
  const { isAway } = await import('../../adapters/store/away.ts')
  try {
    const settings = readSettings(processEnvironment())
    return await withOperations(settings, (operations) => operations.document(kind, repository, number))
  } catch (error) {
    if (isAway(error)) throw new NotNow(`the database does not answer (${wordsOf(error)})`)
    if (error instanceof CannotReach || error instanceof StoreLocked) throw new CannotRun(error.message)
    throw error
  }
}

/**
 * The check run of the App on the head; where that is about another pull request of the same commit, or there is none yet,
 * the comment of an App that reports our check. Whoever else writes like it is not believed.
 */
function fromGitHub(token: string, apiUrl: string): ReadAttempt {
  const client = clientOf(token, apiUrl)
  return async (named) => shown(`${named.repository}#${named.number}`, shownAt(await client, named))
}

async function shownAt(octokit: Octokit, { repository, number }: PullNamed): Promise<Read> {
  const place = placeOf({ repository })
  const head = (await octokit.rest.pulls.get({ ...place, pull_number: number })).data.head.sha
  for (const { output } of await ourRunsOn(octokit, place, head)) {
    const text = documentIn(output.text ?? '')
    if (text !== null && pullOf(text) === number) return { text, head }
  }
  for (const { slug, body } of await boardsAt(octokit, place, number)) {
    const text = documentIn(body)
    const sha = shaOf(text) ?? head
    if ((await ourRunsOn(octokit, place, sha)).some(({ app: by }) => by?.slug === slug)) return { text, head }
  }
  return { text: null, head }
}

const ofPull = z.object({ pull: z.number() })
const pullOf = (text: string): number | null => ofPull.safeParse(jsonIn(text)).data?.pull ?? null
const headed = z.object({ head_sha: z.string() })
const shaOf = (text: string | null): string | null =>
  text === null ? null : (headed.safeParse(jsonIn(text)).data?.head_sha ?? null)

const placeOf = ({ repository }: Pick<PullNamed, 'repository'>): Place => {
  const [owner = '', repo = ''] = repository.split('/')
  return { owner, repo }
}

async function clientOf(token: string, apiUrl: string) {
  const { githubTraffic, tokenOctokit } = await import('../../adapters/github/traffic/client.ts')
  return tokenOctokit(githubTraffic(), token, apiUrl)
}
