// The runs of the Action on a commit, and what they say: that they are under way, why none of them can give results, or
// what they handed over. Which workflows run the Action is read at the tip of the base, where nobody's change is yet, and
// nothing is believed of a run that is not known to be for this pull request.
import { protectedPaths } from '../../../core/contract/scope.ts'
import { commandRules } from '../../../core/decision/results/contents.ts'
import {
  handedOver,
  ofAnotherAttempt,
  refusal,
  runName,
  tier1Missing,
  type ActionRun,
} from '../../../core/decision/results/handed-over.ts'
import type { Input } from '../../../core/decision/rules/inputs.ts'
import type { Attempt, Obstacle } from '../../../core/decision/model.ts'
import type { Access } from '../access.ts'
import { groupFiles } from './group-files.ts'
import { fetchResults, type Fetched } from './results-artifact.ts'
import { fileOf, latestJobs, runsOn, type Job, type Run } from './runs.ts'
import type { Stranger } from './whose-run.ts'
import type { KnownWorkflow, Workflows } from './workflows.ts'

export type WorkflowsOf = (branch: string) => Promise<Workflows>

export async function actionResults(
  access: Access,
  attempt: Attempt,
  workflowsOf: WorkflowsOf,
  stranger: Stranger,
): Promise<readonly Input[]> {
  if (commandRules(attempt).length === 0) return []
  const { known, unclear } = await workflowsOf(attempt.base_ref)
  const trusted = known.filter(({ rests_on }) => rests_on.every((path) => isProtected(attempt, path)))
  if (trusted.length === 0) {
    return [obstructed(attempt, unclear || known.length > 0 ? 'unclear_workflow' : 'missing_workflow')]
  }
  const { ours, refused } = await newestRuns(access, attempt, trusted, stranger)
  if (ours.length === 0) return [await withoutRun(access, attempt), ...refused]
  const said = await Promise.all(ours.map(([run, workflow]) => runSays(access, attempt, run, workflow)))
  const [first] = said.toSorted((one, other) => strictness.indexOf(other.kind) - strictness.indexOf(one.kind))
  return [...(first?.inputs ?? []), ...refused]
}

/** Of several workflows that run the Action the strictest is heard, and one that hands nothing over after those that do. */
const strictness = ['nothing', 'missing', 'passed', 'running', 'failed'] as const
type Said = { readonly kind: (typeof strictness)[number]; readonly inputs: readonly Input[] }

const isProtected = ({ contract }: Attempt, path: string): boolean =>
  protectedPaths([{ path, previous_path: null, status: 'modified' }], contract.policy.protected_paths).length > 0

const obstructed = ({ id: attempt_id }: Attempt, obstacle: Obstacle | null): Input => ({
  type: 'report_obstacle',
  attempt_id,
  obstacle,
})

type Ours = readonly [run: Run, workflow: KnownWorkflow]

/** The newest run of each workflow on this very commit that is for this pull request, and why newer ones are not. */
async function newestRuns(
  access: Access,
  attempt: Attempt,
  trusted: readonly KnownWorkflow[],
  stranger: Stranger,
): Promise<{ readonly ours: readonly Ours[]; readonly refused: readonly Input[] }> {
  const all = await runsOn(access, attempt.head_sha, attempt.group === null ? 'pull_request' : 'merge_group')
  const ours: Ours[] = []
  const refused: Input[] = []
  for (const workflow of trusted.slice(0, WORKFLOWS_MAX)) {
    const [newest, ...older] = thatRan(all.filter((run) => fileOf(run) === workflow.path))
    const why = newest === undefined ? null : await stranger(attempt, newest)
    if (newest !== undefined && why !== null) refused.push(refusal(attempt, actionRun(newest), why))
    const found = why === null ? newest : await firstOf(older, async (run) => (await stranger(attempt, run)) === null)
    if (found !== undefined) ours.push([found, workflow])
  }
  return { ours, refused }
}

const WORKFLOWS_MAX = 10

/** A run whose jobs were all left out, as for an edited title, says nothing where there is another. */
function thatRan(runs: readonly Run[]): readonly Run[] {
  const ran = runs.filter(({ conclusion }) => conclusion !== 'skipped')
  return ran.length > 0 ? ran : runs
}

async function firstOf<T>(list: readonly T[], holds: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of list) if (await holds(one)) return one
  return undefined
}

/** Why there is no run, where GitHub knows why. */
async function withoutRun({ octokit, place }: Access, attempt: Attempt): Promise<Input> {
  if (attempt.group !== null) return obstructed(attempt, null)
  const { data } = await octokit.rest.pulls.get({ ...place, pull_number: attempt.pull })
  return obstructed(attempt, data.mergeable === false ? 'merge_conflict' : null)
}

