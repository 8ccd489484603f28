// A labelled set of changes through the verifier as it is, with a live model or with answers on file: what the gate would
// stop before is stopped here too, so that no model is asked about it.
import { z } from 'zod'
import { makeContract } from '../../core/contract/make-contract.ts'
import { policySchema, type Policy } from '../../core/contract/policy.ts'
import { scopeViolations } from '../../core/contract/scope.ts'
import { untouched } from '../../core/decision/untouched.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Change, FileChange } from '../../verifier/change.ts'
import { hunksOf } from '../../verifier/change.ts'
import { noUsage, type Model } from '../../verifier/model.ts'
import type { EvalRow } from '../../verifier/score.ts'
import { builtInVerifier, type VerifierPorts } from './verifier.ts'
import { tierOf } from './tier.ts'

const fileShape = z.strictObject({
  path: z.string(),
  status: z.enum(['added', 'modified', 'removed', 'renamed']).default('modified'),
  patch: z.string(),
})
const caseShape = z.strictObject({
  name: z.string(),
  /** What it is an example of. */
  kind: z.enum(['good', 'subtly_wrong', 'tampered_tests', 'empty', 'out_of_scope', 'injected']),
  label: z.enum(['accept', 'reject', 'human']),
  issue: z.string(),
  scope: z.array(z.string()).default(['**']),
  stakes: z.enum(['low', 'medium', 'high', 'critical']).default('medium'),
  checks: z.record(z.string(), z.strictObject({ passed: z.boolean(), output: z.string() })).default({}),
  files: z.array(fileShape),
  /** Answers on file, in the order of the calls; the last one stands for all that follow. */
  answers: z.array(z.looseObject({})).default([]),
})
export const evalSet = z.array(caseShape).min(1)
export type EvalCase = z.output<typeof caseShape>

/** The nonce that answers on file carry, since nobody could know a fresh one. */
export const recordedNonce = 'recorded'

export type EvalPorts = Omit<VerifierPorts, 'model' | 'evidence'>
export type EvalOptions = {
  readonly modelFor: (one: EvalCase) => Model
  readonly policy?: Policy
  readonly repeats?: number
}

export async function evaluateSet(
  cases: readonly EvalCase[],
  ports: EvalPorts,
  { modelFor, policy, repeats = 1 }: EvalOptions,
): Promise<EvalRow[]> {
  const rows: EvalRow[] = []
  for (const one of cases) {
    for (let round = 0; round < repeats; round += 1) rows.push(await evaluateOne(one, ports, modelFor(one), policy))
  }
  return rows
}

/** Without a policy the criteria are asked as they stand, so that answers on file fit. */
const plainPolicy = policySchema.parse({
  verification: { verifier: { decomposer: 'identity', require_different_model: 'off' } },
})

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
  if (change.files.length === 0) return { ...stopped, decided_by: 'tier1' }
  if (scopeViolations(change.files, [{ write: one.scope, deny: [] }]).length > 0)
    return { ...stopped, decided_by: 'scope' }
  const evidence = { change: async () => change, past: async () => [], declaredModels: async () => [] }
  const verifier = builtInVerifier(
    { ...ports, model, evidence },
    { login: 'countersign[bot]', secrets: [], judgeGate: noGate },
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

function changeOf({ files }: EvalCase): Change {
  const changed = files.map(({ path, status, patch }): FileChange => {
    const lines = hunksOf(patch).flatMap((hunk) => hunk.lines)
    const count = (wanted: '+' | '-'): number => lines.filter(({ sign }) => sign === wanted).length
    const plain = {
      previous_path: null,
      content: 'text',
      size: null,
      blob_sha: null,
      mode: null,
      generated_at_base: false,
    } as const
    return { path, status, patch, additions: count('+'), deletions: count('-'), ...plain }
  })
  return { files: changed, complete: true, hits: [] }
}

function attemptOf({ name, issue, stakes, checks }: EvalCase, policy: Policy): Attempt {
  const reading = makeContract({ task_id: 'eval/set#1', title: name, body: issue, policy, blocks: [] })
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
    base_ref: 'main',
    check_name: 'countersign',
    group: null,
    contract: { ...reading.contract, stakes },
    invalid: [],
    policy_unreadable: false,
    builder_known: true,
    builders: [{ login: 'builder', kind: 'bot', permission: 'write', teams: [], via: ['author'] }],
    limited: true,
    model_available: true,
    census: { admin: 1, maintain: 0, write: 0 },
    waiting_since: '',
    decided_at: '',
    checks: Object.fromEntries(records),
  }
}

/** Answers on file, as if a model gave them; they cost nothing, and say nothing about any model. */
export function recordedModel({ name, answers }: EvalCase): Model {
  let call = 0
  return {
    describe: async () => 'unknown',
    ask: async ({ model }, _signal, begun) => {
      begun?.()
      const said = answers[Math.min(call, answers.length - 1)]
      call += 1
      if (said === undefined) throw new Error(`The case ${name} has no answer on file`)
      return {
        kind: 'answered',
        text: JSON.stringify(said),
        usage: noUsage,
        request_id: null,
        model,
        ms: 0,
        first_ms: 0,
      }
    },
  }
}
