// One run from beginning to end: what is to be judged, by which policy, tier 1, the checks, and what came of it. Tier 1
// comes first, while the checkout is still what was checked out. Nothing here is told to anybody; `main.ts` does that.
import { debug, getInput, getMultilineInput } from '@actions/core'
import { readFile } from 'node:fs/promises'
import { githubTraffic, tokenOctokit } from '../src/adapters/github/client.ts'
import type { Access } from '../src/adapters/github/forge.ts'
import { secretValues } from '../src/checks/runner/environment.ts'
import { planChecks, type Plan } from '../src/checks/runner/plan.ts'
import { runChecks } from '../src/checks/runner/run-checks.ts'
import type { CheckReport } from '../src/checks/runner/run-check.ts'
import type { Tier1Report } from '../src/checks/tier1/report.ts'
import { tier1 } from '../src/checks/tier1/tier1.ts'
import { someOf } from '../src/checks/tier1/one-line.ts'
import type { Policy } from '../src/core/contract/policy.ts'
import type { PolicyProblem } from '../src/core/contract/problem.ts'
import type { ResultsFile } from '../src/core/decision/results-file.ts'
import { runPassed } from '../src/core/decision/run-verdict.ts'
import { runWords } from '../src/core/words/run-words.ts'
import { logBytesMax, logName } from './artifact.ts'
import { changesOf, type Changes } from './changes.ts'
import { readCheckout } from './checkout.ts'
import { diskWorkspace } from './disk-workspace.ts'
import type { Runner } from './environment.ts'
import { readEvent } from './event.ts'
import { gitIn, treeState, type Git } from './git.ts'
import { liveLog } from './live-log.ts'
import { checkMarks, tier1Marks, warningMark, type Mark } from './marks.ts'
import { governingPolicy } from './policy.ts'
import { python } from './python.ts'
import { OUTPUT_BYTES_MAX, resultsOf } from './results.ts'
import { readToolCalls } from './tool-calls.ts'

export type Judgement =
  | { readonly kind: 'refused'; readonly words: string; readonly problems: readonly PolicyProblem[] }
  | { readonly kind: 'off'; readonly words: string }
  | {
      readonly kind: 'judged'
      readonly results: ResultsFile
      readonly logs: ReadonlyMap<string, string>
      readonly marks: readonly Mark[]
      readonly passed: boolean
      readonly mode: 'enforce' | 'shadow'
    }

const CHANGED_NAMES_MAX = 10

export async function judge(runner: Runner, secrets: readonly string[], signal: AbortSignal): Promise<Judgement> {
  const payload: unknown = JSON.parse(await readFile(runner.eventPath, 'utf8'))
  const subject = readEvent(runner.event, payload)
  if (subject === null) return refused(runWords.wrongEvent(runner.event))
  const token = getInput('github-token')
  const access = accessTo(runner, token)
  const git = gitIn(runner.workspace, runner.environment)
  const [governing, here] = await Promise.all([governingPolicy(access, subject), readCheckout(git, subject)])
  if (governing.kind === 'none') return refused(runWords.noPolicy(subject.base_ref))
  if (governing.kind === 'invalid') {
    const { problems } = governing
    return refused(runWords.policyInvalid(subject.base_ref, problems.length), problems)
  }
  const { policy, hash, organisation } = governing
  if (policy.mode === 'off') return { kind: 'off', words: runWords.switchedOff(subject.base_ref) }
  if ('trouble' in here) return refused(here.trouble)
  const { checkout } = here
  const changes = await changesOf({ git, access, token }, checkout, subject)
  const builtIn = await tier1Of(runner, git, changes, policy)
  const plan = planChecks(policy, changes.files)
  const before = await treeState(git)
  const reports = await checksOf(runner, plan, policy, secrets, signal)
  const changed = [...(await treeState(git))].filter((entry) => !before.has(entry)).map((entry) => entry.slice(3))
  const told = await Promise.all(
    plan.run.map(async (check, index) => {
      const report = reports[index]
      return report === undefined ? { marks: [], warnings: [] } : checkMarks(check, report, runner.workspace)
    }),
  )
  const { base_ref, head_sha } = subject
  const troubles = [
    ...changes.warnings,
    ...(changed.length > 0 ? [runWords.changedByChecks(someOf(changed, CHANGED_NAMES_MAX))] : []),
    ...told.flatMap((one) => one.warnings),
    ...builtIn.warnings,
  ]
  // Nearly every run is one on a merge: worth a line on the summary page, and no annotation.
  const notes = checkout.isMerge ? [runWords.mergeCheckout(checkout.sha, head_sha, base_ref)] : []
  const warnings = [...notes, ...troubles]
  const found = { policy: { hash, organisation }, reports, left_out: plan.left_out, tier1: builtIn, warnings, secrets }
  const results = resultsOf(runner, subject, found)
  const marks = inOrder([...tier1Marks(builtIn), ...told.flatMap((one) => one.marks), ...troubles.map(warningMark)])
  const { mode } = policy
  return { kind: 'judged', results, logs: logsOf(reports), marks, passed: runPassed(results), mode }
}

