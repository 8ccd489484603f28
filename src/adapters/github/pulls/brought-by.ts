// Which pull requests brought a commit onto a branch with which a check began to fail. Where it failed on the commit before,
// nobody is to blame for it. https://docs.github.com/en/rest/commits/commits
import { z } from 'zod'
import type { CheckOf } from '../../../core/issue-boards.ts'
import type { Access } from '../access.ts'
import { PER_PAGE } from '../pages.ts'

const commitShape = z.object({ parents: z.array(z.object({ sha: z.string() })) })
const pulls = z.array(
  z.object({ number: z.number(), merged_at: z.string().nullish(), merge_commit_sha: z.string().nullish() }),
)

/** How a run ends that says that something is broken. Whatever was cancelled or skipped says nothing. */
export const isBroken = (conclusion: string | null | undefined): boolean =>
  conclusion === 'failure' || conclusion === 'timed_out'

export async function broughtBy(
  { octokit, place }: Access,
  sha: string,
  { check, app: by }: CheckOf,
): Promise<readonly number[]> {
  const { data: commit } = await octokit.rest.repos.getCommit({ ...place, ref: sha })
  const [before] = commitShape.parse(commit).parents
  if (before !== undefined && (await fails(before.sha))) return []
  const asked = { ...place, commit_sha: sha, per_page: PER_PAGE }
  const { data } = await octokit.rest.repos.listPullRequestsAssociatedWithCommit(asked)
  return pulls
    .parse(data)
    .filter(({ merged_at, merge_commit_sha }) => typeof merged_at === 'string' && merge_commit_sha === sha)
    .map(({ number }) => number)

  async function fails(ref: string): Promise<boolean> {
    const named = { ...place, ref, check_name: check, filter: 'latest', per_page: PER_PAGE } as const
    const { data: runs } = await octokit.rest.checks.listForRef(named)
    return runs.check_runs.some(({ conclusion, app }) => isBroken(conclusion) && (by ?? app?.slug) === app?.slug)
  }
}
