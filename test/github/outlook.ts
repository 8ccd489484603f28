// Whether a pull request could be merged now, and what stands in the way: conflicts, reviews, required checks.
// A required check counts from the source that the rule names, on the very head; success, neutral and skipped pass.
// https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/about-protected-branches
import { descends, mergeTrees } from './git/history.ts'
import { writeCommit } from './git/objects.ts'
import type { CheckRun } from './checks-model.ts'
import type { Account, Protection, Repo, RequiredCheck, Review, Ruleset } from './model.ts'
import { atLeast, roleOf, type PullIssue, type World } from './world.ts'

export type Outlook = {
  readonly mergeable: boolean | null
  readonly state: 'clean' | 'dirty' | 'blocked' | 'behind' | 'draft' | 'unstable' | 'unknown'
  /** The commit of `refs/pull/N/merge`, or null where there are conflicts. */
  readonly testMerge: string | null
}
type Rules = {
  readonly checks: readonly RequiredCheck[]
  readonly strict: boolean
  readonly approvals: number | null
  readonly lastPushApproval: boolean
}

export function outlook(world: World, repo: Repo, one: PullIssue): Outlook {
  if (one.state === 'closed') return { mergeable: null, state: 'unknown', testMerge: null }
  const testMerge = testMergeOf(repo, one)
  const mergeable = testMerge !== null
  return { mergeable, state: stateOf(world, repo, one, mergeable), testMerge }
}

function stateOf(world: World, repo: Repo, one: PullIssue, mergeable: boolean): Outlook['state'] {
  if (!mergeable) return 'dirty'
  if (one.pull.draft) return 'draft'
  const rules = rulesFor(repo, one.pull.stack?.baseRef ?? one.pull.baseRef)
  if (rules.strict && isBehind(repo, one)) return 'behind'
  if (obstacles(world, repo, one, rules).length > 0) return 'blocked'
  const runs = newestRuns(repo, one.pull.headSha)
  return runs.every(passes) ? 'clean' : 'unstable'
}

/** Why the rules of the base branch refuse the merge, in GitHub's words. */
export function refusals(world: World, repo: Repo, one: PullIssue): readonly string[] {
  const rules = rulesFor(repo, one.pull.stack?.baseRef ?? one.pull.baseRef)
  const behind = rules.strict && isBehind(repo, one) ? ['Head branch is out of date. Update it before merging.'] : []
  return [...behind, ...obstacles(world, repo, one, rules)]
}

/** In a stack the rules are those for the base of its lowest pull request. */
function rulesFor(repo: Repo, branch: string): Rules {
  const protection: Protection | null = repo.protections.get(branch) ?? null
  const rulesets = rulesetsFor(repo, branch)
  const approvals = [protection?.approvals ?? null, ...rulesets.map((rule) => rule.approvals)].filter((n) => n !== null)
  return {
    checks: [...(protection?.checks ?? []), ...rulesets.flatMap(({ checks }) => checks)],
    strict: protection?.strict === true || rulesets.some(({ strict }) => strict),
    approvals: approvals.length === 0 ? null : Math.max(...approvals),
    lastPushApproval: protection?.lastPushApproval === true,
  }
}

export const rulesetsFor = (repo: Repo, branch: string): readonly Ruleset[] =>
  repo.rulesets.filter(
    ({ enforcement, branches }) =>
      enforcement === 'active' &&
      branches.some(
        (name) => name === branch || name === '~ALL' || (name === '~DEFAULT_BRANCH' && branch === repo.defaultBranch),
      ),
  )

function obstacles(world: World, repo: Repo, one: PullIssue, rules: Rules): readonly string[] {
  const checks = rules.checks.flatMap((check) => checkObstacle(repo, one.pull.headSha, check) ?? [])
  return [...reviewObstacles(world, repo, one, rules), ...checks]
}

function reviewObstacles(world: World, repo: Repo, one: PullIssue, rules: Rules): readonly string[] {
  if (rules.approvals === null) return []
  const standing = standingReviews(world, repo, one.number)
  if (standing.some(({ state }) => state === 'CHANGES_REQUESTED')) return ['Changes have been requested.']
  const approving = standing.filter(({ state }) => state === 'APPROVED').map(({ author }) => author)
  const counted = rules.lastPushApproval ? approving.filter((account) => account !== one.pull.lastPusher) : approving
  if (counted.length >= rules.approvals) return []
  const wanted = rules.approvals === 1 ? '1 approving review is' : `${rules.approvals} approving reviews are`
  return [`At least ${wanted} required by reviewers with write access.`]
}

/** The last word of each reviewer with the right to write; a comment takes nothing back. */
function standingReviews(world: World, repo: Repo, number: number): readonly Review[] {
  const last = new Map<Account, Review>()
  for (const review of repo.reviews.values()) {
    const speaks = review.state === 'APPROVED' || review.state === 'CHANGES_REQUESTED' || review.state === 'DISMISSED'
    if (review.pull === number && speaks && mayWrite(world, repo, review.author)) last.set(review.author, review)
  }
  return [...last.values()].filter(({ state }) => state !== 'DISMISSED')
}

const mayWrite = (world: World, repo: Repo, account: Account): boolean =>
  atLeast(roleOf(world, repo, account)?.role ?? null, 'write')

function checkObstacle(repo: Repo, sha: string, { context, appId }: RequiredCheck): string | null {
  const run = newestRuns(repo, sha).find(
    (one) => one.name === context && (appId === null || one.suite.app.id === appId),
  )
  const status = (repo.statuses.get(sha) ?? []).findLast(
    (one) => one.context === context && (appId === null || one.app?.id === appId),
  )
  if (run === undefined && status === undefined) return `Required status check "${context}" is expected.`
  const waiting = (run !== undefined && run.status !== 'completed') || status?.state === 'pending'
  if (waiting) return `Required status check "${context}" is pending.`
  const fine = (run === undefined || passes(run)) && (status === undefined || status.state === 'success')
  return fine ? null : `Required status check "${context}" is failing.`
}

const passing: readonly (string | null)[] = ['success', 'neutral', 'skipped']

const passes = (run: CheckRun): boolean => run.status === 'completed' && passing.includes(run.conclusion)

/** The newest run of each name and App, newest first. */
export function newestRuns(repo: Repo, sha: string): readonly CheckRun[] {
  const runs = repo.checksBySha.get(sha) ?? []
  const newest = new Map(runs.map((run) => [`${run.suite.app.id} ${run.name}`, run]))
  return [...newest.values()].sort((a, b) => b.id - a.id)
}

function isBehind(repo: Repo, { pull }: PullIssue): boolean {
  const tip = repo.refs.get(`refs/heads/${pull.baseRef}`)
  return tip !== undefined && !descends(repo.objects, pull.headSha, tip)
}

function testMergeOf(repo: Repo, { number, pull }: PullIssue): string | null {
  const tip = repo.refs.get(`refs/heads/${pull.baseRef}`)
  if (tip === undefined) return null
  const tree = mergeTrees(repo.objects, tip, pull.headSha)
  if (tree === null) return null
  const who = {
    name: 'GitHub',
    email: 'noreply@github.com',
    date: repo.objects.commits.get(pull.headSha)?.committer.date ?? '',
  }
  const message = `Merge ${pull.headSha} into ${tip}`
  const sha = writeCommit(repo.objects, { tree, parents: [tip, pull.headSha], author: who, committer: who, message })
  repo.refs.set(`refs/pull/${number}/merge`, sha)
  return sha
}
