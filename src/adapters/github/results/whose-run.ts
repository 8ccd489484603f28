// For which pull request a run was. The run does not say: the pull requests that GitHub lists with it are those that have
// its commit or its branch by now. But it says the branch and the repository that it began from, and when; where only one
// pull request had that branch at that time, the run was for that one. What results say about themselves proves nothing,
// since a base that somebody else rules brings along a workflow of its own.
// https://docs.github.com/en/rest/pulls/pulls#list-pull-requests
import { z } from 'zod'
import type { Attempt } from '../../../core/decision/model.ts'
import { runAnew } from '../../../core/decision/results/handed-over.ts'
import type { Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import {
  basesOf,
  isHeardOf,
  isOfBaseBefore,
  isOfOldBase,
  knownMoves,
  once,
  otherBase,
  type Bases,
} from './base-moves.ts'
import { isBefore, type Run } from './runs.ts'

const PAGES_MAX = 10

const pulls = z.array(
  z.object({
    number: z.number(),
    state: z.string(),
    created_at: z.string(),
    closed_at: z.string().nullish(),
    updated_at: z.string(),
    base: z.object({ ref: z.string() }),
    head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.number() }).nullable() }),
  }),
)
type Pull = z.output<typeof pulls>[number]

/** Why a run is not known to be for an attempt, in words; null where it is. */
export type Stranger = (attempt: Attempt, run: Run) => Promise<string | null>
/** Runs that were proved, by attempt: what was at the time when a run began stays so. */
export type Proved = Set<string>

/** Which event each kind of attempt has its runs from. A push builds the commit as it is, for whichever pull request. */
const ofPull = ['pull_request', 'pull_request_target']
const ofGroup = ['merge_group', 'push']
const PROVED_MAX = 10_000

/** Asks for each list once, so it is made for one reading of results. */
export function strangers(access: Access, proved: Proved, { moves }: Bases = basesOf(access)): Stranger {
  const heads = once((head: string) => pullsFrom(access, head))
  const stranger: Stranger = async (attempt, run) => {
    if (run.head_sha !== attempt.head_sha) return 'it is of another commit'
    if (attempt.group !== null) return ofGroup.includes(run.event) ? null : `it answers the event ${run.event}`
    const isOld = isBefore(run.created_at, attempt)
    if (isOld && !isHeardOf(attempt)) return isOfOldBase(attempt)
    const isPush = run.event === 'push'
    if (isPush && !isOld) return null
    if (!isPush && !ofPull.includes(run.event)) return `it answers the event ${run.event}`
    const { head_branch, head_repository } = run
    if (head_branch === null || !head_repository) return `GitHub does not say where it began: ${runAnew}`
    const [all, listed] = await Promise.all([
      isPush ? [] : heads(`${head_repository.owner.login}:${head_branch}`),
      moves(attempt.pull),
    ])
    const moved = knownMoves(attempt, listed)
    if (isOfBaseBefore(attempt, moved, run.created_at)) return isOfOldBase(attempt)
    if (isPush) return null
    if (all === null) return 'its branch has more pull requests than GitHub lists: use a branch of its own'
    const possible = all.filter((pull) => mayHaveBegun(pull, run))
    const own = possible.find(({ number }) => number === attempt.pull)
    const other = possible.find(({ number }) => number !== attempt.pull)
    if (own === undefined) return `it began from the branch \`${head_branch}\`, not from this pull request`
    // Whoever asks may not have heard yet that the base is another one by now, and has been since before the run.
    const base = otherBase(moved, attempt, { merges_into: own.base.ref, updated_at: own.updated_at })
    return base ?? (other === undefined ? null : notAlone(other))
  }
  return async (attempt, run) => {
    const key = `${run.id} ${attempt.id}`
    if (proved.has(key) || isOnRecord(attempt, run)) return null
    const why = await stranger(attempt, run)
    if (proved.size >= PROVED_MAX) proved.clear()
    if (why === null) proved.add(key)
    return why
  }
}

/** It was proved before something that it ended with came on record. */
const isOnRecord = ({ checks }: Attempt, { id }: Run): boolean =>
  Object.values(checks).some(
    (check) => check.ended_at !== undefined && (check.job_of === id || check.id.startsWith(`${id}.`)),
  )

const notAlone = ({ number, state }: Pull): string =>
  `pull request ${number} had the same branch, so nobody can tell which of them it was for: ` +
  (state === 'open' ? 'close one of them and push' : 'push')

/** A closed pull request begins runs too, as when it is labelled, but of the commit that it was closed with. */
function mayHaveBegun({ created_at, closed_at, state, head }: Pull, run: Run): boolean {
  if (head.ref !== run.head_branch) return false
  if (head.repo !== null && head.repo.id !== run.head_repository?.id) return false
  if (Date.parse(created_at) > Date.parse(run.created_at)) return false
  return state === 'open' || head.sha === run.head_sha || !(Date.parse(closed_at ?? '') < Date.parse(run.created_at))
}

/** Open and closed ones of `owner:branch`; null where there are more than can be listed. */
async function pullsFrom({ octokit, place }: Access, head: string): Promise<readonly Pull[] | null> {
  const all = await allPages(PAGES_MAX, async (page) => {
    const { data } = await octokit.rest.pulls.list({ ...place, head, state: 'all', per_page: PER_PAGE, page })
    return pulls.parse(data)
  })
  return all.length < PAGES_MAX * PER_PAGE ? all : null
}
