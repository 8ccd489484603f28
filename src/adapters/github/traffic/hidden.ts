// GitHub says 404 of what does not exist, and of all that it does not let us see. Nobody concludes the first from the second:
// where the repository itself is not there either, what is missing in it says nothing, and is waited for.
import { statusOf } from '../status.ts'

/** It waits like any other refusal, since GitHub does not let us. */
export class RepositoryHidden extends Error {
  override readonly name = 'RepositoryHidden'
  readonly status = 403

  constructor(repository: string, cause: unknown) {
    super(`GitHub says that there is no repository ${repository}`, { cause })
  }
}

export type Asked = { readonly url: string; readonly owner?: unknown; readonly repo?: unknown }
/** What a 404 comes to: the error that it was, or that its repository is hidden. */
type Missing = (error: unknown, asked: Asked, isThere: (repository: Named) => Promise<unknown>) => Promise<unknown>
type Named = { readonly owner: string; readonly repo: string }

const inRepository = /\/repos\/([^/]+)\/([^/]+)\//

export const missing: Missing = async (error, asked, isThere) => {
  const named = statusOf(error) === 404 ? repositoryIn(asked) : null
  if (named === null) return error
  try {
    await isThere(named)
    return error
  } catch (second) {
    return statusOf(second) === 404 ? new RepositoryHidden(`${named.owner}/${named.repo}`, error) : error
  }
}

/** An organisation need not have one of its policies. */
function repositoryIn({ url, owner, repo }: Asked): Named | null {
  const [, inOwner = '', inRepo = ''] = inRepository.exec(url) ?? []
  const named = { owner: typeof owner === 'string' ? owner : inOwner, repo: typeof repo === 'string' ? repo : inRepo }
  return inOwner === '' || named.repo === '.github' || named.repo.startsWith('{') ? null : named
}
