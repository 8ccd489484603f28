// Workflow runs and their jobs, as GitHub itself tells of them. What a run or a job is does not change once it exists, so
// that much is asked for once.
// https://docs.github.com/en/rest/actions/workflow-runs
import { z } from 'zod'
import type { Attempt } from '../../../core/decision/model.ts'
import type { Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { rememberedBy } from '../remembered.ts'
import { orMissing } from '../status.ts'

/** GitHub lists a thousand runs at most, the newest first. */
const PAGES_MAX = 10
const REMEMBERED_MS = 60 * 60_000

export const workflowRun = z.object({
  id: z.number(),
  check_suite_id: z.number().optional(),
  run_attempt: z.number().default(1),
  path: z.string(),
  event: z.string(),
  status: z.string().nullable(),
  conclusion: z.string().nullable(),
  head_sha: z.string(),
  head_branch: z.string().nullable(),
  /** Of its first attempt, which is when what began it was said. */
  created_at: z.string(),
  /** Of its newest attempt. */
  run_started_at: z.string().nullish(),
  repository: z.object({ full_name: z.string() }),
  head_repository: z.object({ id: z.number(), owner: z.object({ login: z.string() }) }).nullish(),
})
export type Run = z.output<typeof workflowRun>

/** The file that it runs. */
export const fileOf = ({ path }: Pick<Run, 'path'>): string => path.split('@')[0] ?? ''

/** In the order of the attempts of a run. */
export const attemptPlace = (run_attempt: number): string => String(run_attempt).padStart(6, '0')

/** Those on a commit, or of them those that answer an event, the newest first. */
export async function runsOn({ octokit, place }: Access, head_sha: string, event?: string): Promise<readonly Run[]> {
  const answering = event === undefined ? {} : { event }
  const all = await allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, head_sha, ...answering, per_page: PER_PAGE, page }
    return z.array(workflowRun).parse((await octokit.rest.actions.listWorkflowRunsForRepo(asked)).data.workflow_runs)
  })
  return all
    .filter((run) => (event === undefined || run.event === event) && run.head_sha === head_sha)
    .toSorted((one, other) => other.id - one.id)
}

const job = z.object({
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  /** The attempt in which it ran last. */
  run_attempt: z.number().default(1),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  steps: z.array(z.object({ conclusion: z.string().nullable() })).default([]),
})
export type Job = z.output<typeof job>

/** Each job as it ran last, which for those that were not repeated was in an earlier attempt. */
export const latestJobs = (access: Access, run_id: number): Promise<readonly Job[]> => jobsOf(access, run_id, 'latest')

/** Each job as often as it ran. */
export const everyJob = (access: Access, run_id: number): Promise<readonly Job[]> => jobsOf(access, run_id, 'all')

const jobsOf = ({ octokit, place }: Access, run_id: number, filter: 'latest' | 'all'): Promise<readonly Job[]> =>
  allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, run_id, filter, per_page: PER_PAGE, page }
    return z.array(job).parse((await octokit.rest.actions.listJobsForWorkflowRun(asked)).data.jobs)
  })

/** The run whose job a check run is, by its id; null for one that no job made. */
export type RunOfJob = (check: number) => Promise<Run | null>

/** A check run of Actions and its job have one id. Anybody who may write checks can make one that is no job. */
export function runsOfJobs({ octokit, place, now }: Access): RunOfJob {
  const runOf = rememberedBy(now, REMEMBERED_MS, async (job_id: string) => {
    const { data } = await octokit.rest.actions.getJobForWorkflowRun({ ...place, job_id: Number(job_id) })
    return z.number().parse(data.run_id)
  })
  const runAt = rememberedBy(now, REMEMBERED_MS, async (run_id: string) => {
    const { data } = await octokit.rest.actions.getWorkflowRun({ ...place, run_id: Number(run_id) })
    return workflowRun.parse(data)
  })
  return async (check) => {
    // What is not there may be too new to be shown, so that it is asked for again.
    const run = await orMissing(runOf(String(check)))
    return run === null ? null : runAt(String(run))
  }
}

/** A workflow as people name it: its path, or the name of its file. */
export const isOfWorkflow = (run: Run, workflow: string): boolean =>
  [workflow, `.github/workflows/${workflow}`].includes(fileOf(run))

/** Whether it may have begun before the pull request got the base that it has now: GitHub tells seconds. */
export const isBefore = (time: string | null | undefined, { results_since: since }: Attempt): boolean =>
  since !== null && !(Date.parse(time ?? '') > Date.parse(since))
