// Check runs, check suites and commit statuses. Only Apps write check runs, and each only its own.
import {
  checkRunOf,
  createCheckRun,
  rerequestRun,
  rerequestSuite,
  updateCheckRun,
  type CheckFields,
  type CheckOutput,
} from '../acts/checks.ts'
import { suiteFor, tellSuite } from '../acts/check-suites.ts'
import { addStatus } from '../acts/statuses.ts'
import { neededNumber, neededText, number, oneOf, record, records, text, type Fields } from '../fields.ts'
import type { Annotation, CheckRun, CheckSuite } from '../checks-model.ts'
import type { App, Repo } from '../model.ts'
import { missing, Problem } from '../problem.ts'
import { annotation, checkRun, checkSuite, combinedStatus, status as showStatus } from '../shapes/check.ts'
import { commitSha, found } from '../world.ts'
import {
  actingApp,
  actor,
  created,
  numberParam,
  ok,
  paged,
  pagedUnder,
  param,
  type Answer,
  type Call,
  type RepoCall,
} from '../wire/call.ts'
import { reads, repoRoute, writes, type Route } from '../wire/router.ts'

const statuses = ['queued', 'in_progress', 'completed', 'waiting', 'requested', 'pending'] as const
const conclusions = [
  'success',
  'failure',
  'neutral',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
  'stale',
] as const
const levels = ['notice', 'warning', 'failure'] as const
const states = ['error', 'failure', 'pending', 'success'] as const

export function appCalling(call: Call): App {
  const app = actingApp(call)
  if (app === null) throw new Problem(403, 'You must authenticate via a GitHub App.')
  return app
}

export function checkFields(body: Fields): CheckFields {
  const output = record(body, 'output')
  return {
    name: text(body, 'name'),
    status: oneOf(body, 'status', statuses),
    conclusion: oneOf(body, 'conclusion', conclusions),
    externalId: text(body, 'external_id'),
    detailsUrl: text(body, 'details_url'),
    startedAt: text(body, 'started_at'),
    completedAt: text(body, 'completed_at'),
    output: output === null ? null : outputOf(output),
    actions:
      records(body, 'actions')?.map((one) => ({
        label: neededText(one, 'label'),
        description: neededText(one, 'description'),
        identifier: neededText(one, 'identifier'),
      })) ?? null,
  }
}

const outputOf = (output: Fields): CheckOutput => ({
  title: text(output, 'title'),
  summary: text(output, 'summary'),
  text: text(output, 'text'),
  annotations: (records(output, 'annotations') ?? []).map(annotationOf),
})

function annotationOf(one: Fields): Annotation {
  const level = oneOf(one, 'annotation_level', levels)
  if (level === null) throw missing('annotation_level')
  return {
    path: neededText(one, 'path'),
    start_line: neededNumber(one, 'start_line'),
    end_line: neededNumber(one, 'end_line'),
    start_column: number(one, 'start_column'),
    end_column: number(one, 'end_column'),
    annotation_level: level,
    title: text(one, 'title'),
    message: neededText(one, 'message'),
    raw_details: text(one, 'raw_details'),
  }
}

function create(call: RepoCall): Answer {
  const app = appCalling(call)
  const run = createCheckRun(call.world, call.repo, app, neededText(call.body, 'head_sha'), checkFields(call.body))
  return created(checkRun(call.world, call.repo, run))
}

export function ownRun(call: Call, repo: Repo, id: number): CheckRun {
  const app = appCalling(call)
  const run = checkRunOf(repo, id)
  if (run.suite.app !== app) {
    const rule = 'check run can only be modified by the GitHub App that created it.'
    throw new Problem(403, `Invalid app_id \`${app.id}\` - ${rule}`)
  }
  return run
}

function update(call: RepoCall): Answer {
  const run = ownRun(call, call.repo, numberParam(call, 'id'))
  updateCheckRun(call.world, call.repo, run, checkFields(call.body))
  return ok(checkRun(call.world, call.repo, run))
}

