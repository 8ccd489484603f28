// Check runs, check suites and commit statuses as GitHub shows them.
import type { Annotation, CheckRun, CheckSuite, Status } from '../checks-model.ts'
import type { Repo } from '../model.ts'
import { fullName, type World } from '../world.ts'
import { app, nodeId, user, type Schema } from './account.ts'
import { simpleCommit } from './commit.ts'
import { pullsAt } from './pull.ts'
import { htmlUrl, repository, repoUrl } from './repo.ts'

export function checkRun(world: World, repo: Repo, run: CheckRun) {
  const url = `${repoUrl(world, repo)}/check-runs/${run.id}`
  return {
    id: run.id,
    node_id: nodeId('CR', run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: `${htmlUrl(world, repo)}/runs/${run.id}`,
    details_url: run.detailsUrl ?? pageOf(world, repo, run),
    status: run.status,
    // The published schema leaves out `stale`, which only GitHub sets.
    conclusion: run.conclusion === 'stale' ? null : run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    name: run.name,
    check_suite: { id: run.suite.id },
    app: app(world, run.suite.app),
    pull_requests: pullsAt(world, repo, run.headSha),
  } satisfies Schema<'check-run'>
}

/** A job of Actions has its page under the workflow run. */
const pageOf = (world: World, repo: Repo, { id, job }: CheckRun): string =>
  `${htmlUrl(world, repo)}/${job === null ? `runs/${id}` : `actions/runs/${job.run.id}/job/${id}`}`

/** Webhooks carry the whole suite inside the run. */
export const checkRunInEvent = (world: World, repo: Repo, run: CheckRun) => ({
  ...checkRun(world, repo, run),
  conclusion: run.conclusion,
  check_suite: { ...suiteBase(world, repo, run.suite), pull_requests: pullsAt(world, repo, run.headSha) },
})

const runsOf = (repo: Repo, suite: CheckSuite): readonly CheckRun[] =>
  (repo.checksBySha.get(suite.headSha) ?? []).filter((run) => run.suite === suite)

function suiteBase(world: World, repo: Repo, suite: CheckSuite) {
  return {
    id: suite.id,
    node_id: nodeId('CS', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    status: suite.status,
    conclusion: suite.conclusion,
    url: `${repoUrl(world, repo)}/check-suites/${suite.id}`,
    before: null,
    after: suite.headSha,
    app: app(world, suite.app),
    created_at: suite.createdAt,
    updated_at: suite.updatedAt,
    latest_check_runs_count: runsOf(repo, suite).length,
    check_runs_url: `${repoUrl(world, repo)}/check-suites/${suite.id}/check-runs`,
    rerequestable: true,
    runs_rerequestable: true,
  }
}

export const checkSuite = (world: World, repo: Repo, suite: CheckSuite) =>
  ({
    ...suiteBase(world, repo, suite),
    pull_requests: pullsAt(world, repo, suite.headSha),
    repository: repository(world, repo),
    head_commit: simpleCommit(repo, suite.headSha),
  }) satisfies Schema<'check-suite'>

export const annotation = (world: World, repo: Repo, run: CheckRun, one: Annotation) =>
  ({
    ...one,
    blob_href: `${htmlUrl(world, repo)}/blob/${run.headSha}/${encodeURIComponent(one.path)}`,
  }) satisfies Schema<'check-annotation'>

const statusUrl = (world: World, repo: Repo, sha: string) => `${repoUrl(world, repo)}/statuses/${sha}`

export const status = (world: World, repo: Repo, one: Status) =>
  ({ ...statusBase(world, repo, one), creator: user(world, one.creator) }) satisfies Schema<'status'>

const statusBase = (world: World, repo: Repo, one: Status) => ({
  url: statusUrl(world, repo, one.sha),
  avatar_url: `${world.url}/avatars/${one.creator.id}`,
  id: one.id,
  node_id: nodeId('SC', one.id),
  state: one.state,
  description: one.description,
  target_url: one.targetUrl,
  context: one.context,
  created_at: one.createdAt,
  updated_at: one.createdAt,
})

/** The newest status of each context, and what they come to together. */
export function combinedStatus(world: World, repo: Repo, sha: string) {
  const newest = new Map((repo.statuses.get(sha) ?? []).map((one) => [one.context, one]))
  const states = [...newest.values()].map(({ state }) => state)
  const bad = states.some((state) => state === 'error' || state === 'failure')
  const waiting = states.length === 0 || states.includes('pending')
  return {
    state: bad ? 'failure' : waiting ? 'pending' : 'success',
    statuses: [...newest.values()].map((one) => ({ ...statusBase(world, repo, one), required: null })),
    sha,
    total_count: newest.size,
    repository: repository(world, repo),
    commit_url: `${world.url}/repos/${fullName(repo)}/commits/${sha}`,
    url: `${repoUrl(world, repo)}/commits/${sha}/status`,
  } satisfies Schema<'combined-commit-status'>
}
