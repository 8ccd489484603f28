// What the jobs of a run say of the checks, by `isolation: job`: how GitHub says that a job ended is the result of its check,
// and nothing else is. What a job handed over adds what was printed, and turns nothing green. A job that passed without it is no
// pass: a run goes by the workflow as that was when it began, under which a job of that name may have run anything.
import type { CheckRule } from '../../contract/policy/policy.ts'
import { concerns, touched } from '../../contract/scope.ts'
import type { Input } from '../rules/inputs.ts'
import type { Attempt, ChangedFile, CheckResult, CheckState, Obstacle } from '../model.ts'
import { refusal, runAnew, runName } from './handed-over.ts'
import type { JobPlan } from './job-plan.ts'
import { reportOf } from './report-of.ts'
import type { ResultsFile } from './results-file.ts'

/** A job as it ran last, as GitHub knows it. */
export type JobRan = {
  readonly name: string
  readonly status: string
  readonly conclusion: string | null
  /** The attempt of the run in which that was. */
  readonly attempt: number
  readonly started_at: string | null
  readonly completed_at: string | null
  /** It failed, and none of its steps did. */
  readonly lost: boolean
}
/** `over`: no job of it is still to come. */
export type RunOfJobs = { readonly id: number; readonly attempt: number; readonly over: boolean }

type Ended = Extract<CheckState, 'passed' | 'failed' | 'timed_out'>
export type Answer =
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly state: Ended; readonly job: JobRan }
  /** The platform gave it up, which says nothing about the change. */
  | { readonly kind: 'given_up' }
  /** It says nothing, and will not. */
  | { readonly kind: 'nothing'; readonly why: string }

/** What the job of this name says; there must be one. */
export function answerOf(name: string, jobs: readonly JobRan[], { over }: Pick<RunOfJobs, 'over'>): Answer {
  const [job, ...more] = jobs.filter((one) => one.name === name)
  if (job === undefined) return over ? nothing(`no job of this run is called \`${name}\``) : { kind: 'running' }
  if (more.length > 0) return nothing(`several jobs of this run are called \`${name}\``)
  if (job.status !== 'completed') return { kind: 'running' }
  switch (job.conclusion) {
    case 'success':
      return { kind: 'ended', state: 'passed', job }
    case 'failure':
      return job.lost ? { kind: 'given_up' } : { kind: 'ended', state: 'failed', job }
    case 'timed_out':
      return { kind: 'ended', state: 'timed_out', job }
    case 'cancelled':
    case 'stale':
      return { kind: 'given_up' }
    case 'skipped':
      return nothing(`the job \`${name}\` was skipped, which is no pass: let it run`)
    case null:
    default:
      return nothing(`the job \`${name}\` ended as \`${job.conclusion ?? 'nothing'}\`, which is no pass: run it again`)
  }
}

const nothing = (why: string): Answer => ({ kind: 'nothing', why })

/**
 * Why what the job of tier 1 left may be somebody else's, or null. As long as no other job of the run has begun, nothing of
 * the change has run beside it. `executions`: each job as often as it ran; what ran in an earlier attempt had ended before.
 */
export function beforeTier1(tier1: JobRan, left_at: string, executions: readonly JobRan[]): string | null {
  const others = executions.filter(
    ({ name, status, conclusion, attempt }) =>
      name !== tier1.name &&
      attempt >= tier1.attempt &&
      conclusion !== 'skipped' &&
      (status === 'completed' || status === 'in_progress'),
  )
  const first = others.find(({ started_at }) => !(Date.parse(started_at ?? '') >= Date.parse(left_at)))
  return first === undefined
    ? null
    : `the job \`${first.name}\` began before tier 1 had spoken, so it could speak in its place: let it need \`${tier1.name}\`, or give it a workflow of its own`
}

/** Whether a group changes none of the paths of a check; unknown where GitHub cannot name what it changes. */
export const isLeftOut = ({ paths }: CheckRule, files: readonly ChangedFile[] | null): boolean =>
  paths !== undefined && files !== null && !touched(files).some((one) => concerns(paths, one))

