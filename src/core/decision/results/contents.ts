// What results of the Action say, held against the contract and against themselves. Only the contract's rules count, each
// once and as it stands there: whoever names another one, or leaves one out that applies, is believed in nothing.
import type { CheckRule } from '../../contract/policy/policy.ts'
import { concerns, touched } from '../../contract/scope.ts'
import { commandRules } from './wanted.ts'
import { allRequiredPassed } from '../gate/run-verdict.ts'
import type { Attempt, ChangedFile } from '../model.ts'
import type { CheckOutcome, ResultsFile } from './results-file.ts'

/** What is wrong with them, in words, or null. `files` is what changed, or null where GitHub cannot tell. */
export function wrongContents(
  attempt: Attempt,
  results: ResultsFile,
  files: readonly ChangedFile[] | null,
): string | null {
  const rules = commandRules(attempt)
  return (
    wrongNames(rules, results) ??
    first(rules, (rule) => wrongOutcome(rule, results)) ??
    first(rules, (rule) => wronglyLeftOut(rule, results, files)) ??
    first(results.checks, contradiction) ??
    wrongOnTier1(results)
  )
}

function wrongOnTier1({ tier1 }: ResultsFile): string | null {
  const denies = tier1?.passed === true && tier1.checks.some(({ passed }) => !passed)
  return denies ? 'it says that tier 1 passed, and names what failed in it' : null
}

/** Where each check has a job of its own, the job that is tier 1 speaks of nothing else, and ends as tier 1 does. */
export function wrongTier1(results: ResultsFile, conclusion: string | null): string | null {
  const { checks, left_out, tier1 } = results
  if (checks.length > 0 || left_out.length > 0) return 'it speaks of checks, which have jobs of their own'
  if (tier1 === null) return 'it lacks tier 1'
  const [says, ended] = [tier1.passed, conclusion === 'success'].map((well) => (well ? 'passed' : 'failed'))
  if (says !== ended) return `it says that tier 1 ${says}, and its job ${ended}`
  return wrongOnTier1(results)
}

function wrongNames(rules: readonly CheckRule[], { checks, left_out }: ResultsFile): string | null {
  const names = [...checks.map(({ name }) => name), ...left_out]
  const strange = names.find((name) => !rules.some((rule) => rule.name === name))
  if (strange !== undefined) return `it names \`${strange}\`, which is no command of this contract: ${ofEditedTask}`
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? null : `it names \`${twice}\` twice`
}

/** A run reads the task as it stands; the contract has it as it counts. */
const ofEditedTask =
  'where the text of the task was edited meanwhile, push; an edit that does not count has to be taken back first'

function wrongOutcome(rule: CheckRule, { checks }: ResultsFile): string | null {
  const outcome = checks.find(({ name }) => name === rule.name)
  if (outcome === undefined) return null
  if (outcome.command !== rule.command) return `it ran another command as \`${rule.name}\``
  if (outcome.required === rule.required) return null
  return `it says that \`${rule.name}\` is ${outcome.required ? '' : 'not '}required, and the contract says otherwise`
}

function wronglyLeftOut(
  { name, paths }: CheckRule,
  { left_out }: ResultsFile,
  files: readonly ChangedFile[] | null,
): string | null {
  if (!left_out.includes(name)) return null
  if (paths === undefined) return `it leaves out \`${name}\`, which has no \`paths\``
  const isTouched = files !== null && touched(files).some((one) => concerns(paths, one))
  return isTouched ? `it leaves out \`${name}\`, although its \`paths\` changed` : null
}

function contradiction({ name, passed, exit_code, error_code }: CheckOutcome): string | null {
  const clean = exit_code === 0 && error_code === null
  return passed && !clean ? `it says that \`${name}\` passed with exit code ${exit_code}` : null
}

/**
 * The run of the Action fails when what it found does, and only then; in shadow mode it never fails. A required check
 * that is not there has failed, so a run that passed without one ran something else.
 */
export function runContradicts(attempt: Attempt, results: ResultsFile, conclusion: string | null): string | null {
  const { checks, left_out, tier1 } = results
  const isThere = ({ name }: CheckRule): boolean => left_out.includes(name) || checks.some((one) => one.name === name)
  const lacking = commandRules(attempt).filter((rule) => !isThere(rule))
  const failed = !allRequiredPassed(checks) || tier1?.passed === false || lacking.some(({ required }) => required)
  if (conclusion !== 'success') return failed ? null : 'it says that everything passed, and its run failed'
  const [first] = lacking
  if (first !== undefined) return `it lacks \`${first.name}\`, and its run passed: ${ofEditedTask}`
  const isShadow = attempt.contract.policy.mode === 'shadow'
  return failed && !isShadow ? 'it says that something required failed, and its run passed' : null
}

function first<T>(list: readonly T[], wrong: (one: T) => string | null): string | null {
  for (const one of list) {
    const found = wrong(one)
    if (found !== null) return found
  }
  return null
}
