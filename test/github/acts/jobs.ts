// The jobs of a workflow run, attempt by attempt. Each is a check run of Actions, and nothing keeps two from having one
// name. Running the failed ones again takes over the others as they are, with the number of the attempt that they ran in,
// and their artifacts.
// https://docs.github.com/en/actions/how-tos/manage-workflow-runs/re-run-workflows-and-jobs
import type { CheckRun, WorkflowRun } from '../checks-model.ts'
import type { Repo } from '../model.ts'

/** The run whose job a check run of Actions is, where nobody says so: the newest one of its suite. */
export const newestRunOf = (repo: Repo, suite: CheckRun['suite']): WorkflowRun | null =>
  [...repo.workflowRuns.values()].findLast((run) => run.suite === suite) ?? null

export const jobsIn = (run: WorkflowRun, attempt: number): readonly CheckRun[] => run.jobs.get(attempt) ?? []

export function addJob(job: CheckRun): void {
  if (job.job === null) return
  const { run, attempt } = job.job
  run.jobs.set(attempt, [...jobsIn(run, attempt), job])
}

const finished: readonly CheckRun['conclusion'][] = ['success', 'neutral', 'skipped']

/** What an attempt that runs only the failed jobs begins with. */
export const takenOver = (run: WorkflowRun): readonly CheckRun[] =>
  jobsIn(run, run.attempt).filter(({ conclusion }) => finished.includes(conclusion))

/** Every job of every attempt once, oldest first. */
export const everyJob = (run: WorkflowRun): readonly CheckRun[] => [...new Set([...run.jobs.values()].flat())]
