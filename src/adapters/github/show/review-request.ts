// Asking people for a review, once. GitHub refuses those who cannot see the repository or made the pull request.
// https://docs.github.com/en/rest/pulls/review-requests
import type { Shown } from '../../../core/decision/shown/owed.ts'
import { sameLogin } from '../../../core/people/people.ts'
import type { Roster } from '../../../ports.ts'
import type { Access } from '../access.ts'

/** GitHub takes no more on one pull request. */
const REVIEWERS_MAX = 15
/** Where the policy names nobody, not every administrator has to look. */
const ADMINS_MAX = 3

export async function requestReview(
  { octokit, place }: Access,
  { pull, from, not }: Extract<Shown, { kind: 'review_request' }>,
  roster: () => Promise<Roster>,
): Promise<{ ref: string }> {
  const named = from.length > 0 ? from : adminsIn(await roster())
  const wanted = named.filter((name) => !not.some((login) => sameLogin(login, name)))
  const teams = wanted.flatMap((name) => (name.includes('/') ? [name.split('/')[1] ?? ''] : []))
  const people = wanted.filter((name) => !name.includes('/')).slice(0, REVIEWERS_MAX)
  if (teams.length + people.length === 0) return { ref: 'nobody' }
  await octokit.rest.pulls.requestReviewers({ ...place, pull_number: pull, reviewers: people, team_reviewers: teams })
  return { ref: wanted.join(',') }
}

const adminsIn = ({ people }: Roster): string[] =>
  [...people.values()]
    .filter(({ kind, permission }) => kind === 'human' && permission === 'admin')
    .map(({ login }) => login)
    .slice(0, ADMINS_MAX)
