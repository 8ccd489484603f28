// Workflow runs of Actions, and the artifacts they leave. A run's jobs report as check runs of the App
// `github-actions`, which `reportCheck` of the admin verbs does.
import { createHash } from 'node:crypto'
import type { Artifact, Conclusion, JobStep, WorkflowRun } from '../checks-model.ts'
import type { Account, Repo } from '../model.ts'
import { refused } from '../problem.ts'
import { workflow as showWorkflow, workflowRun as showRun } from '../shapes/run.ts'
import { found, type World } from '../world.ts'
import { appNamed } from './accounts.ts'
import { newSuite, suiteFor } from './check-suites.ts'
import { newestRunOf, takenOver } from './jobs.ts'

const artifactLifeMs = 90 * 86_400_000

export type NewRun = {
  readonly path: string
  readonly name: string
  readonly event: string
  readonly headSha: string
  readonly headBranch: string
  readonly headRepo: Repo
  readonly actor: Account
  readonly referenced: WorkflowRun['referenced']
}

export function startRun(world: World, repo: Repo, wanted: NewRun): WorkflowRun {
  const workflow = repo.workflows.get(wanted.path) ?? world.nextId()
  repo.workflows.set(wanted.path, workflow)
  const run: WorkflowRun = {
    ...wanted,
    id: world.nextId(),
    number: repo.workflowRuns.size + 1,
    workflow,
    suite: suiteOf(world, repo, wanted),
    triggeredBy: wanted.actor,
    attempt: 1,
    jobs: new Map([[1, []]]),
    status: 'queued',
    conclusion: null,
    createdAt: world.now(),
    updatedAt: world.now(),
    startedAt: world.now(),
    steps: [],
    gates: new Map(),
  }
  repo.workflowRuns.set(run.id, run)
  tell(world, repo, run, 'requested')
  begin(world, repo, run)
  return run
}

/** Each run has a suite of its own; the first takes the one that was asked for at the push. */
function suiteOf(world: World, repo: Repo, { headSha, headBranch }: NewRun): WorkflowRun['suite'] {
  const actions = appNamed(world, 'github-actions')
  const known = suiteFor(world, repo, actions, headSha, headBranch)
  return newestRunOf(repo, known) === null ? known : newSuite(world, repo, actions, headSha, headBranch)
}

function begin(world: World, repo: Repo, run: WorkflowRun): void {
  run.status = 'in_progress'
  run.updatedAt = world.now()
  tell(world, repo, run, 'in_progress')
}

export function finishRun(
  world: World,
  repo: Repo,
  run: WorkflowRun,
  conclusion: Conclusion,
  steps: readonly JobStep[] = [],
): void {
  run.steps = steps
  run.status = 'completed'
  run.conclusion = conclusion
  run.updatedAt = world.now()
  tell(world, repo, run, 'completed')
}

/**
 * Somebody lets a run begin that waited for it. GitHub names them as who triggered it from then on; the attempt stays.
 * https://docs.github.com/en/actions/how-tos/manage-workflow-runs/approve-runs-from-forks
 */
export function approveRun(world: World, repo: Repo, run: WorkflowRun, by: Account): void {
  if (run.conclusion !== 'action_required') throw refused('This run is not from a fork or waits for no approval')
  run.triggeredBy = by
  run.conclusion = null
  begin(world, repo, run)
}

/** The same run again on the same commit, with the next attempt's number: all of its jobs, or those that failed. */
export function rerun(
  world: World,
  repo: Repo,
  run: WorkflowRun,
  { jobs, by }: { readonly jobs: 'all' | 'failed'; readonly by: Account },
): void {
  if (run.status !== 'completed') throw refused('This workflow is already running')
  const kept = jobs === 'failed' ? takenOver(run) : []
  run.attempt += 1
  run.jobs.set(run.attempt, kept)
  run.triggeredBy = by
  run.conclusion = null
  run.status = 'queued'
  run.startedAt = world.now()
  tell(world, repo, run, 'requested')
  begin(world, repo, run)
}

export const runOf = (repo: Repo, id: number): WorkflowRun => found(repo.workflowRuns.get(id))

/** Artifacts never change, and a name is taken once per run. */
export function uploadArtifact(world: World, repo: Repo, run: WorkflowRun, name: string, zip: Buffer): Artifact {
  const taken = [...repo.artifacts.values()].some((one) => one.run === run.id && one.name === name)
  if (taken) throw refused(`An artifact with the name ${name} already exists on the workflow run.`)
  const artifact: Artifact = {
    id: world.nextId(),
    run: run.id,
    name,
    zip,
    digest: createHash('sha256').update(zip).digest('hex'),
    createdAt: world.now(),
    expiresAt: new Date(Date.parse(world.now()) + artifactLifeMs).toISOString(),
  }
  repo.artifacts.set(artifact.id, artifact)
  return artifact
}

/** Any job of the run may do so, and then the name is free again. */
export function deleteArtifact(repo: Repo, run: WorkflowRun, name: string): void {
  const mine = [...repo.artifacts.values()].find((one) => one.run === run.id && one.name === name)
  repo.artifacts.delete(found(mine).id)
}

function tell(world: World, repo: Repo, run: WorkflowRun, action: 'requested' | 'in_progress' | 'completed'): void {
  const workflow = showWorkflow(world, repo, run.workflow, run.path, run.name)
  const payload = { action, workflow_run: showRun(world, repo, run), workflow }
  world.emit('workflow_run', { account: repo.owner, repo, sender: run.triggeredBy }, payload)
}
