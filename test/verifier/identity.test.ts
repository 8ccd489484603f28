// Nobody judges their own work, in none of the places where somebody could try; and what is handed over stays as it was.
import { describe, expect, test } from 'vitest'
import {
  evaluation,
  generatorOf,
  handoff,
  modelDistance,
  refuseSelf,
  type HandoffArtifact,
} from '../../src/verifier/asking/identity.ts'
import { familyOf } from '../../src/verifier/calls/model.ts'
import { aContract, aModel, attemptFor, aVerifier, outcomeOf, saysPass, verdictOf, type TaskGiven } from './lab.ts'

const evaluator = {
  login: 'countersign[bot]',
  agent_id: 'countersign-verifier',
  session_id: 's1',
  model_id: 'claude-sonnet-5-5',
  model_family: 'claude-sonnet',
}
const builtBy = (login: string) =>
  attemptFor(aContract(), {
    builders: [{ id: null, login, kind: 'bot', permission: 'write', teams: [], via: ['author'] }],
  })

describe('self-evaluation is refused', () => {
  test.each(['countersign[bot]', 'Countersign[BOT]', 'countersign-verifier', ' S1 '])(
    'before anything is recorded: %s',
    async (login) => {
      expect(() => refuseSelf(builtBy(login), evaluator)).toThrow('Nobody judges their own work.')
      await expect(aVerifier({}).prepare(builtBy(login), 's1', 'R1#9')).rejects.toThrow('Nobody judges their own work.')
      await expect(
        aVerifier({ model: aModel((request) => saysPass(request)) }).verify(builtBy(login), 's1', 'R1#9'),
      ).rejects.toThrow('Nobody judges their own work.')
    },
  )

  test('by the name that the App has on GitHub, which is the one on record too', async () => {
    const model = aModel((request) => saysPass(request))
    const verifier = aVerifier({ model, login: 'acme-gate[bot]' })
    await expect(verifier.prepare(builtBy('acme-gate[bot]'), 's1', 'R1#9')).rejects.toThrow('Nobody judges')
    expect(await verifier.verify(builtBy('agent[bot]'), 's1', 'R1#9')).toMatchObject({
      verdict: { outcome: 'PASS', evaluator: { login: 'acme-gate[bot]' } },
    })
  })

  test('where an evaluation is made', () => {
    expect(() => evaluation(evaluator, 'Countersign-Verifier', {})).toThrow('Nobody judges their own work.')
    expect(evaluation(evaluator, 'agent[bot]', { a: 1 })).toMatchObject({ a: 1, generator_agent_id: 'agent[bot]' })
  })

  test('where work is handed over', () => {
    expect(() => handoff({ ...artifact, to_agent_id: 'AGENT[bot]' })).toThrow('Nobody judges their own work.')
  })

  test('and anybody else may be judged', () => {
    expect(() => refuseSelf(builtBy('agent[bot]'), evaluator)).not.toThrow()
    expect(generatorOf(builtBy('agent[bot]'))).toBe('agent[bot]')
  })
})

const artifact: HandoffArtifact = {
  from_agent_id: 'agent[bot]',
  to_agent_id: 'countersign-verifier',
  from_stage: 'checks',
  to_stage: 'verifier',
  payload: { nested: { list: [1] } },
  artifact_refs: ['test@1'],
  acceptance_probes: [],
  rubric: 'default-task',
  created_at: '2026-01-05T09:00:00.000Z',
}

describe('a handoff', () => {
  test('cannot be changed, not even through what it was made of', () => {
    const list = [1]
    const { artifact: frozen, hash } = handoff({ ...artifact, payload: { list } })
    list.push(2)
    expect(() => Object.assign(frozen, { rubric: 'own' })).toThrow(TypeError)
    expect(() => Object.assign(frozen.payload, { verdict: 'PASS' })).toThrow(TypeError)
    expect(handoff(frozen).hash).toBe(hash)
  })

  test('is known by its hash, which goes with the start on record', async () => {
    const { tier, handoff_hash } = await aVerifier({}).prepare(attemptFor(aContract()), 's1', 'R1#9')
    expect(tier).toBe(2)
    expect(handoff_hash).toMatch(/^[0-9a-f]{64}$/)
    const attempt = attemptFor(aContract({ stakes: 'high', title: 'Guard all routes' }))
    const high = await aVerifier({}).prepare(attempt, 's1', 'R1#9')
    expect(high.tier).toBe(3)
    expect(high.handoff_hash).not.toBe(handoff_hash)
  })
})

