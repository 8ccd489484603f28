// An issue and a policy to the contract that an attempt is judged by. The task's blocks add and tighten; criteria come
// from the policy, the blocks and the issue, and all of them are kept.
import { digest } from '../../canonical.ts'
import { emptyDraft, withWishes, type ContractDraft } from './contract-draft.ts'
import type { Contract } from './contract.ts'
import { policySchema, type Policy } from '../policy/policy.ts'
import { flawOfAll, report, type Flaw, type PolicyProblem } from '../problem.ts'
import { readTaskBlock } from './task-block.ts'
import { criteriaOf, headedCriteria, type CriteriaSearch } from './task-text.ts'
import { tighten, type ContractWarning } from './tighten.ts'
import { repositoryIn } from '../../names.ts'

export type BlockInput = {
  readonly text: string
  readonly source: 'issue' | 'pull_request' | 'other_issue'
  /** Trusted is a human of `min_permission` outside the builder set. */
  readonly edited_by: 'builder' | 'trusted' | 'other'
  /** Whether commands that it adds may run. An issue may be anybody's, and a command runs on somebody's machine. */
  readonly may_run?: boolean
  /** Where people find the block, such as `acme/shop#12`. */
  readonly file?: string
}
export type ContractInput = {
  readonly task_id: string
  readonly title: string
  /** Text of the issue, or of the pull request when it closes none. */
  readonly body: string
  readonly policy: Policy
  readonly policy_hash?: string
  readonly blocks: readonly BlockInput[]
}
export type ContractReading =
  | { readonly contract: Contract; readonly warnings: readonly ContractWarning[] }
  | { readonly unreadable: readonly PolicyProblem[] }

export const defaultCriterion = 'The subtask description should be fully satisfied.'
export const CRITERIA_MAX = 200

export function makeContract(input: ContractInput): ContractReading {
  const { task_id, title, body, policy } = input
  const description = [title.trim(), body.trim()].filter((text) => text !== '').join('\n\n')
  // A copy, since the contract will be frozen and the policy is not ours.
  const empty = emptyDraft(structuredClone(policy))
  const start = withCriteria(empty, criteriaOf(policy.verification.verifier.criteria), 'the policy')
  const asked = input.blocks.reduce((draft, block) => withBlock(draft, block, task_id), start)
  const draft = withCriteria(asked, headedCriteria(body), 'the text of the task')
  const criteria = [...new Set(draft.criteria)]
  const problems = [...draft.problems, ...report(criteriaFlaws(criteria), 'the text of the task')]
  if (problems.length > 0) return { unreadable: problems }
  const { tier1 } = draft.policy.verification
  const unhashed = {
    task_id,
    description,
    acceptance_criteria: criteria.length > 0 || description === '' ? criteria : [defaultCriterion],
    expected_outputs: tier1.expected_outputs,
    expected_file_types: tier1.expected_file_types,
    task_scope: draft.scope,
    stakes: draft.stakes,
    depends_on: draft.depends_on,
    brief: draft.brief,
    expectations: draft.expectations,
    middleware_override: draft.middleware,
    policy: draft.policy,
  }
  const hashes = { policy_hash: input.policy_hash ?? digest(policy), contract_hash: digest(unhashed) }
  return { contract: frozen({ ...unhashed, ...hashes }), warnings: draft.warnings }
}

function withCriteria(draft: ContractDraft, search: CriteriaSearch, file: string): ContractDraft {
  if (search.ok) return { ...draft, criteria: [...draft.criteria, ...search.criteria] }
  return { ...draft, problems: [...draft.problems, ...report([search.flaw], file)] }
}

function criteriaFlaws(criteria: readonly string[]): Flaw[] {
  if (criteria.length <= CRITERIA_MAX) return []
  return [
    flawOfAll(`The task has ${criteria.length} acceptance criteria; ${CRITERIA_MAX} are the most. Split the task.`),
  ]
}

const placeOf = {
  issue: 'the issue',
  pull_request: 'the pull request',
  other_issue: 'another issue that the pull request closes',
} as const satisfies Record<BlockInput['source'], string>

function withBlock(draft: ContractDraft, input: BlockInput, taskId: string): ContractDraft {
  const file = input.file ?? placeOf[input.source]
  const known = draft.policy.verification.checks.map(({ name }) => name)
  const reading = readTaskBlock(input.text, file, known)
  if (!reading.ok) return { ...draft, problems: [...draft.problems, ...reading.problems] }
  // The other issues that a pull request closes only tighten, whoever edited them.
  const trusted = input.edited_by === 'trusted' && input.source !== 'other_issue'
  const { block, asked } = reading
  const tightened = tighten(draft.policy, block, asked, trusted)
  const policy = policySchema.safeParse(tightened.policy)
  if (!policy.success) {
    const flaw = flawOfAll('Together with the policy this block goes beyond a limit, such as the number of checks.')
    return { ...draft, problems: [...draft.problems, ...report([flaw], file)] }
  }
  const runnable =
    input.may_run === false ? withoutNewCommands(policy.data, known, file) : { policy: policy.data, warnings: [] }
  const warnings = [...draft.warnings, ...tightened.warnings, ...runnable.warnings]
  const governed = { ...draft, policy: runnable.policy, warnings }
  const ownCriteria = withCriteria(governed, criteriaOf(block.verification.verifier.criteria), file)
  return withWishes(ownCriteria, block, asked, { trusted, repository: repositoryIn(taskId) })
}

function withoutNewCommands(
  policy: Policy,
  known: readonly string[],
  file: string,
): { readonly policy: Policy; readonly warnings: readonly ContractWarning[] } {
  const { checks } = policy.verification
  const left = checks.filter(({ name, command }) => command !== undefined && !known.includes(name))
  const kept = checks.filter((check) => !left.includes(check))
  const warnings = left.map(({ name }) => ({
    key: 'verification.checks',
    message: `the check ${name} of ${file} is not run, since whoever wrote it last may not write to this repository`,
  }))
  return { policy: { ...policy, verification: { ...policy.verification, checks: kept } }, warnings }
}

/** A contract does not change once an attempt has opened under it. */
function frozen<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
