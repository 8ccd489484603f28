// Who moved a branch, as GitHub keeps it: commits say whatever their author wrote into them, the record of the branch does
// not. https://docs.github.com/en/rest/repos/repos#list-repository-activities
import { z } from 'zod'
import type { PullFacts, PushMade } from '../../../ports.ts'
import { account, makerOf } from './accounts.ts'
import type { Access } from '../access.ts'
import { PER_PAGE } from '../pages.ts'
import { orUnseen } from '../status.ts'

const activities = z.array(
  z.object({
    before: z.string(),
    after: z.string(),
    activity_type: z.string(),
    timestamp: z.string(),
    actor: account.nullish(),
  }),
)

/**
 * Null where GitHub does not tell, or not of the commit that is the head. A branch of another repository keeps a record
 * that we may not see; its commits speak for themselves there, and whoever opened the pull request counts.
 */
export async function pushersOf(
  { octokit, place }: Access,
  { head_branch, head_sha }: Pick<PullFacts, 'head_branch' | 'head_sha'>,
): Promise<readonly PushMade[] | null> {
  if (head_branch === null) return []
  const asked = { ...place, ref: `refs/heads/${head_branch}`, per_page: PER_PAGE }
  const answer = await orUnseen(octokit.request('GET /repos/{owner}/{repo}/activity', asked))
  if (answer === null) return null
  const all = activities.parse(answer.data)
  // A branch of the same name may have been there before.
  const begin = all.findIndex(({ activity_type }) => activity_type === 'branch_creation')
  const moves = begin < 0 ? all : all.slice(0, begin + 1)
  const isWhole = (begin >= 0 || all.length < PER_PAGE) && moves.some(({ after }) => after === head_sha)
  const made = moves.flatMap(({ before, after: sha, timestamp: at, actor }) =>
    actor ? [{ sha, before, by: makerOf(actor), at }] : [],
  )
  return isWhole && made.length === moves.length ? made.filter(({ by }) => by.login !== 'web-flow') : null
}
