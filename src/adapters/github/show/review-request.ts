// Asking people and teams for a review, and taking back what nobody need answer any more. GitHub refuses a whole request for
// one whom it does not take, such as somebody who cannot see the repository, so that then each is asked alone.
// https://docs.github.com/en/rest/pulls/review-requests
import type { Shown } from '../../../core/decision/shown/owed.ts'
import { sameLogin } from '../../../core/people/people.ts'
import type { Roster } from '../../../core/people/roster.ts'
import type { Access } from '../access.ts'
import { isForGood } from './courtesy.ts'

/** GitHub takes no more on one pull request. */
const REVIEWERS_MAX = 15
/** Where the policy names nobody, not every administrator has to look. */
const ADMINS_MAX = 3
const NOBODY = 'nobody'

type Request = Extract<Shown, { kind: 'review_request' }>

/** `before`: who was asked already. Answers with who is asked now. */
export async function requestReview(
  access: Access,
  { pull, from, admins, not }: Request,
  before: string | null,
  roster: () => Promise<Roster>,
): Promise<{ ref: string }> {
  const named = [...from, ...(admins ? adminsIn(await roster()) : [])]
  const wanted = named.filter((name) => !not.some((login) => sameLogin(login, name))).slice(0, REVIEWERS_MAX)
  const asked = before === null || before === NOBODY ? [] : before.split(',')
  const over = asked.filter((name) => !wanted.some((one) => sameLogin(one, name)))
  if (over.length > 0) await takenBack(access, pull, over)
  const taken = wanted.length === 0 ? [] : await askedOf(access, pull, wanted)
  return { ref: taken.join(',') || NOBODY }
}

async function askedOf(access: Access, pull: number, wanted: readonly string[]): Promise<readonly string[]> {
  const { octokit, place } = access
  const ask = async (names: readonly string[]): Promise<readonly string[]> => {
    const { people: reviewers, teams: team_reviewers } = apart(access, names)
    if (reviewers.length + team_reviewers.length === 0) return []
    await octokit.rest.pulls.requestReviewers({ ...place, pull_number: pull, reviewers, team_reviewers })
    return names
  }
  try {
    return await ask(wanted)
  } catch (error) {
    if (!isForGood(error)) throw error
    const taken: (readonly string[])[] = []
    for (const name of wanted.length > 1 ? wanted : []) taken.push(await ask([name]).catch(none))
    if (taken.flat().length === 0) throw error
    return taken.flat()
  }
}

async function takenBack(access: Access, pull: number, over: readonly string[]): Promise<void> {
  const { octokit, place } = access
  const { people: reviewers, teams: team_reviewers } = apart(access, over)
  if (reviewers.length + team_reviewers.length === 0) return
  await octokit.rest.pulls
    .removeRequestedReviewers({ ...place, pull_number: pull, reviewers, team_reviewers })
    .catch(none)
}

/** Whoever is not taken is named on the page all the same. */
function none(error: unknown): readonly string[] {
  if (!isForGood(error)) throw error
  return []
}

/** Only teams of the organisation that the repository belongs to can be asked. */
function apart({ place: { owner } }: Access, names: readonly string[]) {
  const teams = names.flatMap((name) => {
    const [org = '', slug] = name.split('/')
    return slug !== undefined && sameLogin(org, owner) ? [slug] : []
  })
  return { people: names.filter((name) => !name.includes('/')), teams }
}

const adminsIn = ({ people }: Roster): string[] =>
  [...people.values()]
    .filter(({ kind, permission }) => kind === 'human' && permission === 'admin')
    .map(({ login }) => login)
    .slice(0, ADMINS_MAX)
