// The runs of the Action on a commit, and what they say: that they are under way, why none of them can give results, or
// what they handed over. Which workflows run the Action is read at the tip of the base, where nobody's change is yet.
// https://docs.github.com/en/rest/actions/workflow-runs
import { z } from 'zod'
import {
  commandRules,
  handedOver,
  refusal,
  runName,
  tier1Missing,
  type ActionRun,
} from '../../../core/decision/results/handed-over.ts'
import type { Input } from '../../../core/decision/rules/inputs.ts'
import type { Attempt, Obstacle } from '../../../core/decision/model.ts'
import type { Access } from '../access.ts'
import { PER_PAGE } from '../pages.ts'
import { fetchResults } from './results-artifact.ts'

const workflowRuns = z.array(
  z.object({
    id: z.number(),
    run_attempt: z.number().default(1),
    path: z.string(),
    event: z.string(),
    status: z.string().nullable(),
    conclusion: z.string().nullable(),
    head_sha: z.string(),
    repository: z.object({ full_name: z.string() }),
  }),
)
type Run = z.output<typeof workflowRuns>[number]

/** The workflows of a branch that run the Action; none where that cannot be told from their text. */
export type Workflows = (branch: string) => Promise<readonly string[]>

export async function actionResults(access: Access, attempt: Attempt, workflows: Workflows): Promise<readonly Input[]> {
  if (commandRules(attempt).length === 0) return []
  const known = await workflows(attempt.base_ref)
  const runs = await newestRuns(access, attempt, known)
  if (runs.length === 0) return [await withoutRun(access, attempt, known)]
  const said = await Promise.all(runs.map((run) => runSays(access, attempt, run, known.includes(fileOf(run)))))
  // Of several workflows that run the Action, whoever gave results goes before whoever gave none.
  return said.toSorted((one, other) => weight(other) - weight(one))[0] ?? []
}

const weight = (inputs: readonly Input[]): number =>
  inputs.some(({ type }) => type === 'report_check' || type === 'report_tier1') ? 1 : 0

/** The newest run of each workflow on this very commit, for the event that the attempt is about. */
async function newestRuns(
  { octokit, place }: Access,
  { head_sha, group }: Attempt,
  known: readonly string[],
): Promise<Run[]> {
  const event = group === null ? 'pull_request' : 'merge_group'
  const { data } = await octokit.rest.actions.listWorkflowRunsForRepo({ ...place, head_sha, event, per_page: PER_PAGE })
  const newest = new Map<string, Run>()
  for (const run of workflowRuns.parse(data.workflow_runs).toSorted((one, other) => one.id - other.id)) {
    if (run.event === event && run.head_sha === head_sha) newest.set(fileOf(run), run)
  }
  const ours = [...newest.values()].filter((run) => known.length === 0 || known.includes(fileOf(run)))
  return ours.slice(-WORKFLOWS_MAX)
}

const WORKFLOWS_MAX = 10

const fileOf = ({ path }: Pick<Run, 'path'>): string => path.split('@')[0] ?? ''

/** Why there is no run, where GitHub knows why. */
async function withoutRun(
  { octokit, place }: Access,
  { id: attempt_id, pull, group }: Attempt,
  known: readonly string[],
): Promise<Input> {
  const obstacle = (value: Obstacle | null): Input => ({ type: 'report_obstacle', attempt_id, obstacle: value })
  if (known.length === 0) return obstacle('missing_workflow')
  if (group !== null) return obstacle(null)
  const { data } = await octokit.rest.pulls.get({ ...place, pull_number: pull })
  return obstacle(data.mergeable === false ? 'merge_conflict' : null)
}

/** A run that owes results and ends without them has failed the checks; of any other nothing is expected. */
async function runSays(access: Access, attempt: Attempt, run: Run, owes: boolean): Promise<readonly Input[]> {
  const stopped = obstacleOf(run)
  if (stopped !== null) return [{ type: 'report_obstacle', attempt_id: attempt.id, obstacle: stopped }]
  if (run.status !== 'completed') return [free(attempt), ...started(attempt, run)]
  const action = actionRun(run)
  const fetched = await fetchResults(access, run.id)
  switch (fetched.kind) {
    case 'results':
      return [free(attempt), ...handedOver(attempt, action, fetched.results)]
    case 'refused':
      return [free(attempt), refusal(attempt, action, fetched.why)]
    case 'absent':
      if (!owes) return []
      return (await isLost(access, run))
        ? [{ type: 'report_obstacle', attempt_id: attempt.id, obstacle: 'run_cancelled' }]
        : [free(attempt), ...missing(attempt, run)]
  }
}

const free = ({ id }: Attempt): Input => ({ type: 'report_obstacle', attempt_id: id, obstacle: null })

function obstacleOf({ status, conclusion }: Run): Obstacle | null {
  if (status === 'waiting' || conclusion === 'action_required') return 'awaiting_approval'
  if (conclusion === 'cancelled' || conclusion === 'stale') return 'run_cancelled'
  return conclusion === 'startup_failure' || conclusion === 'skipped' ? 'run_never_started' : null
}

const actionRun = (run: Run): ActionRun => ({
  id: run.id,
  attempt: run.run_attempt,
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

const jobs = z.array(
  z.object({
    conclusion: z.string().nullable(),
    steps: z.array(z.object({ conclusion: z.string().nullable() })).default([]),
  }),
)

/** A job that failed although none of its steps did lost its machine, which says nothing about the change. */
async function isLost({ octokit, place }: Access, run: Run): Promise<boolean> {
  if (run.conclusion !== 'failure') return false
  const { data } = await octokit.rest.actions.listJobsForWorkflowRun({ ...place, run_id: run.id, per_page: PER_PAGE })
  const failed = jobs.parse(data.jobs).filter(({ conclusion }) => conclusion === 'failure')
  return failed.some(({ steps }) => steps.length > 0 && steps.every(({ conclusion }) => conclusion !== 'failure'))
}
