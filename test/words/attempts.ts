// Small attempts and tasks for the tests of what the next attempt is told: defaults that a test overrides where it cares.
import { builtInPolicy, policySchema, type Policy, type PolicyInput } from '../../src/core/contract/policy/policy.ts'
import type { Attempt, CheckRecord, CheckState, TaskState } from '../../src/core/decision/model.ts'
import type { Verdict } from '../../src/core/decision/verdict.ts'
import type { Decision, RowName } from '../../src/core/decision/decision.ts'
import { emptyTask } from '../../src/core/decision/record/evolve.ts'
import { retryContext } from '../../src/core/words/retry/retry-context.ts'

export const policyOf = (input: PolicyInput): Policy => policySchema.parse(input)

export function anAttempt(given: Partial<Attempt> = {}, policy = builtInPolicy): Attempt {
  const ordinal = given.ordinal ?? 1
  return {
    id: `t#${ordinal}`,
    ordinal,
    pull: 7,
    head_sha: String(ordinal).repeat(40),
    tree_sha: String(ordinal).repeat(40),
    repository: 'R1',
    policy_hash: '',
    merges_into: 'main',
    merges_base: false,
    head_branch: null,
    results_since: null,
    guest: false,
    faults: {},
    base_ref: 'main',
    check_name: 'countersign',
    head_at: '2026-01-01T00:00:00Z',
    asked: [],
    group: null,
    policy_copy: null,
    policy_effect: [],
    files_complete: true,
    paths: null,
    ahead: { pulls: [], gone: [] },
    regressions: [],
    stages: null,
    stage_results: {},
    drift: null,
    protection: null,
    remarks: [],
    refused: [],
    builders: [],
    merged: null,
    deployments: [],
    merged_by: null,
    contract: {
      task_id: 'acme/shop#4',
      description: '',
      acceptance_criteria: [],
      expected_outputs: [],
      expected_file_types: [],
      stakes: 'low',
      depends_on: [],
      brief: null,
      task_scope: { write: null, deny: [] },
      expectations: [],
      middleware_override: null,
      policy,
      policy_hash: '',
      contract_hash: '',
    },
    invalid: [],
    policy_unreadable: false,
    builder_known: true,
    limited: true,
    model_available: true,
    census: { admin: 1, maintain: 0, write: 0, complete: true },
    state: 'RETRY',
    live: true,
    files: [{ path: 'src/cart.ts', previous_path: null, status: 'modified' }],
    scope_violations: [],
    diff: null,
    tier1: null,
    checks: {},
    obstacle: null,
    waited: false,
    waiting_since: '2026-01-01T00:00:00Z',
    verifier: { phase: 'idle' },
    gates: {},
    screenshots: null,
    acts: [],
    confirmed_by: null,
    decision: aDecision('checks'),
    decided_at: '2026-01-01T00:00:00Z',
    ...given,
  }
}

export function aDecision(row: RowName, given: Partial<Decision> = {}): Decision {
  return { status: 'retry', by: null, row, reasons: [], warnings: [], who_can_unblock: [], evidence: [], ...given }
}

export const aTask = (...attempts: Attempt[]): TaskState => ({
  ...emptyTask('acme/shop#4'),
  status: 'in_progress',
  attempts,
  opened: Object.fromEntries(attempts.map(({ pull, id }) => [pull, id])),
})

const exitCodes = { running: 0, passed: 0, failed: 1, timed_out: 124, missing: -1, left_out: 0 } as const

export function checks(...given: readonly (readonly [name: string, state: CheckState, output?: string])[]) {
  const records = given.map(([name, state, output = '']): CheckRecord => {
    const result = {
      name,
      passed: state === 'passed',
      exit_code: exitCodes[state],
      output,
      duration_ms: 900,
      required: true,
    }
    return { id: `${name}@1`, name, state, result: state === 'missing' || state === 'running' ? null : result }
  })
  return Object.fromEntries(records.map((record) => [record.name, record]))
}

export const answered = (given: Partial<Verdict> = {}): Attempt['verifier'] => ({
  phase: 'answered',
  id: 'v1',
  shown: true,
  verdict: {
    outcome: 'SOFT_FAIL',
    reason_code: null,
    confidence: 0.9,
    reasoning: '',
    feedback: 'The total ignores the voucher.',
    objections: [],
    votes: null,
    evaluator: { login: '', agent_id: '', session_id: '', model_id: '', model_family: '' },
    ...given,
  },
})
export const unavailable: Attempt['verifier'] = { phase: 'unavailable', id: 'v1', reason: 'deadline', retry_at: null }

export const rejection = (user: string, reason: string): Attempt['acts'][number] => ({
  id: `${user}@1`,
  type: 'REJECTION',
  user,
  user_id: null,
  label: null,
  seq: 1,
  permission: 'write',
  reason,
  at: '2026-01-01T00:00:00Z',
  source: 'comment',
  covers: [],
  solo: false,
  standing: 'stands',
})

export const contextOf = (attempt: Attempt) => retryContext(aTask(attempt), attempt)
export const diffOf = (text: string, omitted_lines = 0) => ({ diff: { text, omitted_lines } })
export const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
