// Which part of a policy a job is asked to do. Where the policy wants a job for each check, a job without `check` is tier 1
// alone, which no code of the change can reach then; else one job does everything. What is asked for and cannot be had is
// refused: a job that ran nothing must not end like one whose check passed.
import { commandsOf, planChecks, type CommandRule, type Plan } from '../src/checks/runner/plan.ts'
import type { Policy } from '../src/core/contract/policy/policy.ts'
import type { ChangedFile } from '../src/core/decision/model.ts'
import { runWords } from '../src/core/words/run/run-words.ts'

export type Part =
  | { readonly kind: 'all' }
  | { readonly kind: 'tier1' }
  | { readonly kind: 'check'; readonly rule: CommandRule }
/** Why nothing can be done, for people, once they are told by the policy of which branch. */
type Refusal = { readonly words: (branch: string) => string }

export function partOf(policy: Policy, check: string): Part | Refusal {
  const { isolation } = policy.verification.execution
  if (isolation !== 'job') {
    return check === '' ? { kind: 'all' } : { words: (branch) => runWords.notOneCheck(check, branch, isolation) }
  }
  if (check === '') return { kind: 'tier1' }
  const commands = commandsOf(policy)
  const rule = commands.find(({ name }) => name === check)
  if (rule !== undefined) return { kind: 'check', rule }
  const known = commands.map(({ name }) => name)
  return { words: () => runWords.unknownCheck(check, known) }
}

/** One check alone runs whatever changed: a job that left it out would end like one in which it passed. */
export function planOf(part: Part, policy: Policy, files: readonly ChangedFile[]): Plan {
  if (part.kind === 'all') return planChecks(policy, files)
  return { run: part.kind === 'check' ? [part.rule] : [], left_out: [] }
}
