// The runs of the Action on a commit, and what they say: that they are under way, why none of them can give results, or
// what they handed over. Which workflows run the Action is read at the tip of the base, where nobody's change is yet, and
// nothing is believed of a run that is not known to be for this pull request.
import { protectedPaths } from '../../../core/contract/scope.ts'
import { isAcknowledged, isProposal } from '../../../core/decision/gate/proposal.ts'
import { commandRules, wantsScreenshots } from '../../../core/decision/results/wanted.ts'
import { allEnded } from '../../../core/decision/results/ended-at.ts'
import { handedOver, ofAnotherAttempt, refusal } from '../../../core/decision/results/handed-over.ts'
import type { Input } from '../../../core/decision/rules/inputs.ts'
import type { Attempt, Obstacle } from '../../../core/decision/model.ts'
import type { ToldResult } from '../../../core/news.ts'
import type { Access } from '../access.ts'
import { groupFiles } from './group-files.ts'
import { fetchResults, type Fetched } from './results-artifact.ts'
import { jobsSay } from './jobs-say.ts'
import { attemptPlace, fileOf, latestJobs, runsOn, type Job, type Run } from './runs.ts'
import {
  actionRun,
  isLost,
  kindOf,
  missing,
  obstructed,
  said,
  started,
  stoppedBy,
  strictness,
  type Said,
  unusable,
} from './said.ts'
import { expectTold } from './told.ts'
import type { Stranger } from './whose-run.ts'
import type { KnownWorkflow, Workflows } from './workflows.ts'

export type WorkflowsOf = (branch: string) => Promise<Workflows>

export async function actionResults(
  access: Access,
  attempt: Attempt,
  workflowsOf: WorkflowsOf,
  stranger: Stranger,
  told: readonly ToldResult[],
): Promise<readonly Input[]> {
  if (commandRules(attempt).length === 0 && !wantsScreenshots(attempt)) return []
  const { trusted, lacking } = await workflowsFor(attempt, workflowsOf)
  if (trusted.length === 0) return [obstructed(attempt, lacking)]
  const { ours, refused } = await newestRuns(access, attempt, trusted, { stranger, told })
  if (ours.length === 0) return [await withoutRun(access, attempt), ...refused]
  const said = await Promise.all(ours.map(([run, workflow]) => runSays(access, attempt, run, workflow)))
  const [first] = said.toSorted((one, other) => strictness.indexOf(other.kind) - strictness.indexOf(one.kind))
  return [...(first?.inputs ?? []), ...refused]
}

type Trusted = { readonly trusted: readonly KnownWorkflow[]; readonly lacking: Obstacle }

/** A first policy brings the workflow along that it needs, and whoever acknowledged the one has seen the other. */
async function workflowsFor(attempt: Attempt, workflowsOf: WorkflowsOf): Promise<Trusted> {
  const ofBase = trustedOf(attempt, await workflowsOf(attempt.base_ref))
  const isOwn = ofBase.trusted.length === 0 && isProposal(attempt) && isAcknowledged(attempt)
  return isOwn ? trustedOf(attempt, await workflowsOf(attempt.head_sha)) : ofBase
}

function trustedOf(attempt: Attempt, { known, unclear }: Workflows): Trusted {
  const trusted = known.filter(({ rests_on }) => rests_on.every((path) => isProtected(attempt, path)))
  return { trusted, lacking: unclear || known.length > 0 ? 'unclear_workflow' : 'missing_workflow' }
}

const isProtected = ({ contract }: Attempt, path: string): boolean =>
  protectedPaths([{ path, previous_path: null, status: 'modified' }], contract.policy.protected_paths).length > 0

type Ours = readonly [run: Run, workflow: KnownWorkflow]

/** The newest run of each workflow on this very commit that is for this pull request, and why newer ones are not. */
async function newestRuns(
  access: Access,
  attempt: Attempt,
  trusted: readonly KnownWorkflow[],
  { stranger, told }: { readonly stranger: Stranger; readonly told: readonly ToldResult[] },
): Promise<{ readonly ours: readonly Ours[]; readonly refused: readonly Input[] }> {
  const event = attempt.group === null ? 'pull_request' : 'merge_group'
  const all = await runsOn(access, attempt.head_sha, event)
  const files = new Set(trusted.map(({ path }) => path))
  const isListed = (one: ToldResult): boolean =>
    one.kind === 'workflow_run' && one.event === event && files.has(one.name)
  expectTold(told, isListed, all.map(asTold))
  const ours: Ours[] = []
  const refused: Input[] = []
  // No more than are read of the base.
  for (const workflow of trusted) {
    const [newest, ...older] = thatRan(all.filter((run) => fileOf(run) === workflow.path))
    const why = newest === undefined ? null : await stranger(attempt, newest)
    if (newest !== undefined && why !== null) refused.push(refusal(attempt, actionRun(newest), why))
    const found = why === null ? newest : await firstOf(older, async (run) => (await stranger(attempt, run)) === null)
    if (found !== undefined) ours.push([found, workflow])
  }
  return { ours, refused }
}

const asTold = ({ id, path, status, conclusion, run_attempt }: Run): ToldResult => ({
  kind: 'workflow_run',
  id,
  name: fileOf({ path }),
  conclusion: status === 'completed' ? conclusion : null,
  at: attemptPlace(run_attempt),
})

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
  const stopped = obstacleOf(run)
  if (stopped !== null) return stoppedBy(attempt, run, stopped)
  const isByJob = attempt.contract.policy.verification.execution.isolation === 'job'
  if (run.status !== 'completed' && !isByJob) return said(attempt, 'running', started(attempt, run))
  // Which checks are left out cannot be told before it is known what changed; they are asked for again then.
  if (attempt.group === null && attempt.files === null) return { kind: 'nothing', inputs: [] }
  if (isByJob) return jobsSay(access, attempt, run, workflow)
  const fetched = await fetchResults(access, run)
  switch (fetched.kind) {
    case 'results': {
      const inputs = await believed(access, attempt, run, workflow, fetched)
      const kind = kindOf(inputs)
      return kind === 'nothing' ? unusable(attempt, run, inputs) : said(attempt, kind, inputs)
    }
    case 'refused':
      return unusable(attempt, run, [refusal(attempt, actionRun(run), fetched.why)])
    case 'absent':
      return (await someLost(access, run))
        ? stoppedBy(attempt, run, 'run_cancelled')
        : said(attempt, 'missing', missing(attempt, run))
  }
}

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
  return allEnded(handedOver(attempt, actionRun(run, made.attempt), results, files), created_at)
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

async function someLost(access: Access, run: Run): Promise<boolean> {
  return run.conclusion === 'failure' && (await latestJobs(access, run.id)).some(isLost)
}
