// Who somebody with a token is, and which repositories they may read: GitHub says so, and nobody else. A token is kept by
// its hash alone, for minutes, and is told to nobody.
import { forgetOldest } from '../../../core/forget.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'

export type Readers = {
  /** The key of a repository that the bearer may read; null where GitHub does not show it to them. */
  readonly repository: (token: string, name: string) => Promise<string | null>
  /** The login of the bearer; null where it is nobody's. */
  readonly login: (token: string) => Promise<string | null>
  /** False where this token has asked too often. */
  readonly mayAsk: (token: string) => boolean
}

/** GitHub was asked and did not say. */
export class GitHubSilent extends Error {
  override readonly name = 'GitHubSilent'
}

const KEPT_MS = 5 * 60_000
const REFUSED_KEPT_MS = 30_000
const KEPT_MAX = 2_000
const ASKING_MS_MAX = 10_000
const MINUTE_MS = 60_000
const ASKED_PER_MINUTE_MAX = 240

type Kept = { readonly answer: string | null; readonly until: number }
type Asked = { readonly count: number; readonly until: number }

export function githubReaders(apiUrl: string, now: () => number): Readers {
  const kept = new Map<string, Kept>()
  const asked = new Map<string, Asked>()
  const known = async (token: string, about: string, ask: () => Promise<string | null>): Promise<string | null> => {
    const key = hashOf(`${token}\n${about}`)
    const before = kept.get(key)
    if (before !== undefined && before.until > now()) return before.answer
    const answer = await ask()
    keep(kept, key, { answer, until: now() + (answer === null ? REFUSED_KEPT_MS : KEPT_MS) })
    return answer
  }
  return {
    repository: (token, name) =>
      known(token, name.toLowerCase(), async () => {
        const found = repository.safeParse(await get(`${apiUrl}/repos/${name}`, token))
        return found.success ? `R${found.data.id}` : null
      }),
    login: (token) =>
      known(token, '', async () => user.safeParse(await get(`${apiUrl}/user`, token)).data?.login ?? null),
    mayAsk: (token) => {
      const key = hashOf(token)
      const before = asked.get(key)
      const current = before !== undefined && before.until > now() ? before : { count: 0, until: now() + MINUTE_MS }
      keep(asked, key, { ...current, count: current.count + 1 })
      return current.count < ASKED_PER_MINUTE_MAX
    },
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

function keep<T>(all: Map<string, T>, key: string, value: T): void {
  all.delete(key)
  all.set(key, value)
  forgetOldest(all, KEPT_MAX)
}

const repository = z.object({ id: z.int() })
const user = z.object({ login: z.string() })

/** Undefined where GitHub refuses. */
async function get(url: string, token: string): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'user-agent': 'countersign',
  }
  const signal = AbortSignal.timeout(ASKING_MS_MAX)
  const answer = await fetch(url, { headers, signal }).catch((cause: unknown) => {
    throw new GitHubSilent('GitHub did not answer', { cause })
  })
  if (answer.ok) return answer.json()
  await answer.body?.cancel()
  if (answer.status >= 500 || answer.status === 429) throw new GitHubSilent(`GitHub answered ${answer.status}`)
  return undefined
}
