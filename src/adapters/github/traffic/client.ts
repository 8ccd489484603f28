// Every request to GitHub passes here, whichever client makes it: paced, conditional where that saves something, and
// answered whole. This works on the client's fetch, behind its authentication, so that it sees each request as it goes
// over the wire, with its token, and also the requests that fetch a token or are repeated for one.
import { Octokit } from '@octokit/rest'
import { jsonIn } from '../../../core/json.ts'
import { NotInstalled } from '../../../ports.ts'
import { type Limits, type Turn, turnOf } from './allowances.ts'
import { type Answer, type Fetch, type Heads, type Init, receive, respond, type Told, UNREAD } from './answer.ts'
import { isInBackground } from './background.ts'
import { type ConditionalReads, conditionalReads } from './etags.ts'
import { repositoriesIn } from '../installed.ts'
import { hidingIn, isHidden, missingIn, type Hiding, type Named, RepositoryHidden } from './hidden.ts'
import { insteadOf, isRefusedElsewhere, NoAnswer } from './no-answer.ts'
import { type Pacing, pacing, RateLimited } from './pacing.ts'
import { realTime, type Time } from './time.ts'
import { TokenRefused, tokensIn, type Tokens } from './tokens.ts'

/** What GitHub answers changes with its version, and without one it chooses. https://docs.github.com/en/rest/about-the-rest-api/api-versions */
const API_VERSION = '2022-11-28'

/** One per process: the limits are GitHub's, not a client's. */
export type Traffic = {
  readonly time: Time
  readonly pacing: Pacing
  readonly reads: ConditionalReads
  readonly tokens: Tokens
  readonly hiding: Hiding
  /** Told what GitHub's clock says. */
  readonly onDate: (date: string | null) => void
}

export function githubTraffic(
  options: {
    readonly time?: Time
    readonly random?: () => number
    readonly limits?: Limits
    readonly onDate?: Traffic['onDate']
  } = {},
): Traffic {
  const time = options.time ?? realTime
  const { random = Math.random, limits, onDate = () => undefined } = options
  return {
    time,
    pacing: pacing(time, random, limits),
    reads: conditionalReads(),
    tokens: tokensIn(),
    hiding: hidingIn(time.now),
    onDate,
  }
}

/** A client that acts with a token, for commands that run outside the App. */
export function tokenOctokit(traffic: Traffic, token: string, baseUrl = 'https://api.github.com'): Octokit {
  const Client = Octokit.plugin((octokit, options) => joinTraffic(traffic, octokit, options))
  return new Client({ auth: token, baseUrl, log: quiet })
}

/** The library prints every refusal; whoever asks is told of it, and says what it means. */
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing }
function nothing(): void {}

/**
 * Two request options are understood besides the library's own. `fresh: true` asks for an answer that is not older
 * than the question. `parseSuccessResponseBody: false` leaves the body a stream, which is neither kept nor repeated.
 */
export function joinTraffic(traffic: Traffic, octokit: Client, { auth }: { readonly auth?: unknown }): void {
  const installation = installationOf(auth)
  // Whoever acts with a token of their own is told what GitHub says.
  const isAnApp = !['token', AS_APP].includes(installation)
  const look = async (repository: Named): Promise<unknown> =>
    octokit.request('GET /repos/{owner}/{repo}', { ...repository, request: { fresh: true } })
  const hiddenAs = async (repository: Named, error: unknown): Promise<Error> => {
    const isGone = await traffic.hiding.isGone(installation, repository, () => repositoriesIn(octokit))
    const { owner, repo } = repository
    return isGone
      ? new NotInstalled(
          `GitHub does not let us in: ${owner}/${repo} was deleted, or taken from installation ${installation}`,
        )
      : new RepositoryHidden(repository, error)
  }
  const withGoodToken = traffic.tokens.renewal(auth, installation)
  octokit.hook.wrap('request', async (request, options) => {
    const { fetch = null, fresh = false, parseSuccessResponseBody = true } = options.request
    const stream = !parseSuccessResponseBody
    const wire = { installation, hasOthers: withGoodToken !== null, fetch, alone: fresh === true, stream }
    // The hooks that come after this one see these options, whatever is passed on to them.
    options.request = { ...options.request, fetch: trafficFetch(traffic, wire) }
    const send = async () => request(options)
    const answered = async () => {
      try {
        const answer = await (withGoodToken?.(send) ?? send())
        read(answer)
        const instead = insteadOf(answer, options)
        if (instead !== null) throw new NoAnswer(`What answered ${options.url} ${instead}`)
        return answer
      } catch (error) {
        if (isRefusedElsewhere(error, options)) throw new NoAnswer(`What refused ${options.url} is not GitHub`)
        // The library wraps whatever fetch throws into an answer with status 500.
        throw error instanceof Error && isOurs(error.cause) ? error.cause : error
      }
    }
    try {
      return await answered()
    } catch (error) {
      const repository = isAnApp ? missingIn(error, options) : null
      if (repository === null) throw error
      if (await isHidden(repository, look)) throw await hiddenAs(repository, error)
      traffic.hiding.isSeen(installation, repository)
      // It may have come into sight just now.
      if (options.method !== 'GET') throw error
      return answered()
    }
  })
}

