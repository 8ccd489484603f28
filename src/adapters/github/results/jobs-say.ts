// What a run says where each check has a job of its own. GitHub's word about a job is the result; of what the jobs handed
// over only tier 1 is needed, by whose policy the run judged, and it counts as long as no other job could have written it.
import { rulesThatApply } from '../../../core/decision/gate/facts.ts'
import {
  answerOf,
  beforeTier1,
  checksByJob,
  isLeftOut,
  leftOf,
  type CheckLeft,
  type JobRan,
  type RunOfJobs,
} from '../../../core/decision/results/by-job.ts'
import { commandRules } from '../../../core/decision/results/wanted.ts'
import { allEnded } from '../../../core/decision/results/ended-at.ts'
import { refusal, runName, tier1Alone } from '../../../core/decision/results/handed-over.ts'
import { jobPlan, type JobPlan } from '../../../core/decision/results/job-plan.ts'
import { artifactOfCheck } from '../../../core/decision/results/results-file.ts'
import type { Attempt } from '../../../core/decision/model.ts'
import type { Input } from '../../../core/decision/rules/inputs.ts'
import type { CheckRule } from '../../../core/contract/policy/policy.ts'
import type { Access } from '../access.ts'
import { groupFiles } from './group-files.ts'
import { artifactsOf, everyArtifact, fetchResults, unpackedOf } from './results-artifact.ts'
import { everyJob, fileOf, latestJobs, type Job, type Run } from './runs.ts'
import {
  actionRun,
  isLost,
  kindOf,
  missing,
  obstructed,
  said,
  started,
  stoppedBy,
  unusable,
  type Said,
} from './said.ts'
import type { KnownWorkflow } from './workflows.ts'

export async function jobsSay(access: Access, attempt: Attempt, run: Run, workflow: KnownWorkflow): Promise<Said> {
  const planned = jobPlan(workflow.parts, commandRules(attempt))
  const doubt = (why: string): Input => ({ ...refusal(attempt, actionRun(run), why), source: workflow.path })
  if ('why' in planned) {
    return { kind: 'nothing', inputs: [obstructed(attempt, 'unclear_jobs'), doubt(planned.why)] }
  }
  const { plan } = planned
  const doubts = plan.without.map(doubt)
  const jobs = (await latestJobs(access, run.id)).map(ranAs)
  const of: RunOfJobs = { ...actionRun(run), over: run.status === 'completed' }
  const answer = answerOf(plan.tier1, jobs, of)
  switch (answer.kind) {
    case 'running':
      return said(attempt, 'running', [...started(attempt, run), ...doubts])
    case 'given_up':
      return stoppedBy(attempt, run, 'run_cancelled')
    case 'nothing':
      return said(attempt, 'missing', [...missing(attempt, run), refusal(attempt, of, answer.why), ...doubts])
    case 'ended': {
      const believed = await tier1Said(access, attempt, run, { tier1: answer.job, jobs })
      if ('kind' in believed) return believed
      return checksSay(access, attempt, run, { plan, jobs, of, before: [...believed.inputs, ...doubts] })
    }
  }
}

const ranAs = (job: Job): JobRan => ({
  name: job.name,
  status: job.status,
  conclusion: job.conclusion,
  attempt: job.run_attempt,
  started_at: job.started_at ?? null,
  completed_at: job.completed_at ?? null,
  lost: isLost(job),
})

type Jobs = { readonly tier1: JobRan; readonly jobs: readonly JobRan[] }

/** What the job of tier 1 handed over, or what is to be said where that is not believed, and the jobs with it. */
async function tier1Said(
  access: Access,
  attempt: Attempt,
  run: Run,
  { tier1, jobs }: Jobs,
): Promise<Said | { readonly inputs: readonly Input[] }> {
  const ran = { ...actionRun(run, tier1.attempt), conclusion: tier1.conclusion }
  const refused = (why: string): Said => unusable(attempt, run, [refusal(attempt, ran, why)])
  const fetched = await fetchResults(access, run)
  if (fetched.kind === 'refused') return refused(fetched.why)
  if (fetched.kind === 'absent') return said(attempt, 'missing', missing(attempt, run))
  const executions = run.run_attempt === 1 ? jobs : (await everyJob(access, run.id)).map(ranAs)
  const why = beforeTier1(tier1, fetched.created_at, executions)
  if (why !== null) return refused(why)
  const inputs = allEnded(tier1Alone(attempt, ran, fetched.results), fetched.created_at)
  return inputs.some(({ type }) => type === 'refuse_result') ? unusable(attempt, run, inputs) : { inputs }
}

type Known = {
  readonly plan: JobPlan
  readonly jobs: readonly JobRan[]
  readonly of: RunOfJobs
  readonly before: readonly Input[]
}

async function checksSay(access: Access, attempt: Attempt, run: Run, { plan, jobs, of, before }: Known): Promise<Said> {
  const applying = attempt.group === null ? rulesThatApply(attempt) : commandRules(attempt)
  const commands = commandRules(attempt).filter((rule) => applying.includes(rule))
  const files = commands.some(({ paths }) => paths !== undefined) ? await groupFiles(access, attempt) : null
  const left = commands.filter((rule) => isLeftOut(rule, files))
  const rules = commands.filter((rule) => !left.includes(rule))
  const handed = await handedOf(access, attempt, run, { plan, jobs, of, rules })
  const { inputs, obstacle } = checksByJob(attempt, of, { plan, jobs, rules, left: handed })
  const leaving = left.map(({ name }): Input => {
    return { type: 'leave_out_check', attempt_id: attempt.id, run: runName(of), name }
  })
  const all = [...before, ...leaving, ...inputs]
  const isRunning = all.some(({ type }) => type === 'start_check')
  const kind = kindOf(all)
  return {
    kind: kind !== 'failed' && isRunning ? 'running' : kind,
    inputs: [obstructed(attempt, obstacle), ...all],
  }
}

type Wanted = Omit<Known, 'before'> & { readonly rules: readonly CheckRule[] }

/** What is on record already is not fetched again. What others left cannot crowd out what the job of a check did. */
async function handedOf(
  access: Access,
  attempt: Attempt,
  run: Run,
  { plan, jobs, of, rules }: Wanted,
): Promise<ReadonlyMap<string, CheckLeft>> {
  const ended = rules.flatMap(({ name: check }) => {
    const answer = answerOf(plan.jobs.get(check) ?? '', jobs, of)
    return answer.kind === 'ended' ? [{ check, job: answer.job, state: answer.state }] : []
  })
  const isKnown = ({ check, job, state }: (typeof ended)[number]): boolean =>
    attempt.checks[check]?.id === runName({ id: run.id, attempt: job.attempt }) &&
    attempt.checks[check]?.state === state
  const handed = new Map<string, CheckLeft>(
    ended.filter(isKnown).map(({ check, state }) => [check, { passed: state === 'passed', output: '' }]),
  )
  const unknown = ended.filter((one) => !isKnown(one))
  if (unknown.length === 0) return handed
  const { listed, cut } = await everyArtifact(access, run)
  for (const one of unknown) {
    const artifact = artifactOfCheck(one.check)
    const found = await unpackedOf(access, run, cut ? await artifactsOf(access, run, artifact) : listed, artifact)
    if (found.kind !== 'results') continue
    const what = { results: found.results, left_at: found.created_at }
    const own = leftOf(attempt, { id: run.id, workflow: fileOf(run) }, one, what)
    if (own !== undefined) handed.set(one.check, own)
  }
  return handed
}
