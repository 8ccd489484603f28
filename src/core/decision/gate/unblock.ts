// Who can change a decision, and with which words. Every row but `success` has an act that lifts it.
import { leastPermission } from '../../people/permission.ts'
import { sameLogin } from '../../people/people.ts'
import { eligibleOutside } from '../../people/separation.ts'
import type { Facts } from './facts.ts'
import type { Decision, RowName, Unblock } from '../model.ts'

export function unblockers(facts: Facts, decision: Decision): Unblock[] {
  if (decision.status === 'success') return []
  const { policy, attempt } = facts
  const needed = leastPermission(attempt)
  const minimum = `Somebody with ${needed} permission who is not a builder`
  const { check_override_allowed, verifier_override_allowed, direct_approval_allowed } = policy.override_policy
  const words = (text: string, who: string = minimum): Unblock[] => [{ words: text, who }]
  const verifier = verifier_override_allowed ? words('/override --verifier <reason>') : []
  const checks = check_override_allowed ? named(facts, decision).flatMap((name) => words(overrideWords(name))) : []
  const byRow = {
    invalid: () => [
      ...words('repair the policy on the base branch', 'An admin'),
      ...words('/ack <reason>', 'An admin'),
    ],
    rejected: () => words('/revoke', facts.rejection?.user ?? ''),
    approved: () => [],
    spent: () => [...words('/retry <reason>'), ...words('/override <reason>')],
    scope: () => [...words('push a change within the scope', 'The builder'), ...words('/ack <reason>')],
    protected: () => words('/ack <reason>'),
    tier1: () => [...words('push a fix', 'The builder'), ...checks],
    pending: () => checks,
    hard: () => verifier,
    checks: () => [...words('push a fix', 'The builder'), ...checks],
    soft: () => [...words('push a fix', 'The builder'), ...verifier],
    unavailable: () => [...words('/verify'), ...verifier],
    refer: () => [
      ...(policy.override_policy.review_resolves_refer ? words('an approving review of this commit') : []),
      ...verifier,
    ],
    vacuous: () => [...words('define checks or a verifier in the policy', 'An admin'), ...words('/override <reason>')],
    review: () => words('an approving review of this commit', eligible(facts, 'reviewer')),
    block: () => [...words('push a fix', 'The builder'), ...verifier],
    confirmation: () => words('/task verify <notes>', eligible(facts, 'verifier')),
    success: () => [],
  } satisfies Record<RowName, () => Unblock[]>
  const approvable: readonly RowName[] = ['invalid', 'rejected', 'approved', 'success']
  const direct = direct_approval_allowed && !approvable.includes(decision.row) ? words('/approve <reason>') : []
  return [...byRow[decision.row](), ...direct]
}

/** The checks that the reasons name, which an override may name in turn. */
function named({ policy }: Facts, { row, reasons }: Decision): string[] {
  if (row === 'tier1') return ['tier1']
  const names = policy.verification.checks.map(({ name }) => name)
  return [...names, 'tier1'].filter((name) => reasons.some(({ subject }) => subject === name))
}

const overrideWords = (name: string): string =>
  `/override --check ${/^[\w./:-]+$/.test(name) ? name : JSON.stringify(name)} <reason>`

function eligible({ policy, attempt, task }: Facts, role: 'reviewer' | 'verifier'): string {
  const outside = policy.roles[role].filter((name) => !task.builders.some(({ login }) => sameLogin(login, name)))
  if (outside.length > 0) return outside.join(', ')
  if (eligibleOutside(policy, attempt.census, task.builders) === 0) return 'Nobody eligible exists today'
  return 'Somebody with write permission who is not a builder'
}
