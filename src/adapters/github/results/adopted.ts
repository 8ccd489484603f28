// Results of existing CI that a policy adopts as its own checks. The newest run of a name decides, never the best; where
// several Apps report under one name, each App's newest, and of these the strictest. A workflow that answers several events tries
// other things with each, as a commit by itself and merged into its base: then it is the newest for each.
// https://docs.github.com/en/rest/checks/runs#list-check-runs-for-a-git-reference
import { z } from 'zod'
import type { CheckRule } from '../../../core/contract/policy/policy.ts'
import type { Input } from '../../../core/decision/rules/inputs.ts'
import type { Attempt } from '../../../core/decision/model.ts'
import { jobOf, type JobOf } from '../../../core/decision/results/job-of.ts'
import { reportOf } from '../../../core/decision/results/report-of.ts'
import type { ToldResult } from '../../../core/news.ts'
import type { Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { adoptedRun, endOf, type AdoptedRun, type RunWitness, type Witness } from './adopted-run.ts'
import { ofOtherBase, once, type Bases } from './base-moves.ts'
import { fileOf, runsOn, type Run } from './runs.ts'
import { expectTold } from './told.ts'

const PAGES_MAX = 10

const commitStatus = z.object({
  id: z.number(),
  context: z.string(),
  state: z.string(),
  description: z.string().nullish(),
  created_at: z.string().nullish(),
})
type CommitStatus = z.output<typeof commitStatus>

const asToldStatus = ({ id, context, state }: CommitStatus): ToldResult => ({
  kind: 'status',
  id,
  name: context,
  conclusion: state,
  at: '',
})
const asToldRun = ({ id, name, status, conclusion, completed_at }: AdoptedRun): ToldResult => ({
  kind: 'check_run',
  id,
  name,
  conclusion: status === 'completed' ? conclusion : null,
  at: completed_at ?? '',
})

export async function adoptedResults(
  access: Access,
  attempt: Attempt,
  witness: RunWitness,
  bases: Bases,
  told: readonly ToldResult[],
): Promise<readonly Input[]> {
  const { checks } = attempt.contract.policy.verification
  const names = checks.flatMap(({ check_run }) => check_run ?? [])
  const runs = names.length > 0 ? await runsNamed(access, attempt.head_sha, names) : []
  const statuses = checks.some(({ status }) => status !== undefined) ? await statusesOf(access, attempt.head_sha) : []
  expectTold(told, ({ kind, name }) => kind === 'check_run' && names.includes(name), runs.map(asToldRun))
  const isAdopted = (context: string): boolean => checks.some(({ status }) => status === context)
  expectTold(told, ({ kind, name }) => kind === 'status' && isAdopted(name), statuses.map(asToldStatus))
  const answers = once(async (sha: string) => answeredBy(await runsOn(access, sha)))
  const inputs = await Promise.all(
    checks.map(async (rule) => {
      const { status, check_run } = rule
      if (status !== undefined) {
        const all = { newest: statuses, older: () => everyStatus(access, attempt.head_sha) }
        return fromStatus(attempt, rule, all, bases)
      }
      if (check_run === undefined) return []
      const all = { newest: runs, older: async () => (await runsOf(access, attempt.head_sha, check_run, 'all')) ?? [] }
      return fromRuns(attempt, rule, { ...all, answers }, witness)
    }),
  )
  const found = inputs.flat()
  const obstructed = found.some(({ type }) => type === 'report_obstacle')
  if (obstructed || attempt.obstacle !== 'run_cancelled') return found
  return [...found, { type: 'report_obstacle', attempt_id: attempt.id, obstacle: null }]
}

/**
 * All of a commit at once, which is one call as a rule; one name at a time where there are more than can be listed, and
 * none of a name where even these are cut: which of them is the newest cannot be told then.
 */
async function runsNamed(access: Access, ref: string, names: readonly string[]): Promise<readonly AdoptedRun[]> {
  const all = await runsOf(access, ref)
  if (all !== null) return all
  return (await Promise.all(names.map((name) => runsOf(access, ref, name)))).flatMap((some) => some ?? [])
}

async function runsOf(
  { octokit, place }: Access,
  ref: string,
  check_name?: string,
  filter: 'latest' | 'all' = 'latest',
): Promise<AdoptedRun[] | null> {
  const named = check_name === undefined ? {} : { check_name }
  const all = await allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, ...named, ref, per_page: PER_PAGE, page, filter } as const
    return z.array(adoptedRun).parse((await octokit.rest.checks.listForRef(asked)).data.check_runs)
  })
  return all.length < PAGES_MAX * PER_PAGE ? all : null
}