const refused = (words: string, problems: readonly PolicyProblem[] = []): Judgement => {
  return { kind: 'refused', words, problems }
}

function accessTo({ repository, apiUrl }: Runner, token: string): Access {
  const [owner = '', repo = ''] = repository.split('/')
  const octokit = tokenOctokit(githubTraffic(), token, apiUrl)
  // That something is not there is an answer, and none that people need to see.
  Object.assign(octokit.log, { warn: debug, error: debug })
  return { octokit, place: { owner, repo }, slug: 'github-actions', now: () => performance.now() }
}

/** What nobody may read in a log, an artifact or an annotation. */
export function knownSecrets(runner: Runner): string[] {
  return [...new Set([getInput('github-token'), ...secretValues(runner.environment)])].filter((value) => value !== '')
}

async function tier1Of(runner: Runner, git: Git, changes: Changes, policy: Policy): Promise<Tier1Report> {
  const interpreter = python(runner.environment)
  try {
    const workspace = diskWorkspace(runner.workspace, git, interpreter.parse)
    const exit = getInput('worker_exit_code')
    return await tier1(changes.files, workspace, policy.verification.tier1, {
      patches: changes.patches,
      tool_calls: await readToolCalls(getInput('tool_calls'), runner.workspace),
      // Anything that is no number is no success either.
      worker_exit_code: exit === '' ? null : /^-?\d{1,9}$/.test(exit) ? Number(exit) : 1,
    })
  } finally {
    interpreter.end()
  }
}

async function checksOf(
  { workspace, environment }: Runner,
  { run }: Plan,
  { verification }: Policy,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<CheckReport[]> {
  const { execution, timeout_retry: timeoutRetry } = verification
  const log = liveLog(execution.mode === 'sequential' || execution.max_parallel === 1 || run.length === 1, secrets)
  const limits = { outputBytesMax: OUTPUT_BYTES_MAX, logBytesMax: logBytesMax(run.length) }
  const place = { root: workspace, environment, secrets, timeoutRetry, signal, ...limits }
  try {
    const reports = await runChecks(run, place, execution, log)
    return reports.map(({ result, log }, index) => {
      return { result: { ...result, log: log === '' ? null : logName(index, result.name) }, log }
    })
  } finally {
    log.end()
  }
}

function logsOf(reports: readonly CheckReport[]): ReadonlyMap<string, string> {
  return new Map(
    reports.flatMap(({ result, log }): [string, string][] => (result.log === null ? [] : [[result.log, log]])),
  )
}

/** Errors before warnings; each keeps its place among its own. */
const inOrder = (marks: readonly Mark[]): Mark[] =>
  marks.toSorted((one, other) => Number(one.level === 'warning') - Number(other.level === 'warning'))

export const screenshotPaths = (): readonly string[] => getMultilineInput('screenshots')
