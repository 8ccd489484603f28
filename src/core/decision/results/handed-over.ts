// What a run of the Action handed over, held against what GitHub says about that run and against the contract. Whatever
// does not fit is refused as a whole, with the reason; nothing in it is believed then.
import type { CheckRule } from '../../contract/policy/policy.ts'
import { rulesThatApply } from '../gate/facts.ts'
import type { Input } from '../rules/inputs.ts'
import type { Attempt, ChangedFile, CheckResult } from '../model.ts'
import { commandRules, wantsScreenshots } from './wanted.ts'
import { runContradicts, wrongContents, wrongTier1 } from './contents.ts'
import type { CheckOutcome, ResultsFile } from './results-file.ts'

/** A workflow run as GitHub knows it. */
export type ActionRun = {
  readonly id: number
  readonly attempt: number
  readonly workflow: string
  readonly event: string
  readonly head_sha: string
  readonly repository: string
  readonly conclusion: string | null
}
type Refused = Extract<Input, { type: 'refuse_result' }>

export const runName = ({ id, attempt }: Pick<ActionRun, 'id' | 'attempt'>): string => `${id}.${attempt}`

export function refusal(attempt: Attempt, run: Pick<ActionRun, 'id' | 'attempt'>, why: string): Refused {
  return { type: 'refuse_result', attempt_id: attempt.id, source: `run ${runName(run)}`, why, policy_hash: null }
}

/** `groupFiles`: what a merge group changes, or null where GitHub cannot tell. */
export function handedOver(
  attempt: Attempt,
  run: ActionRun,
  results: ResultsFile,
  groupFiles: readonly ChangedFile[] | null = null,
): readonly Input[] {
  const refused = refusedAtOnce(attempt, run, results)
  if (refused !== null) return [refused]
  const files = attempt.group === null ? attempt.files : groupFiles
  const wrong = wrongContents(attempt, results, files) ?? runContradicts(attempt, results, run.conclusion)
  if (wrong !== null) return [refusal(attempt, run, wrong)]
  const applying = attempt.group === null ? rulesThatApply(attempt) : attempt.contract.policy.verification.checks
  const rules = commandRules(attempt).filter((rule) => applying.includes(rule))
  return [
    ...tier1(attempt, run, results),
    ...rules.map((rule) => checkInput(attempt, run, rule, { results, files })),
    ...screenshots(attempt, run, results.screenshots),
  ]
}

/** What the job that is tier 1 handed over where each check has a job of its own. `run` ended as that job did. */
export function tier1Alone(attempt: Attempt, run: ActionRun, results: ResultsFile): readonly Input[] {
  const refused = refusedAtOnce(attempt, run, results)
  if (refused !== null) return [refused]
  const wrong = wrongTier1(results, run.conclusion)
  if (wrong !== null) return [refusal(attempt, run, wrong)]
  return [...tier1(attempt, run, results), ...screenshots(attempt, run, results.screenshots)]
}

/** It is of something else, or by another policy. */
function refusedAtOnce(attempt: Attempt, run: ActionRun, results: ResultsFile): Refused | null {
  const mismatch = mismatchOf(attempt, run, results)
  if (mismatch !== null) return refusal(attempt, run, mismatch)
  const { hash, organisation } = results.policy
  if (hash === attempt.contract.policy_hash) return null
  const unseen = organisation === 'unseen' ? ', and it could not see the default of the organisation' : ''
  const why = `it ran another policy than the one that governs this attempt${unseen}: run it again`
  return { ...refusal(attempt, run, why), policy_hash: hash }
}

/** In words, or null where everything is of this attempt and of this run. */
function mismatchOf(attempt: Attempt, run: ActionRun, results: ResultsFile): string | null {
  const { head_sha, base_ref, repository, event, pull } = results
  const [expected, number] = attempt.group === null ? ['pull_request', attempt.pull] : ['merge_group', null]
  if (repository.toLowerCase() !== run.repository.toLowerCase()) return `it is of the repository ${repository}`
  if (run.head_sha !== attempt.head_sha || head_sha !== attempt.head_sha) return 'it is of another commit'
  if (run.event !== expected || event !== expected) return `it answers the event ${run.event}`
  if (results.run.id !== run.id) return 'it is of another run'
  if (results.run.attempt !== run.attempt) return ofAnotherAttempt
  if (results.run.workflow !== run.workflow) return 'it is of another workflow'
  if (pull !== number) return pull === null ? 'it is of no pull request' : `it is of pull request ${pull}`
  return base_ref === attempt.base_ref ? null : `it is of the base \`${base_ref}\`: ${runAnew}`
}

export const ofAnotherAttempt = 'it is of another attempt of this run: run all of its jobs again'
/** A run that is repeated repeats what began it, so it stays what it was. */
export const runAnew = 'push, or close and reopen the pull request'

/** A group has no tier 1: its changes passed theirs. Where no command is run, the App looks by itself. */
function tier1(attempt: Attempt, run: ActionRun, { tier1 }: ResultsFile): Input[] {
  const { id: attempt_id, group } = attempt
  if (group !== null || commandRules(attempt).length === 0) return []
  if (tier1 === null) return [tier1Missing(attempt_id, run)]
  const { passed, checks, findings, feedback } = tier1
  const failed = checks.filter((check) => !check.passed).slice(0, CHECKS_MAX)
  const told = findings.slice(0, FINDINGS_MAX)
  return [{ type: 'report_tier1', attempt_id, run: runName(run), passed, checks: failed, findings: told, feedback }]
}

/** Null where the run ended without handing anything over. */
export const screenshots = (
  attempt: Attempt,
  run: Pick<ActionRun, 'id' | 'attempt'>,
  shots: ResultsFile['screenshots'] | null,
): Input[] =>
  wantsScreenshots(attempt) ? [{ type: 'report_screenshots', attempt_id: attempt.id, run: runName(run), shots }] : []

/** A run that owed tier 1 and ended without it. */
export function tier1Missing(attempt_id: string, run: Pick<ActionRun, 'id' | 'attempt'>): Input {
  const check = { name: 'results', passed: false, detail: 'the workflow run ended without reporting it' }
  const found = { passed: false, checks: [check], findings: [], feedback: null }
  return { type: 'report_tier1', attempt_id, run: runName(run), ...found }
}

/** What one event holds of a report that may be long. */
const CHECKS_MAX = 200
export const FINDINGS_MAX = 100

/** A check that should have run and did not report has failed: what is missing is never a pass. */
function checkInput(
  { id: attempt_id, group }: Attempt,
  run: ActionRun,
  rule: CheckRule,
  { results, files }: { readonly results: ResultsFile; readonly files: readonly ChangedFile[] | null },
): Input {
  const { name } = rule
  const named = { attempt_id, run: runName(run), name }
  const outcome = results.checks.find((check) => check.name === name)
  // Which rules apply to a group its own run says, which was held against what the group changes.
  if (group !== null && files !== null && results.left_out.includes(name)) return { type: 'leave_out_check', ...named }
  if (outcome === undefined) return { type: 'report_check', ...named, state: 'missing', result: null, output_ref: null }
  const state = outcome.passed ? 'passed' : outcome.error_code === 'VERIFICATION_TIMEOUT' ? 'timed_out' : 'failed'
  return { type: 'report_check', ...named, state, result: resultOf(outcome, rule), output_ref: outcome.log }
}

function resultOf(
  { name, passed, exit_code, output, duration_ms }: CheckOutcome,
  { required }: CheckRule,
): CheckResult {
  return { name, passed, exit_code, output, duration_ms, required }
}
