// What a decision must not keep quiet about although it does not block.
import { gateNames } from '../gate-report.ts'
import { whoMay } from '../../people/naming.ts'
import { leastPermission } from '../../people/permission.ts'
import { accountOf, isSame } from '../../people/people.ts'
import { aheadWarnings } from './ahead.ts'
import { confirmedByVerifier, rulesThatApply, type Facts } from './facts.ts'
import { isProposal } from './proposal.ts'
import type { Decision, Warning } from '../decision.ts'

const warning = (code: Warning['code'], subject: string | null = null, detail: string | null = null): Warning => ({
  code,
  subject,
  detail,
})

export function warningsOf(facts: Facts, { status, row }: Decision): Warning[] {
  const always = [...failedAdvice(facts), ...aheadWarnings(facts, row === 'parallel'), ...drifted(facts)]
  if (status !== 'success') return always
  return [...ofProposal(facts), ...unchecked(facts), ...votes(facts), ...byGates(facts), ...always, ...alone(facts)]
}

const ofProposal = ({ attempt }: Facts): Warning[] =>
  isProposal(attempt) ? [warning('judged_by_proposal', attempt.base_ref)] : []

function unchecked({ attempt, policy, required }: Facts): Warning[] {
  const { checks, verifier } = policy.verification
  const warnings: Warning[] = []
  if (checks.length === 0) warnings.push(warning('no_checks_ran'))
  else if (rulesThatApply(attempt).length === 0) warnings.push(warning('no_check_applied'))
  else if (required.length === 0) warnings.push(warning('no_required_check'))
  if (verifier.enabled === 'auto' && verifier.tier > 1 && !attempt.model_available)
    warnings.push(warning('verifier_off'))
  return warnings
}

function votes({ verdict }: Facts): Warning[] {
  const count = verdict?.verdict.votes ?? null
  if (count === null || count.pass === count.valid) return []
  return [warning('not_unanimous', String(count.pass), String(count.valid))]
}

/** What lets it pass with findings has not found nothing. */
const byGates = ({ attempt, policy }: Facts): Warning[] =>
  gateNames.flatMap((gate) => {
    const record = policy.security[gate].enabled ? attempt.gates[gate] : undefined
    return record?.verdict === 'PASS_WITH_FINDINGS' ? [warning('gate_remarks', gate, record.summary)] : []
  })

/** A check that is not required only informs. */
function failedAdvice({ attempt }: Facts): Warning[] {
  return rulesThatApply(attempt).flatMap(({ name, required }) => {
    const state = attempt.checks[name]?.state
    const failed = !required && (state === 'failed' || state === 'timed_out' || state === 'missing')
    return failed ? [warning('advisory_failed', name, state)] : []
  })
}

/** One person in two of the three parts is known to be weaker, so it shows. */
function alone(facts: Facts): Warning[] {
  const { attempt, policy, acts, approvals } = facts
  const warnings = acts.filter(({ solo }) => solo).map(({ user }) => warning('solo_act', user))
  for (const { by, solo } of approvals) if (solo) warnings.push(warning('solo_act', by))
  const by = attempt.confirmed_by
  if (by !== null) {
    const both = by.separation === 'solo' || approvals.some((review) => isSame(accountOf(review), accountOf(by)))
    if (both) warnings.push(warning('solo_verification', by.by))
  } else if (policy.merge_requires === 'verified' && confirmedByVerifier(facts)) {
    warnings.push(warning('solo_verification', 'the built-in verifier'))
  }
  return warnings
}

/** What the task asks by now, and who may have this commit judged by it. */
function drifted({ attempt, task }: Facts): Warning[] {
  const { drift, contract, census } = attempt
  if (drift === null) return []
  const { added, gone, remarks } = drift
  const isOther = drift.contract_hash !== contract.contract_hash
  const who = whoMay(census, leastPermission(attempt), task.builders)
  return [
    ...added.map((one) => warning('criterion_new', who, one)),
    ...gone.map((one) => warning('criterion_gone', who, one)),
    ...(isOther && added.length + gone.length === 0 ? [warning('task_changed', who)] : []),
    ...remarks.map((one) => warning('edit_ignored', null, one)),
  ]
}
