// What the Action is asked for.
import type { CheckRule, Policy } from '../../contract/policy/policy.ts'
import type { Attempt } from '../model.ts'

/** The checks that the Action is asked to run. */
export const commandRules = (attempt: Attempt): CheckRule[] =>
  attempt.contract.policy.verification.checks.filter(({ command }) => command !== undefined)

/** Whether it is asked for pictures, which a group has none of. */
export const wantsScreenshots = ({ contract, group }: Attempt): boolean =>
  group === null && looksWith(contract.policy.security.vision)

const looksWith = ({ enabled, kind }: Policy['security']['vision']): boolean => enabled && kind !== 'noop'
