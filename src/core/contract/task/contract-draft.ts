// A contract in the making: what the task asks so far, to which each block adds its wishes. Settings of the policy are
// tightened elsewhere; here is the rest.
import { digest } from '../../canonical.ts'
import type { Stakes, TaskScope } from './contract.ts'
import type { VisualExpectation } from './expectations.ts'
import type { Policy } from '../policy/policy.ts'
import type { PolicyProblem } from '../problem.ts'
import type { TaskBlock } from './task-block.ts'
import type { ContractWarning } from './tighten.ts'
import type { JsonObject } from '../tree.ts'

export type ContractDraft = {
  readonly policy: Policy
  readonly criteria: readonly string[]
  readonly scope: TaskScope
  readonly stakes: Stakes
  readonly depends_on: readonly string[]
  readonly brief: string | null
  readonly expectations: readonly VisualExpectation[]
  readonly middleware: readonly string[] | null
  readonly warnings: readonly ContractWarning[]
  readonly problems: readonly PolicyProblem[]
}

export function emptyDraft(policy: Policy): ContractDraft {
  return {
    policy,
    criteria: [],
    scope: { write: null, deny: [] },
    stakes: 'medium',
    depends_on: [],
    brief: null,
    expectations: [],
    middleware: null,
    warnings: [],
    problems: [],
  }
}

/** `asked` tells what the block says from what its schema fills in. */
export function withWishes(
  draft: ContractDraft,
  block: TaskBlock,
  asked: JsonObject,
  { trusted, repository }: { readonly trusted: boolean; readonly repository: string },
): ContractDraft {
  const stakes = stakesOf(draft.stakes, block.stakes ?? draft.stakes, trusted)
  const scope = scopeOf(draft.scope, block.scope, asked['scope'])
  const brief = draft.brief === null || block.brief === undefined ? [] : [briefTaken]
  const tasks = block.depends_on.map((task) => (typeof task === 'number' ? `#${task}` : task))
  const named = tasks.map((task) => (task.startsWith('#') ? repository + task : task))
  return {
    ...draft,
    criteria: [...draft.criteria, ...block.acceptance_criteria],
    scope: scope.value,
    stakes: stakes.value,
    depends_on: [...new Set([...draft.depends_on, ...named])],
    brief: draft.brief ?? block.brief ?? null,
    expectations: [...draft.expectations, ...block.expectations],
    middleware: block.middleware_override ?? draft.middleware,
    warnings: [...draft.warnings, ...stakes.warnings, ...scope.warnings, ...brief],
  }
}

type Wish<T> = { readonly value: T; readonly warnings: readonly ContractWarning[] }

const briefTaken: ContractWarning = {
  key: 'brief',
  message: 'Another block of this task has a brief already, which stands.',
}

const stakesInOrder: readonly Stakes[] = ['low', 'medium', 'high', 'critical']

function stakesOf(present: Stakes, wanted: Stakes, trusted: boolean): Wish<Stakes> {
  if (stakesInOrder.indexOf(wanted) >= stakesInOrder.indexOf(present)) return { value: wanted, warnings: [] }
  const message = trusted
    ? `The task lowers its stakes from \`${present}\` to \`${wanted}\`. Whoever edited its block last may do so.`
    : `The task may raise its stakes, not lower them to \`${wanted}\`: they stay \`${present}\`.`
  return { value: trusted ? wanted : present, warnings: [{ key: 'stakes', message }] }
}

/** Of two lists of writable paths only the patterns in both count: what one block does not allow, no other can. */
function scopeOf(before: TaskScope, wanted: TaskBlock['scope'], asked: unknown): Wish<TaskScope> {
  const own = asked !== null && typeof asked === 'object' && 'write' in asked ? wanted.write : null
  const deny = [...new Set([...before.deny, ...wanted.deny])]
  if (before.write === null || own === null) return { value: { write: own ?? before.write, deny }, warnings: [] }
  const write = before.write.filter((glob) => own.includes(glob))
  const message = 'Two blocks of this task name writable paths. Only the patterns that both of them list count.'
  const warnings = digest(before.write) === digest(own) ? [] : [{ key: 'scope.write', message }]
  return { value: { write, deny }, warnings }
}