/** Newest first; without `filter=all` only the newest of each name and suite. */
function runsFor(call: RepoCall, runs: readonly CheckRun[]): Answer {
  const { query } = call
  const [name, app, status] = [query.get('check_name'), query.get('app_id'), query.get('status')]
  const latest = [...new Map(runs.map((run) => [`${run.suite.id} ${run.name}`, run])).values()]
  const listed = (query.get('filter') === 'all' ? runs : latest).filter(
    (run) =>
      (name === null || run.name === name) &&
      (app === null || `${run.suite.app.id}` === app) &&
      (status === null || run.status === status),
  )
  const newest = [...listed].sort((a, b) => b.id - a.id)
  return pagedUnder(call, 'check_runs', newest, (run) => checkRun(call.world, call.repo, run))
}

const runsAt = (call: RepoCall): readonly CheckRun[] =>
  call.repo.checksBySha.get(commitSha(call.repo, param(call, 'ref'))) ?? []

const suiteUnder = (call: RepoCall): CheckSuite => found(call.repo.suites.get(numberParam(call, 'id')))

function suitesFor(call: RepoCall): Answer {
  const sha = commitSha(call.repo, param(call, 'ref'))
  const app = call.query.get('app_id')
  const suites = [...call.repo.suites.values()].filter(
    (one) => one.headSha === sha && (app === null || `${one.app.id}` === app),
  )
  return pagedUnder(call, 'check_suites', suites, (one) => checkSuite(call.world, call.repo, one))
}

function createStatus(call: RepoCall): Answer {
  const { body } = call
  const state = oneOf(body, 'state', states)
  if (state === null) throw missing('state')
  const status = addStatus(call.world, call.repo, param(call, 'sha'), {
    state,
    context: text(body, 'context') ?? 'default',
    description: text(body, 'description'),
    targetUrl: text(body, 'target_url'),
    creator: actor(call),
    app: actingApp(call),
  })
  return created(showStatus(call.world, call.repo, status))
}

export const checkRoutes: readonly Route[] = [
  repoRoute('POST', '/check-runs', writes('checks'), create),
  repoRoute('GET', '/check-runs/{id}', reads('checks'), (call) =>
    ok(checkRun(call.world, call.repo, checkRunOf(call.repo, numberParam(call, 'id')))),
  ),
  repoRoute('PATCH', '/check-runs/{id}', writes('checks'), update),
  repoRoute('GET', '/check-runs/{id}/annotations', reads('checks'), (call) => {
    const run = checkRunOf(call.repo, numberParam(call, 'id'))
    return paged(call, run.annotations, (one) => annotation(call.world, call.repo, run, one))
  }),
  repoRoute('POST', '/check-runs/{id}/rerequest', writes('checks'), (call) => {
    rerequestRun(call.world, call.repo, checkRunOf(call.repo, numberParam(call, 'id')), actor(call))
    return created({})
  }),
  repoRoute('GET', '/commits/{ref+}/check-runs', reads('checks'), (call) => runsFor(call, runsAt(call))),
  repoRoute('GET', '/commits/{ref+}/check-suites', reads('checks'), suitesFor),
  repoRoute('POST', '/check-suites', writes('checks'), (call) => {
    const suite = suiteFor(call.world, call.repo, appCalling(call), neededText(call.body, 'head_sha'))
    tellSuite(call.world, call.repo, suite, 'requested', actor(call))
    return created(checkSuite(call.world, call.repo, suite))
  }),
  repoRoute('GET', '/check-suites/{id}', reads('checks'), (call) =>
    ok(checkSuite(call.world, call.repo, suiteUnder(call))),
  ),
  repoRoute('GET', '/check-suites/{id}/check-runs', reads('checks'), (call) => {
    const suite = suiteUnder(call)
    return runsFor(
      call,
      (call.repo.checksBySha.get(suite.headSha) ?? []).filter((run) => run.suite === suite),
    )
  }),
  repoRoute('POST', '/check-suites/{id}/rerequest', writes('checks'), (call) => {
    rerequestSuite(call.world, call.repo, suiteUnder(call), actor(call))
    return created({})
  }),
  repoRoute('POST', '/statuses/{sha}', writes('statuses'), createStatus),
  repoRoute('GET', '/commits/{ref+}/status', reads('statuses'), (call) =>
    ok(combinedStatus(call.world, call.repo, commitSha(call.repo, param(call, 'ref')))),
  ),
  repoRoute('GET', '/commits/{ref+}/statuses', reads('statuses'), (call) => {
    const all = call.repo.statuses.get(commitSha(call.repo, param(call, 'ref'))) ?? []
    return paged(call, all.toReversed(), (one) => showStatus(call.world, call.repo, one))
  }),
]
