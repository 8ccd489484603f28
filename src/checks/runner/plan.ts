// Which checks of a policy a run has to do: those with a command that the change concerns. Checks that are adopted from
// other CI are nobody's business here.
import type { CheckRule, Policy } from '../../core/contract/policy/policy.ts'
import { concerns, touched } from '../../core/contract/scope.ts'
import type { ChangedFile } from '../../core/decision/model.ts'

export type CommandRule = CheckRule & { readonly command: string }
export type Plan = {
  readonly run: readonly CommandRule[]
  /** Names of those that their own `paths` leave out. */
  readonly left_out: readonly string[]
}

export const commandsOf = ({ verification }: Policy): CommandRule[] => verification.checks.filter(hasCommand)

export function planChecks(policy: Policy, files: readonly ChangedFile[]): Plan {
  const all = touched(files)
  const commands = commandsOf(policy)
  const applies = ({ paths }: CommandRule) => paths === undefined || all.some((one) => concerns(paths, one))
  return {
    run: commands.filter(applies),
    left_out: commands.filter((check) => !applies(check)).map(({ name }) => name),
  }
}

const hasCommand = (check: CheckRule): check is CommandRule => check.command !== undefined
