// A labelled set of changes through the verifier as it is, with a live model, a double or answers on file. It tells what the
// gate would do: what stops a change before is stopped here too, and too little confidence goes to a person.
import type { Policy } from '../../core/contract/policy/policy.ts'
import { effectiveVerdict } from '../../core/decision/gate/facts.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Snapshot } from '../../verifier/context/look.ts'
import { lookAround } from '../../verifier/context/look.ts'
import type { Model } from '../../verifier/calls/model.ts'
import type { EvalRow } from '../../verifier/weighing/score.ts'
import { builtInVerifier, type VerifierPorts } from './verifier.ts'
import { changeOf, plainPolicy, stopOf, taskOf, type EvalCase } from './eval-set.ts'
import { loneAttempt } from './lone-attempt.ts'
import { tierOf } from './tier.ts'

export const ablations = ['context', 'finders', 'votes'] as const
export type Ablation = (typeof ablations)[number]
export type EvalPorts = Omit<VerifierPorts, 'model' | 'evidence'>
export type EvalOptions = {
  readonly modelFor: (one: EvalCase) => Model
  readonly policy?: Policy
  readonly repeats?: number
  /** Judged without it, to see what it is worth. */
  readonly ablate?: Ablation | null
  /** Before each run, counted from 1: a live set takes minutes. */
  readonly begun?: (nth: number, one: EvalCase) => void
}

export async function evaluateSet(
  cases: readonly EvalCase[],
  ports: EvalPorts,
  { modelFor, policy = plainPolicy, repeats = 1, ablate = null, begun }: EvalOptions,
): Promise<EvalRow[]> {
  const rows: EvalRow[] = []
  for (const one of cases) {
    for (let round = 0; round < repeats; round += 1) {
      begun?.(rows.length + 1, one)
      rows.push(await evaluateOne(without(one, ablate), ports, modelFor(one), policyWithout(policy, ablate)))
    }
  }
  return rows
}

/** What is at stake asks for votes, whatever the policy says. */
const without = (one: EvalCase, ablate: Ablation | null): EvalCase =>
  ablate === 'votes' ? { ...one, stakes: 'medium' } : one

function policyWithout(policy: Policy, ablate: Ablation | null): Policy {
  const { verification } = policy
  const { verifier } = verification
  const changed = {
    context: { ...verifier, context_tokens: 0 },
    finders: { ...verifier, finders: 0 },
    votes: { ...verifier, tier: 2 as const },
  }
  return ablate === null ? policy : { ...policy, verification: { ...verification, verifier: changed[ablate] } }
}

async function evaluateOne(one: EvalCase, ports: EvalPorts, model: Model, policy: Policy): Promise<EvalRow> {
  const attempt = attemptOf(one, policy)
  const change = changeOf(one)
  const { name, label, kind = null, need = null, repository } = one
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
    kind,
    need,
    found: { blocking: 0, hits: one.defect === undefined ? null : 0 },
  } as const
  const stop = stopOf(one)
  if (stop !== null) return { ...stopped, decided_by: stop }
  const evidence = {
    change: async () => change,
    past: async () => [],
    declaredModels: async () => [],
    ...(repository === undefined ? {} : { snapshot: async () => snapshotOf(repository) }),
  }
  const verifier = builtInVerifier(
    { ...ports, model, evidence },
    { login: async () => 'countersign[bot]', secrets: [] },
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
  const { verdict } = answer
  const answered = { phase: 'answered', id: name, verdict, shown: true } as const
  const {
    outcome,
    reason_code: reason,
    confidence,
  } = effectiveVerdict({ ...attempt, verifier: answered })?.verdict ?? verdict
  const { evidence: quotes = none, coverage = stopped.coverage, findings = [] } = answer.examined ?? {}
  const blocking = findings.filter(({ level }) => level === 'blocking')
  const { defect } = one
  return {
    ...row,
    outcome,
    reason,
    confidence,
    evidence: quotes,
    coverage: { shown: coverage.shown, changed: coverage.changed },
    found: {
      blocking: blocking.length,
      hits: defect === undefined ? null : blocking.filter((finding) => isAt(finding, defect)).length,
    },
  }
}

const LINES_APART_MAX = 3
type Spot = { readonly path: string; readonly line: number }
const isAt = (one: Spot, other: Spot): boolean =>
  one.path === other.path && Math.abs(one.line - other.line) <= LINES_APART_MAX

function snapshotOf(files: Readonly<Record<string, string>>): Snapshot {
  const texts = { paths: Object.keys(files), searchable: true, textOf: (path: string) => files[path] ?? null }
  return { look: async (question) => lookAround(question, texts), close: async () => undefined }
}

const none = { verified: 0, given: 0 }

function attemptOf(one: EvalCase, policy: Policy): Attempt {
  const { name, stakes, checks } = one
  const reading = taskOf(one, policy)
  if ('unreadable' in reading) throw new Error(`The case ${name} has no readable task`)
  const results = Object.entries(checks).map(([check, { passed, output }]) => {
    return { name: check, passed, exit_code: passed ? 0 : 1, output, duration_ms: 0, required: true }
  })
  return loneAttempt({ ...reading.contract, stakes }, results)
}
