// An attempt that is no pull request's: what the verifier has to know of one, for changes of a labelled set and for what is
// not pushed yet.
import type { Contract } from '../../core/contract/task/contract.ts'
import { untouched } from '../../core/decision/record/untouched.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { CheckResult } from '../../core/decision/model.ts'

export function loneAttempt(contract: Contract, results: readonly CheckResult[]): Attempt {
  const records = results.map((result) => {
    const { name, passed } = result
    return [name, { id: name, name, state: passed ? 'passed' : 'failed', result } as const] as const
  })
  const sha = 'e'.repeat(40)
  return {
    ...untouched,
    id: `eval/set#2@${sha}`,
    ordinal: 1,
    pull: 2,
    head_sha: sha,
    tree_sha: sha,
    head_at: '',
    protection: null,
    remarks: [],
    base_ref: 'main',
    repository: '',
    policy_hash: '',
    merges_into: 'main',
    merges_base: false,
    head_branch: null,
    results_since: null,
    guest: false,
    check_name: 'countersign',
    group: null,
    contract,
    invalid: [],
    policy_unreadable: false,
    builder_known: true,
    builders: [{ id: null, login: 'builder', kind: 'bot', permission: 'write', teams: [], via: ['author'] }],
    limited: true,
    model_available: true,
    census: { admin: 1, maintain: 0, write: 0, complete: true },
    waiting_since: '',
    decided_at: '',
    checks: Object.fromEntries(records),
  }
}
