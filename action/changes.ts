// The files that a change touches, and its lines: by git, from where the branch left its base up to the head. A checkout
// of one commit lacks both, so GitHub says where that was and git fetches the two; where it cannot, GitHub's own
// comparison stands in, as long as it is complete. A merge group may stand on others, which merge with it: its change begins
// at the tip of its branch.
import { ask, changeBetween, type Change, type Git } from '../src/checks/checkout/git.ts'
import type { Access } from '../src/adapters/github/access.ts'
import { changedFile, patchOf } from '../src/adapters/github/files/files.ts'
import { runWords } from '../src/core/words/run/run-words.ts'
import type { Checkout } from './checkout.ts'
import type { Subject } from './event.ts'

export type Changes = Change & { readonly warnings: readonly string[] }
type Sources = {
  readonly git: Git
  readonly access: Access
  /** Of the repository, as the runner says it and not as the clone does. */
  readonly url: string
  readonly token: string
}

/** GitHub's comparison ends there without a word. https://docs.github.com/en/rest/commits/commits#compare-two-commits */
const COMPARED_FILES_MAX = 300

export async function changesOf(sources: Sources, checkout: Checkout, subject: Subject): Promise<Changes> {
  const { git } = sources
  const { head_sha } = subject
  const base_sha = subject.base_sha ?? (await tipOf(sources.access, subject.base_ref))
  if (!checkout.isShallow) {
    const base = await ask(git, 'merge-base', base_sha, head_sha)
    const change = base === null ? null : await between(git, base, head_sha)
    if (change !== null) return change
  }
  const compared = await compare(sources.access, `${base_sha}...${head_sha}`)
  // What a clone left out of its commits, it is not asked for again unless it is told to have nothing.
  for (const how of [[], ['--refetch']]) {
    const trouble = await fetched(sources, [compared.base, head_sha], how)
    const change = trouble === null ? await between(git, compared.base, head_sha) : null
    if (change !== null) return change
    if (trouble === null) continue
    if (compared.files.length >= COMPARED_FILES_MAX) throw new Error(tooMany(trouble))
    return { files: compared.files, patches: compared.patches, warnings: [runWords.filesFromApi(trouble)] }
  }
  throw new Error('git has the commits of this change and cannot compare them.')
}

const tooMany = (trouble: string): string =>
  `The change has ${COMPARED_FILES_MAX} files or more, and git could not fetch it: ${trouble}. Use actions/checkout with \`fetch-depth: 0\`.`

/** Null where something of it is not here. */
async function between(git: Git, base: string, head: string): Promise<Changes | null> {
  const change = await changeBetween(git, base, head).catch(() => null)
  return change === null ? null : { ...change, warnings: [] }
}

type Compared = {
  readonly base: string
  readonly files: Change['files']
  readonly patches: ReadonlyMap<string, string>
}

async function tipOf({ octokit, place }: Access, branch: string): Promise<string> {
  const { data } = await octokit.rest.git.getRef({ ...place, ref: `heads/${branch}`, request: { fresh: true } })
  return data.object.sha
}

async function compare({ octokit, place }: Access, basehead: string): Promise<Compared> {
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead({ ...place, basehead })
  const files = data.files ?? []
  return {
    base: data.merge_base_commit.sha,
    files: files.map(changedFile),
    patches: new Map(
      files.flatMap((file): [string, string][] => {
        const patch = patchOf(file)
        return patch === null ? [] : [[file.filename, patch]]
      }),
    ),
  }
}

/**
 * Null when both commits are there now, else why not. They come from where the runner says that this repository is, with
 * the token of the job: where the clone would fetch from, and by which program, is for the clone to say.
 */
async function fetched(
  { git, url, token }: Sources,
  commits: readonly string[],
  how: readonly string[],
): Promise<string | null> {
  const missing: string[] = []
  for (const sha of commits) if ((await ask(git, 'cat-file', '-t', sha)) !== 'commit') missing.push(sha)
  const wanted = how.length === 0 ? missing : commits
  if (wanted.length === 0) return null
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--depth=1']
  const { ok, trouble } = await git([...args, ...how, url, ...wanted], { more: tokenHeader(url, token) })
  return ok ? null : trouble.split('\n').slice(-1).join('')
}

/** Through the environment, since other programs may read the arguments of this one. It goes to no other host. */
function tokenHeader(url: string, token: string): Readonly<Record<string, string>> {
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64')
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraheader`,
    GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${basic}`,
  }
}
