// Readers of the set that comes along: models without judgement, and one that sees exactly what is shown to it.
import { createHmac } from 'node:crypto'
import type { Policy } from '../../src/core/contract/policy/policy.ts'
import { policySchema } from '../../src/core/contract/policy/policy.ts'
import { doubleModel, type DoubleName } from '../../src/engine/verify/doubles/doubles.ts'
import { controlled, promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import { evalSet, recordedNonce, type EvalCase } from '../../src/engine/verify/eval-set.ts'
import { evaluateSet, type Ablation } from '../../src/engine/verify/evaluate.ts'
import labelledSet from '../../src/engine/verify/labelled-set.json' with { type: 'json' }
import { stories, storyCases } from '../../src/engine/verify/set/shipped.ts'
import type { ModelRequest } from '../../src/verifier/calls/model.ts'
import { aModel, promptText } from '../verifier/lab.ts'

const cases = storyCases()
const all = [...evalSet.parse(labelledSet).cases, ...cases]
export const ports = {
  clock: { now: () => '2026-01-05T09:00:00.000Z' },
  keyed: (text: string) => createHmac('sha256', 'eval').update(text).digest('hex'),
  nonce: () => recordedNonce,
  pause: async () => undefined,
  chance: () => 0,
}
export const policy = policySchema.parse({ verification: { verifier: { require_different_model: 'off' } } })

/** What shows each wrong change, by the name of its case. */
const shownBy = new Map<string, string>(
  stories.flatMap(({ name, wrong }) => wrong.map((one) => [`${name}: ${one.name}`, one.shownBy] as const)),
)

/** Sees what is wrong exactly where the line that shows it is before its eyes. */
export function attentive({ name, defect }: EvalCase) {
  const line = shownBy.get(name)
  return aModel((request) => {
    const seen = promptSeen(request)
    const { probes: known, copied } = controlled(seen)
    const common = { schema: 'v1', nonce: seen.nonce, copied, suspicious_text: [] }
    const sees = line !== undefined && showsLine(request, line)
    const at = seen.lines.find((one) => one.path === defect?.path && (one.line === defect.line || one.text === line))
    const finding = {
      ...at,
      quote: at?.text ?? '',
      category: 'other',
      claim: 'It is wrong.',
      failure_scenario: 'It fails.',
      fix: '',
    }
    const probes = known.map(({ id, answer }) => ({ id, answer }))
    if (seen.step === 'find') return { ...common, findings: sees ? [{ ...finding, severity: 'major' }] : [], probes }
    if (seen.step === 'refute') return { ...common, evidence: [], why: '', outcome: 'stands', probes }
    if (seen.step === 'decompose')
      return {
        probes: seen.criteria.map((text, criterion) => ({ criterion, text, polarity: 'presence', conditional: false })),
      }
    const proof = seen.lines.find(
      ({ sign, text }) => sign === '+' && text.trim().length > 15 && !/^\s*(?:"""|--|#|\/)/.test(text),
    )
    const evidence = proof === undefined ? [] : [{ ...proof, quote: proof.text }]
    return {
      ...common,
      findings: [],
      probes: [...seen.probes.map(({ id }) => ({ id, evidence, why: 'w', answer: 'met' })), ...known],
      open_items: [],
      unseen_needed: [],
      feedback: [],
      summary: 's',
      proposed_verdict: 'PASS',
      confidence: 'high',
    }
  })
}

const showsLine = (request: ModelRequest, line: string): boolean =>
  promptText(request)
    .split('\n')
    .some((row) => /^\s*\d+ [ +-]?│ (.*)$/.exec(row)?.[1] === line)

export const judgedBy = async (
  modelFor: (one: EvalCase) => ReturnType<typeof attentive>,
  ablate: Ablation | null = null,
) => evaluateSet(cases, ports, { modelFor, policy: withFinders(1), ablate })
export const withFinders = (finders: number) =>
  policySchema.parse({
    verification: { verifier: { finders, decomposer: 'identity', require_different_model: 'off' } },
  })

export const doubled = (name: DoubleName, how: Policy) =>
  evaluateSet(all, ports, { modelFor: ({ kind }) => doubleModel(name, kind === 'injected'), policy: how })
