// Results of existing CI that a policy adopts as its own checks. The newest run of a name decides, never the best, and
// only from the app and the workflow that the policy names.
// https://docs.github.com/en/rest/checks/runs#list-check-runs-for-a-git-reference
import { z } from 'zod'
import type { CheckRule } from '../../../core/contract/policy.ts'
import type { Input } from '../../../core/decision/rules/inputs.ts'
import type { Attempt, CheckResult } from '../../../core/decision/model.ts'
import type { Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'

const PAGES_MAX = 10

const checkRun = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  details_url: z.string().nullish(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  app: z.object({ slug: z.string() }).nullish(),
  output: z
    .object({ title: z.string().nullish(), summary: z.string().nullish(), text: z.string().nullish() })
    .nullish(),
})
type CheckRun = z.output<typeof checkRun>
const commitStatus = z.object({
  id: z.number(),
  context: z.string(),
  state: z.string(),
  description: z.string().nullish(),
})

export async function adoptedResults(access: Access, attempt: Attempt): Promise<readonly Input[]> {
  const { checks } = attempt.contract.policy.verification
  const names = checks.flatMap(({ check_run }) => check_run ?? [])
  const runs = names.length > 0 ? await runsNamed(access, attempt.head_sha, names) : []
  const statuses = checks.some(({ status }) => status !== undefined) ? await statusesOf(access, attempt.head_sha) : []
  const inputs = await Promise.all(
    checks.map(async (rule) => {
      if (rule.status !== undefined) return fromStatus(attempt.id, rule, statuses)
      if (rule.check_run === undefined) return []
      return fromRun(attempt.id, rule, await newestRun(access, rule, attempt.head_sha, runs))
    }),
  )
  const found = inputs.flat()
  const obstructed = found.some(({ type }) => type === 'report_obstacle')
  if (obstructed || attempt.obstacle !== 'run_cancelled') return found
  return [...found, { type: 'report_obstacle', attempt_id: attempt.id, obstacle: null }]
}

/** All of a commit at once, which is one call as a rule; one name at a time where there are more than can be listed. */
async function runsNamed(access: Access, ref: string, names: readonly string[]): Promise<CheckRun[]> {
  const all = await runsOf(access, ref)
  if (all.length < PAGES_MAX * PER_PAGE) return all
  return (await Promise.all(names.map((name) => runsOf(access, ref, name)))).flat()
}

async function runsOf({ octokit, place }: Access, ref: string, check_name?: string): Promise<CheckRun[]> {
  const named = check_name === undefined ? {} : { check_name }
  return allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, ...named, ref, per_page: PER_PAGE, page, filter: 'latest' } as const
    return z.array(checkRun).parse((await octokit.rest.checks.listForRef(asked)).data.check_runs)
  })
}

async function statusesOf({ octokit, place }: Access, ref: string): Promise<z.output<typeof commitStatus>[]> {
  const { data } = await octokit.rest.repos.getCombinedStatusForRef({ ...place, ref, per_page: 100 })
  return z.array(commitStatus).parse(data.statuses)
}

async function newestRun(
  access: Access,
  rule: CheckRule,
  sha: string,
  runs: readonly CheckRun[],
): Promise<CheckRun | null> {
  const named = runs.filter(
    ({ name, app }) => name === rule.check_run && (rule.app === undefined || app?.slug === rule.app),
  )
  for (const run of named.toSorted((one, other) => other.id - one.id)) {
    if (rule.workflow === undefined || (await isOfWorkflow(access, rule.workflow, sha, run))) return run
  }
  return null
}

/** A check run of Actions links to its workflow run, which names the file that it came from. */
async function isOfWorkflow(
  { octokit, place }: Access,
  workflow: string,
  sha: string,
  { details_url }: CheckRun,
): Promise<boolean> {
  const run_id = Number(/\/actions\/runs\/(\d+)/.exec(details_url ?? '')?.[1])
  if (!Number.isInteger(run_id)) return false
  const { data } = await octokit.rest.actions.getWorkflowRun({ ...place, run_id })
  const path = data.path.split('@')[0] ?? ''
  return data.head_sha === sha && (path === workflow || path === `.github/workflows/${workflow}`)
}

function fromRun(attempt_id: string, rule: CheckRule, run: CheckRun | null): Input[] {
  if (run === null) return []
  const { name } = rule
  const id = `${run.id}/${run.completed_at ?? run.started_at ?? ''}`
  if (run.status !== 'completed') return [{ type: 'start_check', attempt_id, run: id, name }]
  // A run that the platform gave up says nothing about the code: it is waited for, and the explanation says so.
  if (run.conclusion === 'cancelled' || run.conclusion === 'stale') {
    return [{ type: 'report_obstacle', attempt_id, obstacle: 'run_cancelled' }]
  }
  const passed = rule.accept.some((conclusion) => conclusion === run.conclusion)
  const state = passed ? 'passed' : run.conclusion === 'timed_out' ? 'timed_out' : 'failed'
  const output = [run.output?.title, run.output?.summary, run.output?.text].filter(Boolean).join('\n')
  const duration_ms = Math.max(0, Date.parse(run.completed_at ?? '') - Date.parse(run.started_at ?? '')) || 0
  return [report(attempt_id, rule, id, state, output, duration_ms)]
}

function fromStatus(attempt_id: string, rule: CheckRule, statuses: readonly z.output<typeof commitStatus>[]): Input[] {
  const status = statuses.find(({ context }) => context === rule.status)
  if (status === undefined) return []
  const run = String(status.id)
  if (status.state === 'pending') return [{ type: 'start_check', attempt_id, run, name: rule.name }]
  const state = status.state === 'success' ? 'passed' : 'failed'
  return [report(attempt_id, rule, run, state, status.description ?? '', 0)]
}

function report(
  attempt_id: string,
  { name, required }: CheckRule,
  run: string,
  state: 'passed' | 'failed' | 'timed_out',
  output: string,
  duration_ms: number,
): Input {
  const exit_code = state === 'passed' ? 0 : state === 'timed_out' ? 124 : 1
  const result: CheckResult = { name, passed: state === 'passed', exit_code, output, duration_ms, required }
  return { type: 'report_check', attempt_id, run, name, state, result, output_ref: null }
}
