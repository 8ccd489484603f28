// An attempt that opens without anything remarkable about it, for tests that say only what matters to them.
import type { Contract } from '../../src/core/contract/task/contract.ts'
import type { OpenAttempt } from '../../src/core/decision/rules/inputs.ts'

export function anOpening(
  contract: Contract,
  given: Partial<OpenAttempt> & Pick<OpenAttempt, 'head_sha'>,
): OpenAttempt {
  const base_ref = given.base_ref ?? 'main'
  return {
    type: 'open_attempt',
    repository: 'R1',
    pull: 1,
    title: 't',
    tree_sha: given.head_sha,
    base_ref,
    merges_into: base_ref,
    merges_base: false,
    head_branch: null,
    guest: false,
    sources: [],
    check_name: 'countersign',
    head_at: '2026-01-01T00:00:00Z',
    group: null,
    contract,
    policy_source: { sha: 'base', problems: [] },
    invalid: [],
    remarks: [],
    builders: [],
    builder_known: true,
    model_available: true,
    protection: null,
    announced: null,
    census: { admin: 1, maintain: 1, write: 2, complete: true },
    ...given,
  }
}
