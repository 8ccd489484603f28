// Whether a check run that bears the right name is of an attempt. A check run of Actions is a job, and GitHub says of
// which run: the text of its link may be anybody's. A check run of Actions that no job made comes from whoever may write
// checks, so it never passes for one of a workflow. What another App reports is about a commit, and that App says when.
// https://docs.github.com/en/rest/actions/workflow-jobs
import { z } from 'zod'
import type { CheckRule } from '../../../core/contract/policy/policy.ts'
import type { Attempt, CheckRecord } from '../../../core/decision/model.ts'
import type { JobOf } from '../../../core/decision/results/job-of.ts'
import { ofOtherBase, type Bases } from './base-moves.ts'
import { isOfWorkflow, type RunOfJob } from './runs.ts'
import type { Stranger } from './whose-run.ts'

export const adoptedRun = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  app: z.object({ slug: z.string() }).nullish(),
  check_suite: z.object({ id: z.number() }).nullish(),
  /** Open ones whose head it is, whichever repository they merge into; none of a fork. */
  pull_requests: z
    .array(z.object({ number: z.number(), base: z.object({ repo: z.object({ id: z.number() }) }) }))
    .nullish(),
  output: z
    .object({ title: z.string().nullish(), summary: z.string().nullish(), text: z.string().nullish() })
    .nullish(),
})
export type AdoptedRun = z.output<typeof adoptedRun>

/** `other`: of another workflow, which is nobody's concern. `stranger`: of the right one, but not of this attempt. */
export type Witness =
  | ({ readonly kind: 'ours' } & JobOf)
  | { readonly kind: 'other' }
  | { readonly kind: 'stranger'; readonly why: string }
export type RunWitness = (attempt: Attempt, rule: CheckRule, run: AdoptedRun) => Promise<Witness>

const other: Witness = { kind: 'other' }

export function runWitness(runOfJob: RunOfJob, notOurs: Stranger, bases: Bases): RunWitness {
  return async (attempt, { name, workflow }, run) => {
    const job_of = onRecord(attempt, name, run)
    if (job_of !== undefined) return { kind: 'ours', job_of }
    const job = run.app?.slug === 'github-actions' ? await runOfJob(run.id) : null
    if (workflow !== undefined && (job === null || !isOfWorkflow(job, workflow))) return other
    const why = await (job === null ? aboutCommit(attempt, name, run, bases) : notOurs(attempt, job))
    if (why !== null) return { kind: 'stranger', why }
    return job === null ? { kind: 'ours' } : { kind: 'ours', job_of: job.id }
  }
}

/**
 * The run whose job it is, where the record says so: what GitHub said of it was about this attempt and the rule of that name, and
 * stays so. Where its base was another one for a while, it is asked again.
 */
function onRecord({ checks, results_since }: Attempt, name: string, run: AdoptedRun): number | undefined {
  const check = checks[name]
  return results_since === null && isOfRun(check, run) ? check?.job_of : undefined
}

/** Whatever it said then. */
const isOfRun = (check: CheckRecord | undefined, { id }: AdoptedRun): boolean => check?.id.startsWith(`${id}/`) === true

/** As it stands on record. */
export const endOf = ({ id, started_at, completed_at }: AdoptedRun): string =>
  `${id}/${completed_at ?? started_at ?? ''}`

async function aboutCommit(attempt: Attempt, name: string, run: AdoptedRun, bases: Bases): Promise<string | null> {
  const { status, started_at, completed_at, pull_requests } = run
  const ended = status === 'completed' ? endOf(run) : null
  // What has ended once and says something else now says it since then.
  const check = attempt.checks[name]
  const isAnew = check?.ended_at !== undefined && isOfRun(check, run)
  const at = isAnew ? (completed_at ?? started_at) : (started_at ?? completed_at)
  const why = await ofOtherBase(bases, attempt, name, { at, ended })
  if (why !== null || attempt.group !== null) return why
  const here = (pull_requests ?? []).filter(({ base }) => `R${base.repo.id}` === attempt.repository)
  const another = here.find(({ number }) => number !== attempt.pull)
  return another === undefined ? null : sharedWith(another.number)
}

const sharedWith = (pull: number): string =>
  `pull request ${pull} has the same commit, so nobody can tell which of them it was for: push`
