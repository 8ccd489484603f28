// Which pull requests a merge group's commit was made of. GitHub names one of them in the branch of the group; those that
// were put in with it are found by the commits that GitHub itself made, whose subjects end in their number or begin with
// it. Only what GitHub committed is believed: whoever writes a commit of their own may name any number.
// https://docs.github.com/en/rest/commits/commits#compare-two-commits
import { z } from 'zod'
import type { Access } from '../access.ts'
import { PER_PAGE } from '../pages.ts'

const compared = z.array(
  z.object({
    committer: z.object({ login: z.string() }).nullish().catch(null),
    commit: z.object({ message: z.string() }),
  }),
)
const subjects = [/^Merge pull request #(\d{1,9}) from /, / \(#(\d{1,9})\)$/]

export async function pullsMergedInto(
  { octokit, place }: Access,
  base: string,
  head: string,
): Promise<readonly number[]> {
  if (base === '') return []
  const basehead = `${base}...${head}`
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead({ ...place, basehead, per_page: PER_PAGE })
  const made = compared.parse(data.commits).filter(({ committer }) => committer?.login === 'web-flow')
  const numbers = made.flatMap(({ commit }) => {
    const subject = commit.message.split('\n')[0] ?? ''
    return subjects.flatMap((pattern) => pattern.exec(subject)?.[1] ?? []).map(Number)
  })
  return [...new Set(numbers)]
}