/** What is no JSON stays the text that it is. */
function read(answer: { readonly headers: { 'content-type'?: string | undefined }; data?: unknown }): void {
  if (answer.headers['content-type'] !== UNREAD || typeof answer.data !== 'string') return
  const value = jsonIn(answer.data)
  if (value === undefined) return
  answer.headers['content-type'] = 'application/json'
  answer.data = value
}

const isOurs = (error: unknown): boolean =>
  [RateLimited, NotInstalled, TokenRefused].some((kind) => error instanceof kind)

/** Each of its requests proves itself anew, so that no ETag is ever of use to the next one. */
const AS_APP = 'app'

type Client = Pick<Octokit, 'hook' | 'request'>
type Wire = {
  readonly installation: string
  /** Whether there is another token where the one that it goes out with is refused. */
  readonly hasOthers: boolean
  readonly fetch: Fetch | null
  readonly alone: boolean
  readonly stream: boolean
}

/** What the library takes for its `fetch`. */
type Asks = (url: string, init: Init) => Promise<Told>

function trafficFetch({ time, pacing, reads, onDate }: Traffic, wire: Wire): Asks {
  const { installation, hasOthers, fetch, alone, stream } = wire
  return async (url, init) => {
    const turn = turnOf(installation, init.method ?? 'GET', url, init.body, isInBackground())
    const headers: Heads = new Map(Object.entries({ ...init.headers, 'x-github-api-version': API_VERSION }))
    const ask = (asked: Heads, onSent: () => void = nothing): Promise<Answer> =>
      pacing.send(turn, async () => {
        onSent()
        const answer = await receive({ time, fetch, stream }, url, { ...init, headers: Object.fromEntries(asked) })
        if (answer.status < 500) onDate(answer.headers.get('date') ?? null)
        return answer
      })
    const aborts = init.signal !== undefined && init.signal !== null
    const answer =
      init.method === 'GET' && !stream && installation !== AS_APP
        ? await reads({ installation, url, headers, alone: alone || aborts || isInBackground() }, ask)
        : await ask(headers)
    const shut = shutOutOf(turn, answer, url)
    if (shut !== null) throw new NotInstalled(`GitHub does not let us in: ${shut}`)
    if (answer.status === 401 && hasOthers && isByToken(headers)) throw new TokenRefused(installation)
    return respond(answer)
  }
}

/** And not as the App, which proves itself. */
const isByToken = (headers: Heads): boolean => headers.get('authorization')?.startsWith('token ') === true

/**
 * An installation that was suspended or removed gets no tokens, and those that it has are refused. A repository that was archived
 * takes nothing from anybody, which GraphQL says in an answer like any other, and one that GitHub blocks shows nothing either.
 */
function shutOutOf({ installation, endpoint, kind }: Turn, { status, body }: Answer, url: string): string | null {
  const words = typeof body === 'string' ? body : ''
  const isOver =
    endpoint === tokenEndpoint
      ? status === 403 || status === 404
      : status === 403 && /installation has been suspended/i.test(words)
  if (isOver) return `installation ${installation} was suspended or removed`
  const refuses = [403, 451].includes(status) || (kind === 'write' && endpoint === 'POST /graphql')
  const told = refuses ? /"message":\s*"(Repository (?:was archived|access blocked))/.exec(words) : null
  return told === null ? null : `${told[1]} (${url})`
}
const tokenEndpoint = 'POST /app/installations/*/access_tokens'

/** Probot makes a client per installation and names it in the options of its authentication. */
function installationOf(auth: unknown): string {
  if (typeof auth === 'string') return 'token'
  if (typeof auth !== 'object' || auth === null) return AS_APP
  if ('installationId' in auth) return String(auth.installationId)
  return 'token' in auth ? 'token' : AS_APP
}
