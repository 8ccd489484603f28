// An attempt that opens again as it did, under another policy: what its task asks beside the policy is read anew from the
// texts on record.
import { digest } from '../canonical.ts'
import type { Contract } from '../contract/task/contract.ts'
import type { Policy } from '../contract/policy/policy.ts'
import { readContract, type ReadContract } from '../contract/task/read-contract.ts'
import { taskNumber } from '../contract/task/task-sources.ts'
import type { OpenAttempt } from '../decision/rules/inputs.ts'
import type { ReasonCode } from '../decision/decision.ts'
import type { TaskSource, TaskState } from '../decision/model.ts'
import type { RecordedEvent } from '../decision/record/events.ts'
import { numberIn } from '../names.ts'

type Started = Extract<RecordedEvent, { type: 'AttemptStarted' }>

export function openedUnder(task: TaskState, { data, head_sha }: Started, policy: Policy): OpenAttempt {
  const { builder_set: builders, pull } = data
  const sources = data.sources ?? task.sources
  const { contract, invalid } = contractUnder(data.contract, { sources, pull, policy })
  return {
    ...data,
    type: 'open_attempt',
    title: '',
    head_sha: head_sha ?? '',
    sources,
    contract,
    policy_source: { sha: '', problems: [] },
    invalid: [...data.invalid.filter(({ code }) => !ofThePolicy.includes(code)), ...invalid],
    remarks: [],
    builders,
    announced: null,
  }
}

/** The other policy is there, and can be read. */
const ofThePolicy: readonly ReasonCode[] = ['policy_invalid', 'policy_proposed', 'proposal_invalid', 'no_policy']

type Asked = { readonly sources: readonly TaskSource[]; readonly pull: number; readonly policy: Policy }

function contractUnder(
  contract: Contract,
  { sources, pull, policy }: Asked,
): Pick<ReadContract, 'contract' | 'invalid'> {
  const policy_hash = digest(policy)
  const { task_id } = contract
  const number = numberIn(task_id)
  const closed = sources.filter((source) => source.number !== pull)
  const own = sources.find((source) => source.number === number) ?? numbered(sources, taskNumber(pull, closed))
  if (own !== undefined) return readContract({ task_id, pull, own, issues: sources, policy, policy_hash })
  // Older records keep what was made of the texts, and not the texts.
  const { contract_hash: _old, ...rest } = contract
  const unhashed = { ...rest, policy, policy_hash }
  return { contract: { ...unhashed, contract_hash: digest(unhashed) }, invalid: [] }
}

const numbered = (sources: readonly TaskSource[], number: number): TaskSource | undefined =>
  sources.find((source) => source.number === number) ?? sources[0]
