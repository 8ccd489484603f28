// GitHub says 404 of what does not exist, and of all that it does not let us see. Nobody concludes the first from the second:
// where the repository itself is not there either, what is missing in it says nothing, and is waited for. Where that stays so, and
// the installation that let us in does not list it any more, it was deleted or taken from us.
import { forgetOldest } from '../../../core/forget.ts'
import type { Listed } from '../installed.ts'
import { statusOf } from '../status.ts'

/** It waits like any other refusal, since GitHub does not let us. */
export class RepositoryHidden extends Error {
  override readonly name = 'RepositoryHidden'
  readonly status = 403

  constructor({ owner, repo }: Named, cause: unknown) {
    super(`GitHub says that there is no repository ${owner}/${repo}`, { cause })
  }
}

export type Asked = { readonly url: string; readonly owner?: unknown; readonly repo?: unknown }
export type Named = { readonly owner: string; readonly repo: string }

const inRepository = /\/repos\/([^/]+)\/([^/]+)\//

/** The repository that is to be asked for, where an error says that something in it is missing. */
export const missingIn = (error: unknown, asked: Asked): Named | null =>
  statusOf(error) === 404 ? repositoryIn(asked) : null

export async function isHidden(repository: Named, ask: (repository: Named) => Promise<unknown>): Promise<boolean> {
  try {
    await ask(repository)
    return false
  } catch (error) {
    return statusOf(error) === 404
  }
}

/** An organisation need not have one of its policies. */
function repositoryIn({ url, owner, repo }: Asked): Named | null {
  const [, inOwner = '', inRepo = ''] = inRepository.exec(url) ?? []
  const named = { owner: typeof owner === 'string' ? owner : inOwner, repo: typeof repo === 'string' ? repo : inRepo }
  return inOwner === '' || named.repo === '.github' || named.repo.startsWith('{') ? null : named
}

/** One per process: what an installation shows is no client's concern. */
export type Hiding = {
  /** It is hidden now: whether it has been for a while, and is not listed. */
  readonly isGone: (installation: string, repository: Named, list: () => Promise<Listed>) => Promise<boolean>
  readonly isSeen: (installation: string, repository: Named) => void
  /** It lets us in to something else from now on. */
  readonly forget: (installation: string) => void
}

/** Copies of GitHub's data agree long before, also about what was just made. */
const HIDDEN_MS = 60_000
const LISTED_MS = 600_000
const HIDDEN_MAX = 10_000
const LISTS_MAX = 1_000

type Names = ReadonlySet<string> | 'not whole'
type List = { readonly at: number; readonly names: Promise<Names> }

/** By a clock that nobody sets. */
export function hidingIn(now: () => number): Hiding {
  const since = new Map<string, number>()
  const lists = new Map<string, List>()
  const nameOf = ({ owner, repo }: Named): string => `${owner}/${repo}`.toLowerCase()
  const namesIn = async (list: () => Promise<Listed>): Promise<Names> => {
    const { repositories, total } = await list()
    return repositories.length < total
      ? 'not whole'
      : new Set(repositories.map(({ full_name }) => full_name.toLowerCase()))
  }
  /** Read after that. */
  const listOf = (installation: string, after: number, list: () => Promise<Listed>): Promise<Names> => {
    const known = lists.get(installation)
    if (known !== undefined && known.at >= after && now() < known.at + LISTED_MS) return known.names
    const fresh: List = { at: now(), names: namesIn(list) }
    lists.delete(installation)
    lists.set(installation, fresh)
    forgetOldest(lists, LISTS_MAX)
    const forget = (): void => {
      if (lists.get(installation) === fresh) lists.delete(installation)
    }
    fresh.names.then((names) => names === 'not whole' && forget(), forget)
    return fresh.names
  }
  return {
    isGone: async (installation, repository, list) => {
      const key = `${installation} ${nameOf(repository)}`
      const first = since.get(key) ?? now()
      since.set(key, first)
      forgetOldest(since, HIDDEN_MAX)
      if (now() < first + HIDDEN_MS) return false
      const names = await listOf(installation, first + HIDDEN_MS, list)
      return names !== 'not whole' && !names.has(nameOf(repository))
    },
    isSeen: (installation, repository) => void since.delete(`${installation} ${nameOf(repository)}`),
    forget: (installation) => {
      lists.delete(installation)
      for (const key of since.keys()) if (key.startsWith(`${installation} `)) since.delete(key)
    },
  }
}
