// Check runs are created, updated and asked for again. The limits are GitHub's; a run that was completed stays so.
// https://docs.github.com/en/rest/checks/runs
import type { Annotation, CheckAction, CheckRun, CheckStatus, Conclusion, WorkflowRun } from '../checks-model.ts'
import type { Account, App, Repo } from '../model.ts'
import { annotationProblem, outputProblem } from '../lengths.ts'
import { invalid, missing, Problem, refused } from '../problem.ts'
import { checkRunInEvent } from '../shapes/check.ts'
import { found, type World } from '../world.ts'
import { settleSuite, suiteFor, tellSuite } from './check-suites.ts'
import { addJob, newestRunOf } from './jobs.ts'

const annotationsMax = 50
const actionsMax = 3
/** Of one name in one suite; older ones are deleted. */
const runsOfNameMax = 1_000

export type CheckOutput = {
  readonly title: string | null
  readonly summary: string | null
  readonly text: string | null
  readonly annotations: readonly Annotation[]
}
export type CheckFields = {
  readonly name: string | null
  readonly status: CheckStatus | null
  readonly conclusion: Conclusion | null
  readonly externalId: string | null
  readonly detailsUrl: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly output: CheckOutput | null
  readonly actions: readonly CheckAction[] | null
}

export const noFields: CheckFields = {
  name: null,
  status: null,
  conclusion: null,
  externalId: null,
  detailsUrl: null,
  startedAt: null,
  completedAt: null,
  output: null,
  actions: null,
}

export function createCheckRun(
  world: World,
  repo: Repo,
  app: App,
  sha: string,
  fields: CheckFields,
  of: WorkflowRun | null = null,
): CheckRun {
  if (!repo.objects.commits.has(sha)) throw refused(`No commit found for SHA: ${sha}`)
  if (fields.name === null) throw missing('name')
  if (fields.output !== null && fields.output.title === null) throw missing('title')
  check(fields)
  const suite = of?.suite ?? suiteFor(world, repo, app, sha)
  const workflowRun = of ?? newestRunOf(repo, suite)
  const run: CheckRun = {
    id: world.nextId(),
    suite,
    job: workflowRun === null ? null : { run: workflowRun, attempt: workflowRun.attempt },
    headSha: sha,
    name: fields.name,
    externalId: '',
    detailsUrl: null,
    status: 'queued',
    conclusion: null,
    startedAt: world.now(),
    completedAt: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
    actions: [],
  }
  apply(world, run, fields)
  keep(repo, run)
  addJob(run)
  tellRun(world, repo, run, 'created', app.bot)
  if (run.status === 'completed') complete(world, repo, run)
  else settleSuite(world, repo, run.suite, app.bot)
  return run
}

function keep(repo: Repo, run: CheckRun): void {
  const all = [...(repo.checksBySha.get(run.headSha) ?? []), run]
  const twins = all.filter(({ suite, name }) => suite === run.suite && name === run.name)
  const dropped = twins.slice(0, Math.max(twins.length - runsOfNameMax, 0))
  for (const { id } of dropped) repo.checkRuns.delete(id)
  repo.checkRuns.set(run.id, run)
  repo.checksBySha.set(
    run.headSha,
    all.filter((one) => !dropped.includes(one)),
  )
}

export function updateCheckRun(world: World, repo: Repo, run: CheckRun, fields: CheckFields): void {
  check(fields)
  const before = run.conclusion
  apply(world, run, fields)
  if (run.status === 'completed' && run.conclusion !== before) complete(world, repo, run)
  else settleUnlessDone(world, repo, run)
}

function settleUnlessDone(world: World, repo: Repo, run: CheckRun): void {
  if (run.status !== 'completed') settleSuite(world, repo, run.suite, run.suite.app.bot)
}

function complete(world: World, repo: Repo, run: CheckRun): void {
  tellRun(world, repo, run, 'completed', run.suite.app.bot)
  settleSuite(world, repo, run.suite, run.suite.app.bot)
}

function apply(world: World, run: CheckRun, fields: CheckFields): void {
  const wanted = fields.conclusion === null ? fields.status : 'completed'
  const done = run.status === 'completed'
  if (!done) run.status = wanted ?? run.status
  // An update that only sets the status back is accepted, and changes nothing about a completed run.
  if (fields.conclusion !== null) run.conclusion = fields.conclusion
  if (run.status === 'completed' && (!done || fields.conclusion !== null)) {
    run.completedAt = fields.completedAt ?? world.now()
  }
  run.name = fields.name ?? run.name
  run.externalId = fields.externalId ?? run.externalId
  run.detailsUrl = fields.detailsUrl ?? run.detailsUrl
  run.startedAt = fields.startedAt ?? run.startedAt
  run.actions = fields.actions ?? run.actions
  if (fields.output === null) return
  run.title = fields.output.title ?? run.title
  run.summary = fields.output.summary
  run.text = fields.output.text
  run.annotations.push(...fields.output.annotations)
}

function check({ status, conclusion, output, actions }: CheckFields): void {
  if (status === 'completed' && conclusion === null) throw missing('conclusion')
  // Only GitHub itself lets a run go stale.
  if (conclusion === 'stale') throw invalid('CheckRun', 'conclusion')
  if ((actions?.length ?? 0) > actionsMax) throw tooMany(actions?.length ?? 0, actionsMax)
  for (const { label, description, identifier } of actions ?? []) {
    const tooLong = label.length > 20 || description.length > 40 || identifier.length > 20
    if (tooLong) throw invalid('CheckRun', 'actions')
  }
  if (output === null) return
  if (output.summary === null) throw missing('summary')
  if (output.annotations.length > annotationsMax) throw tooMany(output.annotations.length, annotationsMax)
  const problem =
    outputProblem('summary', output.summary) ??
    outputProblem('text', output.text) ??
    output.annotations.map(annotationProblem).find((one) => one !== null)
  if (problem) throw problem
}

const tooMany = (given: number, max: number): Problem =>
  new Problem(422, `Invalid request.\n\nNo more than ${max} items are allowed; ${given} were supplied.`)

export const checkRunOf = (repo: Repo, id: number): CheckRun => found(repo.checkRuns.get(id))

/** The run itself stays as it is: its App is asked to make a new one, and the suite waits for it. */
export function rerequestRun(world: World, repo: Repo, run: CheckRun, sender: Account): void {
  run.suite.status = 'queued'
  run.suite.conclusion = null
  tellRun(world, repo, run, 'rerequested', sender)
}

export function rerequestSuite(world: World, repo: Repo, run: CheckRun['suite'], sender: Account): void {
  run.status = 'queued'
  run.conclusion = null
  tellSuite(world, repo, run, 'rerequested', sender)
}

/** A person presses one of the buttons that the run offers. */
export function requestAction(world: World, repo: Repo, run: CheckRun, identifier: string, sender: Account): void {
  if (!run.actions.some((action) => action.identifier === identifier)) throw invalid('CheckRun', 'identifier')
  tellRun(world, repo, run, 'requested_action', sender, { requested_action: { identifier } })
}

type RunAction = 'created' | 'completed' | 'rerequested' | 'requested_action'

function tellRun(world: World, repo: Repo, run: CheckRun, action: RunAction, sender: Account, more: object = {}): void {
  const forOwner = action === 'rerequested' || action === 'requested_action'
  const about = { account: repo.owner, repo, sender, ...(forOwner ? { only: run.suite.app } : {}) }
  world.emit('check_run', about, { action, check_run: checkRunInEvent(world, repo, run), ...more })
}
