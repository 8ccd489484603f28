// Workflow runs and their artifacts. An artifact is downloaded through a link that lasts one minute.
import { randomUUID } from 'node:crypto'
import { answerGate } from '../acts/deployments.ts'
import { everyJob, jobsIn } from '../acts/jobs.ts'
import { rerun, runOf } from '../acts/runs.ts'
import type { Artifact, CheckRun, WorkflowRun } from '../checks-model.ts'
import { neededText, oneOf, text } from '../fields.ts'
import { Problem } from '../problem.ts'
import { artifact as showArtifact, workflow, workflowJob, workflowRun } from '../shapes/run.ts'
import { found } from '../world.ts'
import {
  actingApp,
  actor,
  created,
  noContent,
  numberParam,
  ok,
  pagedUnder,
  param,
  raw,
  redirect,
  type Answer,
  type RepoCall,
} from '../wire/call.ts'
import { reads, repoRoute, route, writes, type Route } from '../wire/router.ts'

const linkLifeMs = 60_000
const gateStates = ['approved', 'rejected'] as const

function runs(call: RepoCall, workflowId: number | null): Answer {
  const { query, repo, world } = call
  const wanted = (name: string) => query.get(name)
  const [event, branch, sha, status, who] = ['event', 'branch', 'head_sha', 'status', 'actor'].map(wanted)
  const matching = [...repo.workflowRuns.values()].filter(
    (run) =>
      (workflowId === null || run.workflow === workflowId) &&
      (event === null || run.event === event) &&
      (branch === null || run.headBranch === branch) &&
      (sha === null || run.headSha === sha) &&
      (status === null || run.status === status || run.conclusion === status) &&
      (who === null || run.actor.login === who),
  )
  return pagedUnder(call, 'workflow_runs', matching.toReversed(), (run) => workflowRun(world, repo, run))
}

/** A workflow by its id or by the name of its file. */
function workflowUnder(call: RepoCall) {
  const wanted = param(call, 'id')
  const entry = [...call.repo.workflows].find(([path, id]) => `${id}` === wanted || path.endsWith(`/${wanted}`))
  const [path, id] = found(entry)
  const name = [...call.repo.workflowRuns.values()].find((run) => run.workflow === id)?.name ?? path
  return { path, id, name }
}

function attemptUnder(call: RepoCall): { readonly run: WorkflowRun; readonly attempt: number } {
  const run = runOf(call.repo, numberParam(call, 'id'))
  const attempt = numberParam(call, 'attempt')
  found(run.jobs.get(attempt))
  return { run, attempt }
}

const jobs = (call: RepoCall, run: WorkflowRun, wanted: readonly CheckRun[]): Answer =>
  pagedUnder(call, 'jobs', wanted, (job) => workflowJob(call.world, call.repo, run, job))

const again =
  (wanted: 'all' | 'failed') =>
  (call: RepoCall): Answer => {
    rerun(call.world, call.repo, runOf(call.repo, numberParam(call, 'id')), { jobs: wanted, by: actor(call) })
    return created({})
  }

const artifactUnder = (call: RepoCall): Artifact => found(call.repo.artifacts.get(numberParam(call, 'id')))

export function actionRoutes(): readonly Route[] {
  const links = new Map<string, { readonly zip: Buffer; readonly until: number }>()
  const shown = (call: RepoCall) => (one: Artifact) => showArtifact(call.world, call.repo, one)

  function download(call: RepoCall): Answer {
    const one = artifactUnder(call)
    if (call.world.now() >= one.expiresAt) throw new Problem(410, 'Artifact has expired')
    const key = randomUUID()
    links.set(key, { zip: one.zip, until: Date.parse(call.world.now()) + linkLifeMs })
    return redirect(`${call.world.url}/_artifacts/${key}`)
  }

  return [
    route('GET', '/_artifacts/{key}', (call) => {
      const link = links.get(param(call, 'key'))
      if (link === undefined || Date.parse(call.world.now()) > link.until) {
        throw new Problem(403, 'The link to this artifact has expired.')
      }
      return raw(link.zip, 'application/zip')
    }),
    repoRoute('GET', '/actions/workflows', reads('actions'), (call) => {
      const names = [...call.repo.workflows]
      return pagedUnder(call, 'workflows', names, ([path, id]) => workflow(call.world, call.repo, id, path, path))
    }),
    repoRoute('GET', '/actions/workflows/{id}', reads('actions'), (call) => {
      const { path, id, name } = workflowUnder(call)
      return ok(workflow(call.world, call.repo, id, path, name))
    }),
    repoRoute('GET', '/actions/workflows/{id}/runs', reads('actions'), (call) => runs(call, workflowUnder(call).id)),
    repoRoute('GET', '/actions/runs', reads('actions'), (call) => runs(call, null)),
    repoRoute('GET', '/actions/runs/{id}', reads('actions'), (call) =>
      ok(workflowRun(call.world, call.repo, runOf(call.repo, numberParam(call, 'id')))),
    ),
    repoRoute('GET', '/actions/runs/{id}/attempts/{attempt}', reads('actions'), (call) => {
      const { run, attempt } = attemptUnder(call)
      return ok(workflowRun(call.world, call.repo, { ...run, attempt }))
    }),
    repoRoute('POST', '/actions/runs/{id}/deployment_protection_rule', writes('deployments'), (call) => {
      const run = runOf(call.repo, numberParam(call, 'id'))
      const environment = neededText(call.body, 'environment_name')
      const state = oneOf(call.body, 'state', gateStates)
      answerGate(run, actingApp(call), { environment, state, comment: text(call.body, 'comment') ?? '' })
      return noContent()
    }),
    repoRoute('POST', '/actions/runs/{id}/rerun', writes('actions'), again('all')),
    repoRoute('POST', '/actions/runs/{id}/rerun-failed-jobs', writes('actions'), again('failed')),
    repoRoute('GET', '/actions/runs/{id}/jobs', reads('actions'), (call) => {
      const run = runOf(call.repo, numberParam(call, 'id'))
      const wanted = call.query.get('filter') === 'all' ? everyJob(run) : jobsIn(run, run.attempt)
      return jobs(call, run, wanted)
    }),
    repoRoute('GET', '/actions/runs/{id}/attempts/{attempt}/jobs', reads('actions'), (call) => {
      const { run, attempt } = attemptUnder(call)
      return jobs(call, run, jobsIn(run, attempt))
    }),
    repoRoute('GET', '/actions/jobs/{id}', reads('actions'), (call) => {
      const job = found(call.repo.checkRuns.get(numberParam(call, 'id')))
      return ok(workflowJob(call.world, call.repo, found(job.job).run, job))
    }),
    repoRoute('GET', '/actions/runs/{id}/artifacts', reads('actions'), (call) => {
      const run = runOf(call.repo, numberParam(call, 'id'))
      const name = call.query.get('name')
      const mine = [...call.repo.artifacts.values()].filter(
        (one) => one.run === run.id && (name === null || one.name === name),
      )
      return pagedUnder(call, 'artifacts', mine, shown(call))
    }),
    repoRoute('GET', '/actions/artifacts', reads('actions'), (call) => {
      const name = call.query.get('name')
      const all = [...call.repo.artifacts.values()].filter((one) => name === null || one.name === name)
      return pagedUnder(call, 'artifacts', all, shown(call))
    }),
    repoRoute('GET', '/actions/artifacts/{id}', reads('actions'), (call) => ok(shown(call)(artifactUnder(call)))),
    repoRoute('GET', '/actions/artifacts/{id}/{format}', reads('actions'), download),
  ]
}
