// The contract: what a task asks and by which policy it is judged. Frozen and hashed when an attempt opens.
import type { VisualExpectation } from './expectations.ts'
import type { Policy } from '../policy/policy.ts'

export type Stakes = 'low' | 'medium' | 'high' | 'critical'

/** Narrows the policy's scope: a path must be allowed by both. A null `write` narrows nothing. */
export type TaskScope = { readonly write: readonly string[] | null; readonly deny: readonly string[] }

export type Contract = {
  readonly task_id: string
  readonly description: string
  readonly acceptance_criteria: readonly string[]
  readonly expected_outputs: readonly string[]
  readonly expected_file_types: readonly string[]
  readonly task_scope: TaskScope
  readonly stakes: Stakes
  readonly depends_on: readonly string[]
  readonly brief: string | null
  readonly expectations: readonly VisualExpectation[]
  readonly middleware_override: readonly string[] | null
  /** The policy that governs, already tightened by the task's own block. */
  readonly policy: Policy
  readonly policy_hash: string
  readonly contract_hash: string
}
