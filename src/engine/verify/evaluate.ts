// A labelled set of changes through the verifier as it is, with a live model or with answers on file: what the gate would
// stop before is stopped here too, so that no model is asked about it.
import type { Policy } from '../../core/contract/policy.ts'
import { untouched } from '../../core/decision/record/untouched.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Model } from '../../verifier/calls/model.ts'
import type { EvalRow } from '../../verifier/weighing/score.ts'
import { builtInVerifier, type VerifierPorts } from './verifier.ts'
import { changeOf, plainPolicy, stopOf, taskOf, type EvalCase } from './eval-set.ts'
import { tierOf } from './tier.ts'

export type EvalPorts = Omit<VerifierPorts, 'model' | 'evidence'>
export type EvalOptions = {
  readonly modelFor: (one: EvalCase) => Model
  readonly policy?: Policy
  readonly repeats?: number
  /** Before each run, counted from 1: a live set takes minutes. */
  readonly begun?: (nth: number, one: EvalCase) => void
}

export async function evaluateSet(
  cases: readonly EvalCase[],
  ports: EvalPorts,
  { modelFor, policy, repeats = 1, begun }: EvalOptions,
): Promise<EvalRow[]> {
  const rows: EvalRow[] = []
  for (const one of cases) {
    for (let round = 0; round < repeats; round += 1) {
      begun?.(rows.length + 1, one)
      rows.push(await evaluateOne(one, ports, modelFor(one), policy))
    }
  }
  return rows
}

async function evaluateOne(
  one: EvalCase,
  ports: EvalPorts,
  model: Model,
  policy: Policy = plainPolicy,
): Promise<EvalRow> {
  const attempt = attemptOf(one, policy)
  const change = changeOf(one)
  const { name, label } = one
  const stopped = {
    name,
    label,
    tier: tierOf(attempt),
    outcome: 'SOFT_FAIL',
    reason: null,
    confidence: null,
    evidence: none,
    coverage: { shown: 0, changed: 0 },
    usd: 0,
    ms: 0,
    calls: 0,
  } as const
  const stop = stopOf(one)
  if (stop !== null) return { ...stopped, decided_by: stop }
  const evidence = { change: async () => change, past: async () => [], declaredModels: async () => [] }
  const verifier = builtInVerifier(
    { ...ports, model, evidence },
    { login: async () => 'countersign[bot]', secrets: [], judgeGate: noGate },
  )
  const answer = await verifier.verify(attempt, `eval ${name}`, name)
  const cost = answer.type === 'report_verdict' ? answer.examined?.cost : answer.cost
  const spent = {
    usd: cost?.usd ?? 0,
    calls: cost?.calls.length ?? 0,
    ms: cost?.calls.reduce((sum, { ms }) => sum + ms, 0) ?? 0,
  }
  const row = { ...stopped, ...spent, decided_by: 'verifier' } as const
  if (answer.type === 'report_unavailable') return { ...row, outcome: 'UNAVAILABLE', reason: answer.reason }
  const { outcome, reason_code: reason, confidence } = answer.verdict
  const { evidence: quotes = none, coverage = stopped.coverage } = answer.examined ?? {}
  return {
    ...row,
    outcome,
    reason,
    confidence,
    evidence: quotes,
    coverage: { shown: coverage.shown, changed: coverage.changed },
  }
}

const none = { verified: 0, given: 0 }
const noGate = async () => ({ verdict: 'SKIP', summary: '', elapsed_ms: 0 }) as const

function attemptOf(one: EvalCase, policy: Policy): Attempt {
  const { name, stakes, checks } = one
  const reading = taskOf(one, policy)
  if ('unreadable' in reading) throw new Error(`The case ${name} has no readable task`)
  const records = Object.entries(checks).map(([check, { passed, output }]) => {
    const result = { name: check, passed, exit_code: passed ? 0 : 1, output, duration_ms: 0, required: true }
    return [check, { id: check, name: check, state: passed ? 'passed' : 'failed', result } as const] as const
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
    contract: { ...reading.contract, stakes },
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
