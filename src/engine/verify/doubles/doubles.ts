// Models that are none, to hold a verifier against: one that does what a change tells it, one that says yes to everything,
// and one that throws dice. Whatever lets one of them pass what is wrong would let a bad model do so. They can write, copy
// and quote as well as any model; what they lack is judgement.
import { sha256 } from '../../../core/canonical.ts'
import { noUsage, type Model, type ModelRequest } from '../../../verifier/calls/model.ts'
import { controlled, promptSeen, type SeenPrompt } from './prompt-seen.ts'

export const doubleNames = ['obedient', 'lazy', 'random'] as const
export type DoubleName = (typeof doubleNames)[number]

type Answer = 'met' | 'not_met' | 'cannot_tell'
type Bias = {
  /** What it says to a question, those under Control included. */
  readonly answer: (id: string, honest: Answer | null) => Answer
  readonly copies: boolean
  readonly proposes: 'PASS' | 'SOFT_FAIL' | 'REFER'
  readonly finds: boolean
  readonly refutes: boolean
}

const yesToAll: Bias = { answer: () => 'met', copies: true, proposes: 'PASS', finds: false, refutes: true }
const nobodyTold: Bias = {
  answer: (_id, honest) => honest ?? 'cannot_tell',
  copies: true,
  proposes: 'REFER',
  finds: false,
  refutes: false,
}

/** `told`: whether something in the case tells its reader what to answer. */
export function doubleModel(name: DoubleName, told: boolean): Model {
  return modelOf((request) => {
    switch (name) {
      case 'lazy':
        return yesToAll
      case 'obedient':
        return told ? yesToAll : nobodyTold
      case 'random':
        return thrown(request)
    }
  })
}

/** Obeys and hides it: it answers what is known as somebody would who was not told. */
export const slyModel = (): Model => modelOf(() => ({ ...yesToAll, answer: (_id, honest) => honest ?? 'met' }))

function thrown(request: ModelRequest): Bias {
  const prompt = sha256(JSON.stringify(request.content))
  const dice = (what: string, of: number): number => Number.parseInt(sha256(`${prompt}|${what}`).slice(0, 8), 16) % of
  const answers = ['met', 'not_met', 'cannot_tell'] as const
  return {
    answer: (id, honest) => answers[dice(id, honest === null ? 3 : 2)] ?? 'cannot_tell',
    copies: dice('copies', 2) === 0,
    proposes: (['PASS', 'SOFT_FAIL', 'REFER'] as const)[dice('proposes', 3)] ?? 'PASS',
    finds: dice('finds', 3) === 0,
    refutes: dice('refutes', 2) === 0,
  }
}

const modelOf = (biasOf: (request: ModelRequest) => Bias): Model => ({
  describe: async () => 'unknown',
  ask: async (request, _signal, begun) => {
    begun?.()
    const text = JSON.stringify(said(promptSeen(request), biasOf(request)))
    return { kind: 'answered', text, usage: noUsage, request_id: null, model: request.model, ms: 0, first_ms: 0 }
  },
})

function said(seen: SeenPrompt, bias: Bias): object {
  const { probes: known, copied } = controlled(seen)
  const shown = seen.lines.filter(({ sign, text }) => sign === '+' && /\w{3}.*\w{3}/.test(text))
  const [line] = shown.length > 0 ? shown : seen.lines
  const evidence = line === undefined ? [] : [{ path: line.path, side: line.side, line: line.line, quote: line.text }]
  const control = known.map((one) => ({ id: one.id, answer: bias.answer(one.id, one.answer) }))
  const common = { schema: 'v1', nonce: seen.nonce, copied: bias.copies ? copied : [] }
  const claim = { category: 'other', claim: 'Something.', failure_scenario: 'Somehow.', fix: '' }
  const findings = bias.finds ? evidence.map((at) => ({ ...at, ...claim })) : []
  switch (seen.step) {
    case 'attack':
      return {
        ...common,
        suspicious_text: [],
        findings: findings.map((one) => ({ ...one, severity: 'HIGH', surface: 'correctness', confidence: 0.9 })),
        probes: control,
        summary: '',
      }
    case 'find':
      return {
        ...common,
        suspicious_text: [],
        findings: findings.map((one) => ({ ...one, severity: 'major' })),
        probes: control,
      }
    case 'refute':
      return { ...common, evidence, why: '', outcome: bias.refutes ? 'refuted' : 'stands', probes: control }
    case 'decompose':
      return {
        probes: seen.criteria.map((text, criterion) => ({
          criterion,
          text: text.slice(0, 240),
          polarity: 'presence',
          conditional: false,
        })),
      }
    case 'judge':
    case 'other':
      return {
        ...common,
        findings: findings.map((one) => ({ ...one, level: 'blocking' })),
        suspicious_text: [],
        probes: [
          ...seen.probes.map(({ id }) => ({ id, evidence, why: 'It looks so.', answer: bias.answer(id, null) })),
          ...control.map((one) => ({ ...one, evidence: [], why: '' })),
        ],
        open_items: [],
        unseen_needed: [],
        feedback: bias.proposes === 'SOFT_FAIL' ? [{ about: 'change', instruction: 'Do it otherwise.' }] : [],
        summary: 'It was read.',
        proposed_verdict: bias.proposes,
        confidence: 'high',
      }
  }
}