/** A run that owes results and ends without them has failed the checks. */
async function runSays(access: Access, attempt: Attempt, run: Run, workflow: KnownWorkflow): Promise<Said> {
  const said = (kind: Said['kind'], ...inputs: readonly Input[]): Said => {
    return { kind, inputs: [obstructed(attempt, null), ...inputs] }
  }
  const stopped = obstacleOf(run)
  if (stopped !== null) return { kind: 'nothing', inputs: [obstructed(attempt, stopped)] }
  if (run.status !== 'completed') return said('running', ...started(attempt, run))
  // Which checks are left out cannot be told before it is known what changed; they are asked for again then.
  if (attempt.group === null && attempt.files === null) return { kind: 'nothing', inputs: [] }
  const fetched = await fetchResults(access, run)
  switch (fetched.kind) {
    case 'results': {
      const inputs = await believed(access, attempt, run, workflow, fetched)
      return said(inputs.some(hasFailed) ? 'failed' : inputs.some(isRefused) ? 'nothing' : 'passed', ...inputs)
    }
    case 'refused':
      return said('nothing', refusal(attempt, actionRun(run), fetched.why))
    case 'absent':
      return (await isLost(access, run))
        ? { kind: 'nothing', inputs: [obstructed(attempt, 'run_cancelled')] }
        : said('missing', ...missing(attempt, run))
  }
}

const isRefused = ({ type }: Input): boolean => type === 'refuse_result'
const hasFailed = (input: Input): boolean =>
  (input.type === 'report_check' && input.state !== 'passed' && input.result?.required !== false) ||
  (input.type === 'report_tier1' && !input.passed)

async function believed(
  access: Access,
  attempt: Attempt,
  run: Run,
  workflow: KnownWorkflow,
  { results, created_at }: Extract<Fetched, { kind: 'results' }>,
): Promise<readonly Input[]> {
  const { run: made, left_out } = results
  const stands = await standsStill(access, run, workflow, { attempt: made.attempt, at: created_at })
  if (!stands) return [refusal(attempt, actionRun(run), ofAnotherAttempt)]
  const files = left_out.length === 0 ? null : await groupFiles(access, attempt)
  return handedOver(attempt, actionRun(run, made.attempt), results, files)
}

type Made = { readonly attempt: number; readonly at: string }

/**
 * Whether results of an attempt of a run are of its newest, or still stand. When failed jobs are run again, the others are
 * not, and what they handed over stays: it counts as long as GitHub says that the job of the Action ran last in the
 * attempt that the results name, and that they were there before the newest attempt began. Where it cannot be told which
 * job that is, no job at all may have run since.
 */
async function standsStill(access: Access, run: Run, workflow: KnownWorkflow, made: Made): Promise<boolean> {
  const began = Date.parse(run.run_started_at ?? '')
  const at = Date.parse(made.at)
  if (made.attempt === run.run_attempt) return !(at < began)
  if (made.attempt > run.run_attempt || !(at <= began)) return false
  const jobs = await latestJobs(access, run.id)
  const ofAction = workflow.jobs === null ? jobs : jobs.filter(({ name }) => workflow.jobs?.includes(name))
  return ofAction.length > 0 && ofAction.every((job) => job.run_attempt === made.attempt && isThrough(job))
}

const isThrough = ({ status, conclusion }: Job): boolean =>
  status === 'completed' && (conclusion === 'success' || conclusion === 'failure')

function obstacleOf({ status, conclusion }: Run): Obstacle | null {
  if (status === 'waiting' || conclusion === 'action_required') return 'awaiting_approval'
  if (conclusion === 'cancelled' || conclusion === 'stale') return 'run_cancelled'
  return conclusion === 'startup_failure' || conclusion === 'skipped' ? 'run_never_started' : null
}

const actionRun = (run: Run, attempt = run.run_attempt): ActionRun => ({
  id: run.id,
  attempt,
  workflow: fileOf(run),
  event: run.event,
  head_sha: run.head_sha,
  repository: run.repository.full_name,
  conclusion: run.conclusion,
})

function started(attempt: Attempt, run: Run): Input[] {
  const name = runName(actionRun(run))
  return commandRules(attempt).map((rule) => ({
    type: 'start_check',
    attempt_id: attempt.id,
    run: name,
    name: rule.name,
  }))
}

/** Its run is over and has said nothing. */
function missing(attempt: Attempt, run: Run): Input[] {
  const named = { type: 'report_check', attempt_id: attempt.id, run: runName(actionRun(run)) } as const
  const none = { state: 'missing', result: null, output_ref: null } as const
  const checks = commandRules(attempt).map(({ name }): Input => ({ ...named, name, ...none }))
  return attempt.group === null ? [tier1Missing(attempt.id, actionRun(run)), ...checks] : checks
}

/** A job that failed although none of its steps did lost its machine, which says nothing about the change. */
async function isLost(access: Access, run: Run): Promise<boolean> {
  if (run.conclusion !== 'failure') return false
  const failed = (await latestJobs(access, run.id)).filter(({ conclusion }) => conclusion === 'failure')
  return failed.some(({ steps }) => steps.length > 0 && steps.every(({ conclusion }) => conclusion !== 'failure'))
}
