// What a run of the Action handed over, held against what GitHub says about that run and against the contract. Whatever
// does not fit is refused as a whole, with the reason; nothing in it is believed then.
import type { CheckRule } from '../../contract/policy.ts'
import { rulesThatApply } from '../gate/facts.ts'
import type { Input } from '../rules/inputs.ts'
import type { Attempt, CheckResult } from '../model.ts'
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

/** The checks that the Action is asked to run. */
export const commandRules = (attempt: Attempt): CheckRule[] =>
  attempt.contract.policy.verification.checks.filter(({ command }) => command !== undefined)

export function handedOver(attempt: Attempt, run: ActionRun, results: ResultsFile): readonly Input[] {
  const mismatch = mismatchOf(attempt, run, results)
  if (mismatch !== null) return [refusal(attempt, run, mismatch)]
  if (results.policy.hash !== attempt.contract.policy_hash) {
    const unseen =
      results.policy.organisation === 'unseen' ? ', and it could not see the default of the organisation' : ''
    const why = `it ran another policy than the one that governs this attempt${unseen}: run it again`
    return [{ ...refusal(attempt, run, why), policy_hash: results.policy.hash }]
  }
  const rules =
    attempt.group === null ? commandRules(attempt).filter(isAmong(rulesThatApply(attempt))) : commandRules(attempt)
  const other = rules.find((rule) =>
    results.checks.some((one) => one.name === rule.name && one.command !== rule.command),
  )
  if (other !== undefined) return [refusal(attempt, run, `it ran another command as \`${other.name}\``)]
  return [...tier1(attempt, run, results), ...rules.map((rule) => checkInput(attempt, run, rule, results))]
}

/** In words, or null where everything is of this attempt and of this run. */
function mismatchOf(attempt: Attempt, run: ActionRun, results: ResultsFile): string | null {
  const { head_sha, repository, event, pull } = results
  const expected = attempt.group === null ? 'pull_request' : 'merge_group'
  if (repository.toLowerCase() !== run.repository.toLowerCase()) return `it is of the repository ${repository}`
  if (run.head_sha !== attempt.head_sha || head_sha !== attempt.head_sha) return 'it is of another commit'
  if (run.event !== expected || event !== expected) return `it answers the event ${run.event}`
  if (results.run.id !== run.id) return 'it is of another run'
  if (results.run.attempt !== run.attempt) return 'it is of another attempt of this run'
  if (results.run.workflow !== run.workflow) return 'it is of another workflow'
  if (attempt.group === null && pull !== null && pull !== attempt.pull) return `it is of pull request ${pull}`
  const failed = results.checks.some((check) => check.required && !check.passed) || results.tier1?.passed === false
  const silent = results.tier1 === null || commandRules(attempt).some(({ name }) => !isNamed(results, name))
  return !failed && !silent && run.conclusion === 'failure'
    ? 'it says that everything passed, and its run failed'
    : null
}

const isNamed = ({ checks, left_out }: ResultsFile, name: string): boolean =>
  left_out.includes(name) || checks.some((check) => check.name === name)

const isAmong =
  (rules: readonly CheckRule[]) =>
  (rule: CheckRule): boolean =>
    rules.includes(rule)

/** A group has no tier 1: its changes passed theirs. */
function tier1({ id: attempt_id, group }: Attempt, run: ActionRun, { tier1 }: ResultsFile): Input[] {
  if (group !== null) return []
  if (tier1 === null) return [tier1Missing(attempt_id, run)]
  const { passed, checks, findings, feedback } = tier1
  const failed = checks.filter((check) => !check.passed).slice(0, CHECKS_MAX)
  const told = findings.slice(0, FINDINGS_MAX)
  return [{ type: 'report_tier1', attempt_id, run: runName(run), passed, checks: failed, findings: told, feedback }]
}

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
function checkInput({ id: attempt_id, group }: Attempt, run: ActionRun, rule: CheckRule, results: ResultsFile): Input {
  const { name } = rule
  const named = { attempt_id, run: runName(run), name }
  const outcome = results.checks.find((check) => check.name === name)
  // The changes of a group are not known here, so its own run says which checks they leave out.
  if (outcome === undefined && group !== null && results.left_out.includes(name))
    return { type: 'leave_out_check', ...named }
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
