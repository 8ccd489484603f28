// Which pull requests a merge group's commit brings to its branch: its own, and those of the groups that it stands on, whether or
// not anybody told of those. GitHub names one of them in the branch of the group; those that
// were put in with it are found by the commits that GitHub itself made, whose subjects end in their number or begin with
// it. Only what GitHub committed is believed: whoever writes a commit of their own may name any number.
// https://docs.github.com/en/rest/commits/commits#compare-two-commits
import { z } from 'zod'
import type { Access } from '../access.ts'
import { atBranch } from '../at-branch.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { NoAnswer } from '../traffic/no-answer.ts'

const compared = z.object({
  total_commits: z.number(),
  commits: z.array(
    z.object({
      committer: z.object({ login: z.string() }).nullish().catch(null),
      commit: z.object({ message: z.string() }),
    }),
  ),
})
/** A hundred pull requests, which is as many as one group takes, of a hundred commits each. */
const PAGES_MAX = 100
const subjects = [/^Merge pull request #(\d{1,9}) from /, / \(#(\d{1,9})\)$/]

export async function pullsMergedInto(
  { octokit, place }: Access,
  branch: string,
  head: string,
): Promise<readonly number[]> {
  const basehead = `${atBranch(branch)}...${head}`
  let total = 0
  const commits = await allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, basehead, per_page: PER_PAGE, page, request: { fresh: true } }
    const read = compared.parse((await octokit.rest.repos.compareCommitsWithBasehead(asked)).data)
    total = read.total_commits
    return read.commits
  })
  if (commits.length < total)
    throw new NoAnswer(`GitHub lists ${commits.length} of the ${total} commits of the merge group ${head}`)
  const made = commits.filter(({ committer }) => committer?.login === 'web-flow')
  const numbers = made.flatMap(({ commit }) => {
    const subject = commit.message.split('\n')[0] ?? ''
    return subjects.flatMap((pattern) => pattern.exec(subject)?.[1] ?? []).map(Number)
  })
  return [...new Set(numbers)]
}