/** Of every context, however often it was set. */
const everyStatus = ({ octokit, place }: Access, ref: string): Promise<readonly CommitStatus[]> =>
  allPages(PAGES_MAX, async (page) => {
    const { data } = await octokit.rest.repos.listCommitStatusesForRef({ ...place, ref, per_page: PER_PAGE, page })
    return z.array(commitStatus).parse(data)
  })

/** GitHub lists the newest of each context. */
const statusesOf = ({ octokit, place }: Access, ref: string): Promise<readonly CommitStatus[]> =>
  allPages(PAGES_MAX, async (page) => {
    const { data } = await octokit.rest.repos.getCombinedStatusForRef({ ...place, ref, per_page: PER_PAGE, page })
    return z.array(commitStatus).parse(data.statuses)
  })

/** All that is there: `older` also what GitHub does not list where there is something newer of the same name. */
type Reports<Report> = { readonly newest: readonly Report[]; readonly older: () => Promise<readonly Report[]> }

/** The newest first. What came before it is asked for where the newest is not of this attempt and something else of it stands on record. */
async function* inTurn<Report extends { readonly id: number }>(
  { newest, older }: Reports<Report>,
  isOf: (one: Report) => boolean,
  isHeardOf: boolean,
): AsyncGenerator<Report> {
  const some = newest.filter(isOf).toSorted((one, other) => other.id - one.id)
  yield* some
  if (some.length === 0 || !isHeardOf) return
  const known = new Set(some.map(({ id }) => id))
  const rest = (await older()).filter((one) => isOf(one) && !known.has(one.id))
  yield* rest.toSorted((one, other) => other.id - one.id)
}

/** By check suite: which workflow ran there, and for which event. */
type Answers = ReadonlyMap<number, string>
const answeredBy = (runs: readonly Run[]): Answers =>
  new Map(
    runs.flatMap((run) =>
      run.check_suite_id === undefined ? [] : [[run.check_suite_id, `${fileOf(run)} ${run.event}`]],
    ),
  )
const isJob = ({ app }: AdoptedRun): boolean => app?.slug === 'github-actions'

/** Where all jobs are of one workflow run nobody has to ask what that answers. */
async function kindsOf(
  named: readonly AdoptedRun[],
  answers: () => Promise<Answers>,
): Promise<(run: AdoptedRun) => string> {
  const suites = new Set(named.filter(isJob).map(({ check_suite }) => check_suite?.id))
  const known: Answers = suites.size > 1 ? await answers() : new Map()
  return (run) => [run.app?.slug, isJob(run) ? known.get(run.check_suite?.id ?? 0) : ''].join(' ')
}

async function fromRuns(
  attempt: Attempt,
  rule: CheckRule,
  { newest, older, answers }: Reports<AdoptedRun> & { readonly answers: (sha: string) => Promise<Answers> },
  witness: RunWitness,
): Promise<readonly Input[]> {
  const isNamed = ({ name, app }: AdoptedRun): boolean =>
    name === rule.check_run && (rule.app === undefined || app?.slug === rule.app)
  const named = newest.filter(isNamed).toSorted((one, other) => other.id - one.id)
  const kindOf = await kindsOf(named, () => answers(attempt.head_sha))
  const told = await Promise.all(
    [...new Set(named.map(kindOf))].map(async (kind) => {
      const isOf = (run: AdoptedRun): boolean => isNamed(run) && kindOf(run) === kind
      const all = inTurn({ newest, older }, isOf, rule.name in attempt.checks)
      const found = await newestOf(attempt, rule.check_run, all, (run) => witness(attempt, rule, run))
      // Why something does not count that is not the newest of its App is of no concern.
      const last = named.find(isOf)
      return { ...found, isLast: named.find(({ app }) => app?.slug === last?.app?.slug) === last }
    }),
  )
  const found = told.flatMap(({ ours }) => ours ?? []).map((run) => fromRun(attempt.id, rule, run))
  const [strictest = []] = found.toSorted((one, other) => strictness(other) - strictness(one))
  return [...strictest, ...told.flatMap(({ refused, isLast }) => (isLast ? refused : []))]
}