describe('the judging model', () => {
  test.each([
    ['claude-sonnet-5-5', 'claude-sonnet'],
    ['claude-sonnet-5-5-20260928', 'claude-sonnet'],
    ['anthropic/claude-opus-5-5', 'claude-opus'],
    ['gpt-9', 'gpt'],
    ['claude-3-5-sonnet-20241022', 'claude-sonnet'],
    ['gemini-2.5-pro', 'gemini-pro'],
  ])('%s is of the family %s', (model, family) => {
    expect(familyOf(model)).toBe(family)
  })

  test('is compared with what the builder declares', () => {
    expect(modelDistance('claude-sonnet-5-5', [])).toBe('unknown')
    expect(modelDistance('claude-sonnet-5-5', ['gpt-9', 'Claude-Sonnet-5-1'])).toBe('same')
    expect(modelDistance('claude-sonnet-5-5', ['gpt-9'])).toBe('different')
  })

  // prettier-ignore
  test.each([
    ['the name of a product', ['claude'], 'unknown'],
    ['a product with a version', ['claude-code-2.1'], 'unknown'],
    ['a product beside another model', ['gpt-9', 'claude'], 'unknown'],
    ['a vendor with a version', ['claude-4'], 'unknown'],
    ['another family of the vendor', ['claude-opus-5-5'], 'different'],
    ['an older name of its own family', ['claude-3-5-sonnet-20241022'], 'same'],
  ] as const)('is not far from %s', (_title, declared, distance) => {
    expect(modelDistance('claude-sonnet-5-5', declared)).toBe(distance)
  })

  test.each([
    ['enforce', ['claude-sonnet-5-1'], 'REFER same_model'],
    ['enforce', [], 'REFER same_model'],
    ['enforce', ['gpt-9'], 'PASS'],
    ['warn', [], 'PASS'],
    ['off', ['claude-sonnet-5-5'], 'PASS'],
  ] as const)('under %s with %s: %s', async (require_different_model, declared, outcome) => {
    const attempt = attemptFor(aContract({ verifier: { require_different_model } }))
    expect(await outcomeOf({ attempt, declared, model: aModel((request) => saysPass(request)) })).toBe(outcome)
  })

  const opus = 'claude-opus-5-5'
  const sonnet = 'claude-sonnet-5-5'
  test.each<[string, NonNullable<TaskGiven['verifier']>, string, string]>([
    ['votes', { tier: 3, votes_models: [sonnet, opus] }, opus, 'REFER same_model'],
    ['votes, and a vote is not taken', { tier: 2, votes_models: [sonnet, opus] }, opus, 'PASS'],
    ['votes beside those that are far', { tier: 3, votes_models: [sonnet, opus] }, 'gpt-9', 'PASS'],
    ['steps in for the judge', { fallback_model: opus }, opus, 'REFER same_model'],
    ['judges under the name of who serves it', { model: `anthropic.${sonnet}-v1:0` }, sonnet, 'REFER same_model'],
  ])('is enforced for whoever %s', async (_title, verifier, builder, outcome) => {
    const budget = { prices: { [`anthropic.${sonnet}-v1:0`]: { input: 3, output: 15 } } }
    const given = { require_different_model: 'enforce', ...verifier } as const
    const attempt = attemptFor(aContract({ verifier: given, policy: { budget } }))
    const model = aModel((request) => saysPass(request))
    expect(await outcomeOf({ attempt, declared: [builder], model })).toBe(outcome)
  })

  test('too near is said where it does not refer', async () => {
    const model = aModel((request) => saysPass(request))
    expect(await verdictOf({ declared: [], model })).toMatchObject({
      examined: { remarks: ['Which model built the change is not declared.'] },
    })
  })
})
