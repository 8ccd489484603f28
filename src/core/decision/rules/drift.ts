// What a task asks by now, held against what an attempt is judged by. The contract of the attempt stays as it was frozen.
import { equal } from '../../canonical.ts'
import type { Attempt } from '../model.ts'
import type { NewEvent } from '../record/events.ts'
import type { Input } from './inputs.ts'

const CRITERIA_MAX = 20
const CRITERION_MAX = 300

/** Nothing where it asks for what was said of it last. */
export function drifted(
  { id: attempt_id, head_sha, contract: before, remarks: said, drift, live }: Attempt,
  { contract, remarks }: Extract<Input, { type: 'note_drift' }>,
): NewEvent[] {
  const { contract_hash } = contract
  const without = (some: readonly string[], others: readonly string[]): string[] =>
    some.flatMap((one) => (others.includes(one) ? [] : [one.slice(0, CRITERION_MAX)])).slice(0, CRITERIA_MAX)
  const [was, is] = [before.acceptance_criteria, contract.acceptance_criteria]
  const data = { contract_hash, added: without(is, was), gone: without(was, is), remarks: without(remarks, said) }
  const unchanged = { contract_hash: before.contract_hash, added: [], gone: [], remarks: [] }
  if (!live || equal(data, drift ?? unchanged)) return []
  return [{ type: 'DelegationDrift', attempt_id, head_sha, data }]
}