/** The newest that is of this attempt, and why one that is newer is not. */
async function newestOf<Report extends { readonly id: number }>(
  { id: attempt_id }: Attempt,
  name: string | undefined,
  reports: AsyncIterable<Report>,
  witness: (one: Report) => Promise<Witness>,
): Promise<{ readonly ours: (Report & JobOf) | null; readonly refused: readonly Input[] }> {
  const refused: Input[] = []
  for await (const one of reports) {
    const said = await witness(one)
    if (said.kind === 'ours') return { ours: { ...one, ...jobOf(said) }, refused }
    if (said.kind === 'stranger' && refused.length === 0) {
      const source = `\`${name}\` (${one.id})`
      refused.push({ type: 'refuse_result', attempt_id, source, why: said.why, policy_hash: null })
    }
  }
  return { ours: null, refused }
}

function strictness([input]: readonly Input[]): number {
  if (input?.type === 'report_check') return input.state === 'passed' ? 0 : 3
  return input?.type === 'start_check' ? 2 : 1
}

function fromRun(attempt_id: string, rule: CheckRule, run: AdoptedRun & JobOf): Input[] {
  const { name } = rule
  const id = endOf(run)
  const started: Input = { type: 'start_check', attempt_id, run: id, name, ...jobOf(run) }
  if (run.status !== 'completed') return [started]
  // A run that the platform gave up says nothing about the code: it is waited for, and the explanation says so.
  if (run.conclusion === 'cancelled' || run.conclusion === 'stale') {
    return [started, { type: 'report_obstacle', attempt_id, obstacle: 'run_cancelled' }]
  }
  const passed = rule.accept.some((conclusion) => conclusion === run.conclusion)
  const state = passed ? 'passed' : run.conclusion === 'timed_out' ? 'timed_out' : 'failed'
  const output = [run.output?.title, run.output?.summary, run.output?.text].filter(Boolean).join('\n')
  const duration_ms = Math.max(0, Date.parse(run.completed_at ?? '') - Date.parse(run.started_at ?? '')) || 0
  return [
    { ...reportOf(attempt_id, rule, { run: id, state, output, duration_ms, at: run.completed_at }), ...jobOf(run) },
  ]
}

async function fromStatus(
  attempt: Attempt,
  rule: CheckRule,
  statuses: Reports<CommitStatus>,
  bases: Bases,
): Promise<Input[]> {
  const isOf = ({ context }: CommitStatus): boolean => context === rule.status
  const all = inTurn(statuses, isOf, rule.name in attempt.checks)
  const { ours, refused } = await newestOf(attempt, rule.status, all, async ({ id, state, created_at: at }) => {
    const ended = state === 'pending' ? null : String(id)
    const why = await ofOtherBase(bases, attempt, rule.name, { at, ended })
    return why === null ? { kind: 'ours' } : { kind: 'stranger', why }
  })
  return [...(ours === null ? [] : [fromOne(attempt.id, rule, ours)]), ...refused]
}

function fromOne(
  attempt_id: string,
  rule: CheckRule,
  { id, state: said, description, created_at }: CommitStatus,
): Input {
  const run = String(id)
  if (said === 'pending') return { type: 'start_check', attempt_id, run, name: rule.name }
  const state = said === 'success' ? 'passed' : 'failed'
  return reportOf(attempt_id, rule, { run, state, output: description ?? '', at: created_at })
}
