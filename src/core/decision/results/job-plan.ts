// Which job of a workflow proves which check, by `isolation: job`. It is told from the text at the tip of the base, since a
// name is all that GitHub says of a job: it has to stand there, to be the only one, and to belong to a job that ends as its
// check does. What cannot be told so proves nothing, and the words say what to change.
import type { CheckRule } from '../../contract/policy/policy.ts'

/** A job of a workflow, with those of a matrix and of workflows that it calls unfolded. */
export type WorkflowPart = {
  /** What GitHub calls it, or null where its text does not tell. */
  readonly name: string | null
  /** How it runs the Action, or null where it does not. */
  readonly action: ActionUse | null
}
export type ActionUse = {
  /** Of each step that runs it: the check that it is to run alone, or null for none. */
  readonly checks: readonly (string | null)[]
  /** Where one of these steps fails, so does the job. */
  readonly certain: boolean
  /** Nothing else happens in the job than a checkout. */
  readonly alone: boolean
}
export type JobPlan = {
  /** The job that is tier 1. */
  readonly tier1: string
  /** By check. */
  readonly jobs: ReadonlyMap<string, string>
  /** Why others of the checks have none. */
  readonly without: readonly string[]
}

export function jobPlan(
  parts: readonly WorkflowPart[],
  rules: readonly CheckRule[],
): { readonly plan: JobPlan } | { readonly why: string } {
  if (parts.some(({ name }) => name === null)) return { why: unnamed }
  const tier1 = jobFor(parts, null)
  if ('why' in tier1) return tier1
  const found = rules.map(({ name }) => ({ check: name, ...jobFor(parts, name) }))
  const jobs = found.flatMap((one): [string, string][] => ('job' in one ? [[one.check, one.job]] : []))
  const without = found.flatMap((one) => ('why' in one ? [one.why] : []))
  return { plan: { tier1: tier1.job, jobs: new Map(jobs), without } }
}

const unnamed =
  'one of its jobs has a name that is only known when it runs, or calls what cannot be read: give each a plain name, or one from a list under `strategy.matrix`'

function jobFor(parts: readonly WorkflowPart[], check: string | null): { job: string } | { why: string } {
  const [first, ...more] = parts.filter(({ action }) => action?.checks.includes(check))
  if (first === undefined || first.action === null || first.name === null) return { why: noJob(check) }
  const { name: job, action } = first
  const what = check === null ? 'runs the Action without `check`, which is tier 1' : `runs \`${check}\``
  if (more.length > 0) return { why: `more than one of its jobs ${what}` }
  if (parts.filter(({ name }) => name === job).length > 1) return { why: `several of its jobs are called \`${job}\`` }
  if (action.checks.length > 1) return { why: `its job \`${job}\` runs the Action more than once` }
  if (!action.certain) {
    return {
      why: `its job \`${job}\` may pass where the Action fails: take \`continue-on-error\`, and \`if\` of the step, away`,
    }
  }
  if (check === null && !action.alone) {
    return {
      why: `its job \`${job}\` does more than a checkout before tier 1, so code of the change may run there: take that away`,
    }
  }
  return { job }
}

const noJob = (check: string | null): string =>
  (check === null
    ? 'no job of it runs the Action without `check`, which is tier 1'
    : `no job of it runs \`${check}\` alone`) +
  ': `countersign workflow --isolation job` prints one that fits the policy'
