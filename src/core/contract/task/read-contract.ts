// The contract of an attempt, read out of the texts that state its task: Markdown, and the YAML of its blocks.
import type { Reason } from '../../decision/decision.ts'
import type { Contract } from './contract.ts'
import { lackingIn } from './clear-criteria.ts'
import { defaultCriterion, makeContract, type BlockInput } from './make-contract.ts'
import { criteriaOf } from './task-text.ts'
import type { Policy } from '../policy/policy.ts'
import { beyondLimits, type PolicyProblem } from '../problem.ts'
import { taskBlocks } from './task-sources.ts'

/** A text with what is known of whoever wrote it last. */
export type WrittenText = Pick<BlockInput, 'edited_by' | 'may_run'> & {
  readonly number: number
  readonly title: string
  readonly body: string
}
export type ContractTexts = {
  readonly task_id: string
  readonly pull: number
  /** The text of the task itself. */
  readonly own: WrittenText
  /** The issues that the pull request closes; others than the task's only tighten. */
  readonly issues: readonly WrittenText[]
  readonly policy: Policy
  readonly policy_hash: string
}
export type ReadContract = {
  readonly contract: Contract
  /** Why it cannot be relied on; the contract is then what the policy alone asks. */
  readonly invalid: readonly Reason[]
  readonly remarks: readonly string[]
}

export function readContract(texts: ContractTexts): ReadContract {
  const { task_id, pull, own, issues, policy, policy_hash } = texts
  const { blocks, problems } = taskBlocks(pull, own, issues, ({ edited_by, may_run = true }) => ({
    edited_by,
    may_run,
  }))
  const unreadable = problems.map(said)
  const reading = makeContract({ task_id, title: own.title, body: own.body, policy, policy_hash, blocks })
  if ('contract' in reading) {
    const remarks = reading.warnings.map(({ key, message }) => `${key}: ${message}`)
    return { contract: reading.contract, ...clarified(texts, reading.contract, { invalid: unreadable, remarks }) }
  }
  return {
    contract: plainContract(texts),
    invalid: [...unreadable, ...reading.unreadable.map(said)],
    remarks: [],
  }
}

/** Criteria that hold for every task say nothing of this one. */
function clarified(
  { pull, own, policy }: ContractTexts,
  { acceptance_criteria: all }: Contract,
  { invalid, remarks }: Omit<ReadContract, 'contract'>,
): Omit<ReadContract, 'contract'> {
  const { clarification } = policy.intake
  // A pull request that is its own task is told where that stops it, and is not made to write what nobody asked for.
  if (clarification === 'off' || (clarification === 'warn' && own.number === pull)) return { invalid, remarks }
  const general = criteriaOf(policy.verification.verifier.criteria)
  const ofAll = new Set([defaultCriterion, ...(general.ok ? general.criteria : [])])
  const lacking = lackingIn(all.filter((one) => !ofAll.has(one)))
  if (clarification === 'warn') return { invalid, remarks: [...remarks, ...lacking.map((one) => `the task: ${one}`)] }
  const reasons = lacking.map((detail): Reason => ({ code: 'criteria_unclear', subject: null, detail }))
  return { invalid: [...invalid, ...reasons], remarks }
}

/** What the policy alone asks, without any text that would have to be read: that of its criteria is left out too. */
function plainContract({ task_id, own, policy, policy_hash }: ContractTexts): Contract {
  const { verification } = policy
  const silent = { ...policy, verification: { ...verification, verifier: { ...verification.verifier, criteria: '' } } }
  const reading = makeContract({ task_id, title: own.title, body: '', policy: silent, policy_hash, blocks: [] })
  if (!('contract' in reading)) throw new Error('a contract without any text cannot be unreadable')
  return { ...reading.contract, policy }
}

/** Where reading it took more than anybody may take. */
export const unreadContract = (texts: ContractTexts): ReadContract => ({
  contract: plainContract(texts),
  invalid: [{ code: 'contract_unreadable', subject: null, detail: beyondLimits('the text of the task') }],
  remarks: [],
})

const said = ({ file, line, message }: PolicyProblem): Reason => ({
  code: 'contract_unreadable',
  subject: null,
  detail: `${file}:${line} ${message}`,
})
