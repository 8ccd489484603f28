// The contract of one small task under a policy, with the keys that its warnings name.
import { makeContract, type BlockInput } from '../../src/core/contract/task/make-contract.ts'
import { policySchema, type PolicyInput } from '../../src/core/contract/policy/policy.ts'

type Asking = { policy?: PolicyInput; block?: string; by?: BlockInput['edited_by']; source?: BlockInput['source'] }

export function contractOf(
  { policy = {}, block, by = 'other', source = 'issue' }: Asking,
  more: readonly BlockInput[] = [],
) {
  const blocks = block === undefined ? [] : [{ text: block, source, edited_by: by }]
  const task = { task_id: 'acme/shop#7', title: 'Fix the shop', body: 'Make it work.' }
  const reading = makeContract({ ...task, policy: policySchema.parse(policy), blocks: [...blocks, ...more] })
  if ('unreadable' in reading) throw new Error(JSON.stringify(reading.unreadable))
  return { ...reading, keys: reading.warnings.map(({ key }) => key) }
}
