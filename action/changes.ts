// The files that a change touches, and its lines: by git, from where the branch left its base up to the head. A checkout
// of one commit lacks both, so GitHub says where that was and git fetches the two; where it cannot, GitHub's own
// comparison stands in, as long as it is complete.
import { ask, changeBetween, type Change, type Git } from '../src/checks/checkout/git.ts'
import type { Access } from '../src/adapters/github/access.ts'
import { statusOfFile } from '../src/adapters/github/files.ts'
import { runWords } from '../src/core/words/run-words.ts'
import type { Checkout } from './checkout.ts'
import type { Subject } from './event.ts'

export type Changes = Change & { readonly warnings: readonly string[] }
type Sources = { readonly git: Git; readonly access: Access; readonly token: string }

/** GitHub's comparison ends there without a word. https://docs.github.com/en/rest/commits/commits#compare-two-commits */
const COMPARED_FILES_MAX = 300

export async function changesOf(sources: Sources, checkout: Checkout, subject: Subject): Promise<Changes> {
  const { git } = sources
  const { base_sha, head_sha } = subject
  if (!checkout.isShallow) {
    const base = await ask(git, 'merge-base', base_sha, head_sha)
    if (base !== null) return between(git, base, head_sha)
  }
  const compared = await compare(sources.access, subject)
  const trouble = await fetched(sources, [compared.base, head_sha], checkout)
  if (trouble === null) return between(git, compared.base, head_sha)
  if (compared.files.length >= COMPARED_FILES_MAX) {
    throw new Error(
      `The change has ${COMPARED_FILES_MAX} files or more, and git could not fetch it: ${trouble}. Use actions/checkout with \`fetch-depth: 0\`.`,
    )
  }
  return { files: compared.files, patches: compared.patches, warnings: [runWords.filesFromApi(trouble)] }
}

const between = async (git: Git, base: string, head: string): Promise<Changes> => ({
  ...(await changeBetween(git, base, head)),
  warnings: [],
})

type Compared = {
  readonly base: string
  readonly files: Change['files']
  readonly patches: ReadonlyMap<string, string>
}

async function compare({ octokit, place }: Access, { base_sha, head_sha }: Subject): Promise<Compared> {
  const basehead = `${base_sha}...${head_sha}`
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead({ ...place, basehead })
  const files = data.files ?? []
  return {
    base: data.merge_base_commit.sha,
    files: files.map(({ filename: path, previous_filename, status }) => {
      return { path, previous_path: previous_filename ?? null, status: statusOfFile(status) }
    }),
    patches: new Map(files.flatMap(({ filename, patch }) => (patch === undefined ? [] : [[filename, patch]]))),
  }
}

/** Null when both commits are there now, else why not. The credentials of the checkout come first, then our token. */
async function fetched(
  { git, token }: Sources,
  commits: readonly string[],
  { isShallow }: Checkout,
): Promise<string | null> {
  const missing: string[] = []
  for (const sha of commits) if ((await ask(git, 'cat-file', '-t', sha)) !== 'commit') missing.push(sha)
  if (missing.length === 0) return null
  // In a whole history `--depth` would cut it off.
  const args = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', ...(isShallow ? ['--depth=1'] : [])]
  const plain = await git([...args, 'origin', ...missing])
  if (plain.ok) return null
  const withToken = await git([...args, 'origin', ...missing], tokenHeader(token))
  return withToken.ok ? null : withToken.trouble.split('\n').slice(-1).join('')
}

/** Through the environment, since other programs may read the arguments of this one. */
function tokenHeader(token: string): Readonly<Record<string, string>> {
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64')
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraheader',
    GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${basic}`,
  }
}
