// Merges of the base into a pull request, as the button "Update branch" makes them. Whoever presses it made no part of the
// change, as long as what the pull request changes is what it was: the same patch before and after.
// https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/proposing-changes-to-your-work-with-pull-requests/keeping-your-pull-request-in-sync-with-the-base-branch
import { canonical } from '../../../core/canonical.ts'
import type { CommitMade } from '../../../core/people/builders.ts'
import type { Access } from '../access.ts'
import { comparison, type Listed } from '../files/files.ts'
import type { Made } from './pulls.ts'

/** A pull request with more merges than this has its mergers as makers. */
const MERGES_MAX = 10
/** A comparison that lists as many may have left some out. */
const FILES_MAX = 300

export type IsBaseMerge = (commit: Made) => Promise<boolean>

export async function withBaseMerges(commits: readonly Made[], isBaseMerge: IsBaseMerge): Promise<CommitMade[]> {
  const merges = commits.filter(mayBeBaseMerge).slice(-MERGES_MAX)
  const proven = new Set<string>()
  for (const commit of merges) if (await isBaseMerge(commit)) proven.add(commit.sha)
  return commits.map(({ tree_sha: _tree, parents: _parents, ...commit }) => ({
    ...commit,
    merges_base: proven.has(commit.sha),
  }))
}

/** GitHub itself made it, of two commits. */
const mayBeBaseMerge = ({ committer, parents }: Made): boolean =>
  parents.length === 2 && committer?.login === 'web-flow'

/** All that is asked is named by commit, so that an answer holds for ever. */
export async function isBaseMerge(
  access: Access,
  [sha = '', before = '', base = '']: readonly string[],
): Promise<boolean> {
  const [old, now] = await Promise.all([comparison(access, base, before), comparison(access, base, sha)])
  if (old === null || now === null || old.length >= FILES_MAX || now.length >= FILES_MAX) return false
  return canonical(old.map(changeOf)) === canonical(now.map(changeOf))
}

/** Where a hunk stands may move with the base; what it changes and what stands around it may not. */
function changeOf({ filename, previous_filename, status, sha, patch }: Listed[number]): object {
  const change = patch?.replaceAll(/^@@ .*$/gm, '@@') ?? sha ?? ''
  return { filename, previous_filename: previous_filename ?? null, status, change }
}
