// GitHub says 404 of what does not exist, and of all that it does not let us see. Nobody concludes the first from the second:
// where the repository itself is not there either, what is missing in it says nothing, and is waited for.
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
