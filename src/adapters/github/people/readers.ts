// Whose a token is, and which repositories they may read: GitHub says so, and nobody else. A token is kept by its hash alone,
// for minutes, and is told to nobody. How often GitHub is asked is counted where it is asked: for each token that it knows, and
// for all together that it has not confirmed, so that whoever makes up tokens spends nothing of anybody who has one.
import { forgetOldest } from '../../../core/forget.ts'
import { isRepositoryName } from '../../../core/repository-name.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'

export type Readers = {
  /** Whether GitHub knows the token: a person's, or a workflow's, which is nobody's and may read its repository all the same. */
  readonly knows: (token: string) => Promise<boolean>
  /** The key of a repository that the bearer may read; null where GitHub does not show it to them. */
  readonly repository: (token: string, name: string) => Promise<string | null>
  /** False where so many requests came with this token that no more are answered for now. */
  readonly mayAsk: (token: string) => boolean
}

/** GitHub was asked and did not say. */
export class GitHubSilent extends Error {
  override readonly name = 'GitHubSilent'
}

/** GitHub is not asked, since it was asked as often as it may be. */
export class AskedTooOften extends Error {
  override readonly name = 'AskedTooOften'
}

const KEPT_MS = 5 * 60_000
const REFUSED_KEPT_MS = 30_000
const KEPT_MAX = 2_000
const ASKING_MS_MAX = 10_000
export const MINUTE_MS = 60_000
export const ASKED_PER_MINUTE_MAX = 240

type Kept = { readonly answer: string | null; readonly until: number }
type Count = { readonly count: number; readonly until: number }

export function githubReaders(apiUrl: string, now: () => number): Readers {
  const kept = new Map<string, Kept>()
  const asking = new Map<string, Promise<string | null>>()
  const requests = new Map<string, Count>()
  const { spend, confirm } = budgets(now)
  const answered = async (token: string, path: string, read: (answer: unknown) => string | null) => {
    spend(token)
    return read(await get(`${apiUrl}${path}`, token))
  }
  /** Whoever asks the same at the same moment waits for the same answer. */
  const known = (key: string, ask: () => Promise<string | null>): Promise<string | null> => {
    const before = kept.get(key)
    if (before !== undefined && before.until > now()) return Promise.resolve(before.answer)
    const underWay = asking.get(key)
    if (underWay !== undefined) return underWay
    const answer = ask()
      .then((found) => {
        keep(kept, key, { answer: found, until: now() + (found === null ? REFUSED_KEPT_MS : KEPT_MS) })
        return found
      })
      .finally(() => asking.delete(key))
    asking.set(key, answer)
    return answer
  }
  return {
    knows: async (token) => {
      const ask = async (): Promise<string | null> => {
        const { path, shape } = token.startsWith('ghs_') ? ofWorkflow : ofPerson
        const whose = await answered(token, path, (answer) => (shape.safeParse(answer).success ? 'somebody' : null))
        confirm(token, whose !== null)
        return whose
      }
      return (await known(hashOf(token), ask)) !== null
    },
    repository: async (token, name) => {
      if (!isRepositoryName(name)) return null
      const keyIn = (answer: unknown): string | null => {
        const found = repository.safeParse(answer)
        return found.success ? `R${found.data.id}` : null
      }
      return known(hashOf(`${token}\n${name.toLowerCase()}`), () => answered(token, `/repos/${name}`, keyIn))
    },
    mayAsk: (token) => {
      const key = hashOf(token)
      const current = counted(requests.get(key), now())
      keep(requests, key, current)
      return current.count <= ASKED_PER_MINUTE_MAX
    },
  }
}

/** What each may ask of GitHub in a minute. */
function budgets(now: () => number) {
  const confirmed = new Map<string, Count>()
  let strangers: Count | undefined
  return {
    spend: (token: string): void => {
      const key = hashOf(token)
      const own = confirmed.get(key)
      const current = counted(own ?? strangers, now())
      if (current.count > ASKED_PER_MINUTE_MAX) {
        const whose = own === undefined ? 'tokens that it has not confirmed' : 'this token'
        throw new AskedTooOften(`GitHub was asked about ${whose} as often as it may be in a minute; ask again later.`)
      }
      if (own === undefined) strangers = current
      else keep(confirmed, key, current)
    },
    /** Whoever turns out to be known has spent nothing of what strangers have. */
    confirm: (token: string, isKnown: boolean): void => {
      const key = hashOf(token)
      if (!isKnown) return void confirmed.delete(key)
      if (confirmed.has(key)) return
      if (strangers !== undefined) strangers = { ...strangers, count: Math.max(0, strangers.count - 1) }
      keep(confirmed, key, counted(undefined, now()))
    },
  }
}

/** With one more. */
function counted(before: Count | undefined, now: number): Count {
  return before !== undefined && before.until > now
    ? { ...before, count: before.count + 1 }
    : { count: 1, until: now + MINUTE_MS }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

function keep<T>(all: Map<string, T>, key: string, value: T): void {
  all.delete(key)
  all.set(key, value)
  forgetOldest(all, KEPT_MAX)
}

const ofPerson = { path: '/user', shape: z.object({ login: z.string() }) }
/** https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-app-installation */
const ofWorkflow = { path: '/installation/repositories?per_page=1', shape: z.object({ total_count: z.int() }) }
const repository = z.object({ id: z.int(), full_name: z.string() })

/** Undefined where GitHub refuses. */
async function get(url: string, token: string): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'user-agent': 'countersign',
  }
  const signal = AbortSignal.timeout(ASKING_MS_MAX)
  const silent = (cause: unknown): never => {
    throw new GitHubSilent('GitHub did not answer', { cause })
  }
  const answer = await fetch(url, { headers, signal }).catch(silent)
  if (answer.ok) return answer.json().catch(silent)
  await answer.body?.cancel()
  if (answer.status >= 500 || isHeldBack(answer)) throw new GitHubSilent(`GitHub answered ${answer.status}`)
  return undefined
}

/** Nothing is said about the token then. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
const isHeldBack = ({ status, headers }: Response): boolean =>
  status === 429 || (status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'))
