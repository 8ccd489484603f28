// Workflow runs and artifacts as GitHub shows them.
import type { Artifact, CheckRun, WorkflowRun } from '../checks-model.ts'
import type { Repo } from '../model.ts'
import type { World } from '../world.ts'
import { nodeId, user, type Schema } from './account.ts'
import { simpleCommit } from './commit.ts'
import { pullsAt } from './pull.ts'
import { htmlUrl, repository, repoUrl } from './repo.ts'

export function workflowRun(world: World, repo: Repo, run: WorkflowRun) {
  const url = `${repoUrl(world, repo)}/actions/runs/${run.id}`
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('WFR', run.id),
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: run.path,
    display_title: run.name,
    run_number: run.number,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: run.workflow,
    check_suite_id: run.suite.id,
    check_suite_node_id: nodeId('CS', run.suite.id),
    url,
    html_url: `${htmlUrl(world, repo)}/actions/runs/${run.id}`,
    // A fork's run lists no pull requests; otherwise those whose head is this commit or this branch.
    pull_requests: run.headRepo === repo ? pullsAt(world, repo, run.headSha, run.headBranch) : [],
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    run_started_at: run.startedAt,
    actor: user(world, run.actor),
    triggering_actor: user(world, run.triggeredBy),
    referenced_workflows: run.referenced.map((one) => ({ ...one })),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repoUrl(world, repo)}/check-suites/${run.suite.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt > 1 ? `${url}/attempts/${run.attempt - 1}` : null,
    workflow_url: `${repoUrl(world, repo)}/actions/workflows/${run.workflow}`,
    head_commit: simpleCommit(repo, run.headSha),
    repository: repository(world, repo),
    head_repository: repository(world, run.headRepo),
    head_repository_id: run.headRepo.id,
  } satisfies Schema<'workflow-run'>
}

/** A job is the check run of Actions by the same id. */
export function workflowJob(world: World, repo: Repo, run: WorkflowRun, job: CheckRun) {
  const url = `${repoUrl(world, repo)}/actions/jobs/${job.id}`
  return {
    id: job.id,
    run_id: run.id,
    run_url: `${repoUrl(world, repo)}/actions/runs/${run.id}`,
    run_attempt: job.job?.attempt ?? run.attempt,
    node_id: nodeId('CR', job.id),
    head_sha: job.headSha,
    head_branch: run.headBranch,
    url,
    html_url: `${htmlUrl(world, repo)}/actions/runs/${run.id}/job/${job.id}`,
    status: job.status,
    conclusion: job.conclusion,
    created_at: job.startedAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    name: job.name,
    steps: run.steps.map(({ name, conclusion }, index) => {
      return { name, status: conclusion === null ? 'in_progress' : 'completed', conclusion, number: index + 1 }
    }),
    check_run_url: `${repoUrl(world, repo)}/check-runs/${job.id}`,
    labels: [],
    runner_id: null,
    runner_name: null,
    runner_group_id: null,
    runner_group_name: null,
    workflow_name: run.name,
  }
}

export function workflow(world: World, repo: Repo, id: number, path: string, name: string) {
  return {
    id,
    node_id: nodeId('W', id),
    name,
    path,
    state: 'active' as const,
    created_at: repo.createdAt,
    updated_at: repo.createdAt,
    url: `${repoUrl(world, repo)}/actions/workflows/${id}`,
    html_url: `${htmlUrl(world, repo)}/blob/${repo.defaultBranch}/${path}`,
    badge_url: `${htmlUrl(world, repo)}/workflows/${encodeURIComponent(name)}/badge.svg`,
  } satisfies Schema<'workflow'>
}

export function artifact(world: World, repo: Repo, one: Artifact) {
  const url = `${repoUrl(world, repo)}/actions/artifacts/${one.id}`
  const run = repo.workflowRuns.get(one.run)
  return {
    id: one.id,
    node_id: nodeId('MDg', one.id),
    name: one.name,
    size_in_bytes: one.zip.length,
    url,
    archive_download_url: `${url}/zip`,
    expired: world.now() >= one.expiresAt,
    created_at: one.createdAt,
    updated_at: one.createdAt,
    expires_at: one.expiresAt,
    digest: `sha256:${one.digest}`,
    workflow_run:
      run === undefined
        ? null
        : {
            id: run.id,
            repository_id: repo.id,
            head_repository_id: run.headRepo.id,
            head_branch: run.headBranch,
            head_sha: run.headSha,
          },
  } satisfies Schema<'artifact'>
}
