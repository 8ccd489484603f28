// Merges of the base into a pull request, as the button "Update branch" makes them. Whoever presses it made no part of the
// change, as long as what was merged is of the base and what the pull request changes is what it was: the same patch before
// and after. Whatever else was pushed with it is its pusher's.
// https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/proposing-changes-to-your-work-with-pull-requests/keeping-your-pull-request-in-sync-with-the-base-branch
import { canonical } from '../../../core/canonical.ts'
import type { CommitMade } from '../../../core/people/builders.ts'
import type { Access } from '../access.ts'
import { comparison, partingOf, type Listed } from '../files/files.ts'
import { forgetOldest } from '../../../core/forget.ts'
import { rememberedBy } from '../remembered.ts'
import { orMissing } from '../status.ts'
import type { Made } from './pulls.ts'

/** A pull request with more merges than this has its mergers as makers. */
const MERGES_MAX = 10
/** A comparison that lists as many may have left some out. */
const FILES_MAX = 300
const KNOWN_MAX = 1_000

export type IsBaseMerge = (commit: Made, base: string) => Promise<boolean>

export async function withBaseMerges(
  commits: readonly Made[],
  base: string,
  isBaseMerge: IsBaseMerge,
): Promise<CommitMade[]> {
  const merges = commits.filter(mayBeBaseMerge).slice(-MERGES_MAX)
  const proven = new Set<string>()
  for (const commit of merges) if (await isBaseMerge(commit, base)) proven.add(commit.sha)
  return commits.map(({ tree_sha: _tree, parents: [before = null], ...commit }) => ({
    ...commit,
    merges_base: proven.has(commit.sha) ? before : null,
  }))
}

/** Made of two commits, and signed as GitHub signs, which anybody may. */
const mayBeBaseMerge = ({ committer, parents }: Made): boolean =>
  parents.length === 2 && committer?.login === 'web-flow'

/** Asks for each once, as long as the answer is yes: a commit of a branch stays that. */
export function baseMerges(access: Access): IsBaseMerge {
  const isSame = rememberedBy(access.now, Infinity, (commits: string) => isSamePatch(access, commits.split(' ')))
  const ofBase = new Set<string>()
  return async ({ sha, parents: [before = '', merged = ''] }, base) => {
    const known = `${base} ${merged}`
    if (!ofBase.has(known) && !(await isOf(access, base, merged))) return false
    ofBase.add(known)
    forgetOldest(ofBase, KNOWN_MAX)
    return isSame([sha, before, merged].join(' '))
  }
}

/** What parts from a branch only where it stands itself is of it. */
const isOf = async (access: Access, branch: string, sha: string): Promise<boolean> =>
  (await orMissing(partingOf(access, branch, sha))) === sha

/** All that is asked is named by commit, so that an answer holds for ever. */
async function isSamePatch(access: Access, [sha = '', before = '', base = '']: readonly string[]): Promise<boolean> {
  const [old, now] = await Promise.all([comparison(access, base, before), comparison(access, base, sha)])
  if (old === null || now === null || old.length >= FILES_MAX || now.length >= FILES_MAX) return false
  return canonical(old.map(changeOf)) === canonical(now.map(changeOf))
}

/** Where a hunk stands may move with the base; what it changes and what stands around it may not. */
function changeOf({ filename, previous_filename, status, sha, patch }: Listed[number]): object {
  const change = patch?.replaceAll(/^@@ .*$/gm, '@@') ?? sha ?? ''
  return { filename, previous_filename: previous_filename ?? null, status, change }
}