export type Asked = {
  readonly plan: JobPlan
  readonly jobs: readonly JobRan[]
  readonly rules: readonly CheckRule[]
  /** What the job of each check handed over of it, or what is on record of that job. */
  readonly left: ReadonlyMap<string, CheckLeft>
}

export function checksByJob(
  attempt: Attempt,
  run: RunOfJobs,
  { plan, jobs, rules, left }: Asked,
): { readonly inputs: readonly Input[]; readonly obstacle: Obstacle | null } {
  const answers = rules.flatMap((rule) => {
    const name = plan.jobs.get(rule.name)
    return name === undefined ? [] : [{ rule, answer: answerOf(name, jobs, run) }]
  })
  // What another failure took along has nothing of its own to say, and is not waited for.
  const hasFailed = answers.some(({ answer }) => answer.kind === 'ended' && answer.state !== 'passed')
  const isStopped = answers.some(({ answer }) => answer.kind === 'given_up') && !hasFailed
  const inputs = answers.flatMap(({ rule, answer }) => {
    if (answer.kind === 'given_up' && isStopped) return []
    return told(attempt, run, rule, answer, left.get(rule.name))
  })
  return { inputs, obstacle: isStopped ? 'run_cancelled' : plan.without.length > 0 ? 'unclear_jobs' : null }
}

function told(
  attempt: Attempt,
  run: RunOfJobs,
  { name, required }: CheckRule,
  answer: Answer,
  left: CheckLeft | undefined,
): Input[] {
  const named = { attempt_id: attempt.id, name } as const
  switch (answer.kind) {
    case 'running':
      return [{ type: 'start_check', ...named, run: runName(run) }]
    case 'given_up':
      return [{ type: 'report_check', ...named, run: runName(run), ...never }]
    case 'nothing':
      return [{ type: 'report_check', ...named, run: runName(run), ...never }, refusal(attempt, run, answer.why)]
    case 'ended': {
      const { job } = answer
      if (answer.state === 'passed' && left === undefined) {
        if (!run.over) return [{ type: 'start_check', ...named, run: runName(run) }]
        return [
          { type: 'report_check', ...named, run: runName(run), ...never },
          refusal(attempt, run, leftNothing(job)),
        ]
      }
      // A job may tolerate that the check in it failed, as its workflow may have said when it ran.
      const state = answer.state === 'passed' && left?.passed === false ? 'failed' : answer.state
      const output = left?.output ?? ''
      const ran = { run: runName({ id: run.id, attempt: job.attempt }), at: job.completed_at }
      return [reportOf(attempt.id, { name, required }, { ...ran, state, output, duration_ms: durationOf(job) })]
    }
  }
}
const never = { state: 'missing', result: null, output_ref: null } as const

const leftNothing = ({ name }: JobRan): string =>
  `the job \`${name}\` passed and left no result of its check, as one that did not run it: ${runAnew}`

const durationOf = ({ started_at, completed_at }: JobRan): number =>
  Math.max(0, Date.parse(completed_at ?? '') - Date.parse(started_at ?? '')) || 0

export type CheckLeft = Pick<CheckResult, 'passed' | 'output'>

/**
 * What a job left of a check, where that is of this job and of this check. `left_at`: when it was left, which tells it from what the
 * job left in an earlier attempt.
 */
export function leftOf(
  attempt: Attempt,
  run: { readonly id: number; readonly workflow: string },
  { check, job }: { readonly check: string; readonly job: JobRan },
  { results, left_at }: { readonly results: ResultsFile; readonly left_at: string },
): CheckLeft | undefined {
  const at = Date.parse(left_at)
  const isWhileItRan = at >= Date.parse(job.started_at ?? '') && at <= Date.parse(job.completed_at ?? '')
  const { head_sha, run: made, checks } = results
  const isOfRun = made.id === run.id && made.attempt <= job.attempt && made.workflow === run.workflow
  const [only, ...more] = checks
  const isOfCheck = only?.name === check && more.length === 0 && results.tier1 === null
  return isWhileItRan && isOfRun && isOfCheck && head_sha === attempt.head_sha ? only : undefined
}
