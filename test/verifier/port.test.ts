// Behind its port: what ends a verification before it has an answer, what a caller may put in its place, and that every
// stage with a verdict has somewhere to go with it.
import { aside, inLine } from '../../src/adapters/aside/aside.ts'
import { describe, expect, test } from 'vitest'
import { checkPipeline, pipeline, type Edge } from '../../src/core/decision/gate/pipeline.ts'
import {
  compositeVerifier,
  evaluatorResponseVerifier,
  inputOf,
  ownVerifier,
  testSuiteVerifier,
  verificationConfig,
  type OwnVerifier,
} from '../../src/engine/verify/own-verifier.ts'
import type { Asked, Model } from '../../src/verifier/calls/model.ts'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { engineOver } from '../../src/engine/engine.ts'
import { app, record } from '../../src/engine/record.ts'
import { checks } from '../words/attempts.ts'
import { aWorld } from '../world/world.ts'
import { opening } from './course.ts'
import {
  aChange,
  aContract,
  aFile,
  aModel,
  attemptFor,
  aVerifier,
  capable,
  failedWith,
  guardLines,
  promptText,
  saysPass,
  verdictOf,
} from './lab.ts'

/** Answers nothing until it is given up. */
const hanging = (): Model => ({
  describe: async () => capable,
  ask: (_request, signal) =>
    new Promise<Asked>((resolve) => {
      const end = (): void => resolve(failedWith('superseded'))
      if (signal.aborted) end()
      signal.addEventListener('abort', end)
    }),
})

describe('a verification that is under way', () => {
  test('ends when a push supersedes it, without a verdict, and is owed at once if that commit comes back', async () => {
    const verifier = aVerifier({ model: hanging() })
    const attempt = attemptFor(aContract())
    const answer = verifier.verify(attempt, 's1', 'R1#9')
    await Promise.resolve()
    verifier.abort('another attempt')
    setImmediate(() => verifier.abort(attempt.id))
    expect(await answer).toMatchObject({
      type: 'report_unavailable',
      retry_at: '2026-01-05T09:00:00.000Z',
      cost: { calls: [{ outcome: 'superseded' }] },
    })
  })

  test('is given up when a push is recorded', async () => {
    const given: string[] = []
    const contract = aContract()
    const verifier = { ...aVerifier({}), abort: (attempt: string) => void given.push(attempt) }
    const forges = { of: async () => Promise.reject(new Error('Nobody is asked')) }
    const engine = engineOver({
      store: memoryStore(),
      forges,
      verifier,
      clock: { now: () => '2026-01-05T09:00:00.000Z' },
      ids: { next: () => 'id' },
      aside: aside(inLine),
    })
    const told = { actor: app, correlation_id: 'c' }
    for (const sha of ['a1', 'a2'])
      await record(engine, { stream: 'R1#4', task_id: contract.task_id }, opening(sha, contract), told)
    expect(given).toEqual(['acme/shop#9@a1'])
  })

  test('ends at its deadline', async () => {
    const answer = await aVerifier({ model: hanging(), attemptMsMax: 30 }).verify(attemptFor(aContract()), 's1', 'R1#9')
    expect(answer).toMatchObject({
      type: 'report_unavailable',
      reason: 'deadline',
      retry_at: '2026-01-05T09:02:00.000Z',
    })
  })
})

describe('a verifier of one’s own', () => {
  const identity = { login: 'own[bot]', agent_id: 'own', model_id: '', model_family: '' }
  const judgeGate = async () => ({ verdict: 'SKIP', summary: '', elapsed_ms: 0 }) as const
  const verifier = (verify: OwnVerifier['verify']) => ownVerifier({ verify }, { identity, judgeGate })

  test('passes or fails with a reason that is never empty', async () => {
    const attempt = attemptFor(aContract(), { ordinal: 2 })
    const seen: number[] = []
    const answer = await verifier(async ({ iteration }) => {
      seen.push(iteration)
      return { kind: 'Passed' }
    }).verify(attempt, 's', 'R1#9')
    expect(answer).toMatchObject({ verdict: { outcome: 'PASS', evaluator: { session_id: 's' } } })
    expect(seen).toEqual([1])
    expect(await verifier(async () => ({ kind: 'Failed', reason: ' ' })).verify(attempt, 's', 'R1#9')).toMatchObject({
      verdict: { outcome: 'SOFT_FAIL', feedback: 'it failed without a reason' },
    })
  })

  test('that breaks down has said nothing', async () => {
    const broken = verifier(async () => Promise.reject(new Error('no')))
    expect(await broken.verify(attemptFor(aContract()), 's', 'R1#9')).toMatchObject({
      type: 'report_unavailable',
      reason: 'transient',
    })
  })

  test('does not judge its own work either', async () => {
    const own = attemptFor(aContract(), {
      builders: [{ id: null, login: 'own[bot]', kind: 'bot', permission: 'write', teams: [], via: ['author'] }],
    })
    await expect(verifier(async () => ({ kind: 'Passed' })).verify(own, 's', 'R1#9')).rejects.toThrow(
      'Nobody judges their own work.',
    )
  })
})

describe('the kinds that come along', () => {
  const verifier = { evaluator: 'judge' } as const
  const input = (test: 'passed' | 'failed', text: string, judge: 'passed' | 'failed' | 'missing' = 'passed') =>
    inputOf(attemptFor(aContract({ verifier }), { ordinal: 2, checks: checks(['test', test], ['judge', judge, text]) }))
  const fine = input('passed', 'VERDICT: PASS')
  const wrong = input('failed', 'VERDICT: PASS')
  const failed = (reason: string) => ({ kind: 'Failed', reason })

  test('are given the build, the evaluation, the workspace and the round', () => {
    expect(fine).toMatchObject({
      build_result: { ok: true, reason: null, checks: [{ name: 'test' }] },
      eval_result: { ok: true, reason: null, text: 'VERDICT: PASS', checks: [{ name: 'judge' }] },
      workspace: { repository: 'acme/shop', task_id: expect.stringMatching(/^acme\/shop#/), sha: expect.any(String) },
      iteration: 1,
    })
    expect(wrong.build_result).toMatchObject({ ok: false, reason: 'failed: test' })
    expect(input('passed', '', 'missing').eval_result).toBeNull()
  })

  test.each([
    ['the evaluator passes', evaluatorResponseVerifier(), fine, { kind: 'Passed' }],
    ['the evaluator fails', evaluatorResponseVerifier(), input('passed', 'VERDICT: FAIL late'), failed('late')],
    ['the evaluator breaks', evaluatorResponseVerifier(), input('passed', '', 'failed'), failed('failed: judge')],
    ['the build failed, whatever the evaluator says', evaluatorResponseVerifier(), wrong, failed('failed: test')],
    ['patterns of one’s own', evaluatorResponseVerifier({ pass_pattern: 'yes' }), input('passed', 'yes'), { kind: 'Passed' }],
    ['the suite passes, whatever the evaluator says', testSuiteVerifier({ check: 'test' }), input('passed', 'VERDICT: FAIL'), { kind: 'Passed' }],
    ['the suite fails, whatever the evaluator says', testSuiteVerifier({ check: 'test' }), wrong, failed('failed: test')],
    ['all pass', compositeVerifier([testSuiteVerifier({ check: 'test' }), evaluatorResponseVerifier()]), fine, { kind: 'Passed' }],
    ['two of three fail', compositeVerifier([testSuiteVerifier({ check: 'judge' }), testSuiteVerifier({ check: 'test' }), evaluatorResponseVerifier()]), wrong, failed('[verifier 1] failed: test\n[verifier 2] failed: test')],
  ])('%s', async (_title, own, given, verdict) => {
    expect(await own.verify(given)).toMatchObject(verdict)
  }) // prettier-ignore

  test('say nothing where there is nothing to judge by', async () => {
    const silent = input('passed', '', 'missing')
    await expect(evaluatorResponseVerifier().verify(silent)).rejects.toThrow('The evaluator has not answered')
    await expect(testSuiteVerifier({ check: 'judge' }).verify(silent)).rejects.toThrow('There is no result of judge')
    expect(() => compositeVerifier([])).toThrow('passes nothing')
    expect(() => evaluatorResponseVerifier({ pass_pattern: '(' })).toThrow('RE2')
  })

  test('end the task where they believe in no further round', async () => {
    const identity = { login: 'own[bot]', agent_id: 'own', model_id: '', model_family: '' }
    const judgeGate = async () => ({ verdict: 'SKIP', summary: '', elapsed_ms: 0 }) as const
    const never: OwnVerifier = { max_iterations: () => 9, verify: async () => ({ kind: 'Failed', reason: 'no' }) }
    const own = { ...compositeVerifier([never], { max_iterations: 2 }) }
    const answer = async (ordinal: number) =>
      ownVerifier(own, { identity, judgeGate }).verify(attemptFor(aContract(), { ordinal }), 's', 'R1#9')
    expect(await answer(1)).toMatchObject({ verdict: { outcome: 'SOFT_FAIL' } })
    expect(await answer(2)).toMatchObject({
      verdict: { outcome: 'HARD_FAIL', feedback: '[verifier 0] no (attempt 2 of the 2 that this verifier allows)' },
    })
  })
})

test('a judge that always objects ends the loop with the attempts', async () => {
  const world = await aWorld({
    policy: { verification: { verifier: { enabled: true }, retry: { max_attempts: 3, stop_on_no_progress: 0 } } },
  })
  world.verifierWillSay('SOFT_FAIL', 'no')
  for (const name of ['a1', 'a2', 'a3']) await world.push(name)
  expect(await world.decision()).toMatchObject({ status: 'failed' })
})

describe('the pipeline', () => {
  test('has three ways out of every verdict', () => {
    expect(() => checkPipeline(pipeline)).not.toThrow()
  })

  const edges: readonly Edge[] = [
    { type: 'VERIFICATION_PASS', to: 'a' },
    { type: 'VERIFICATION_FAIL', to: 'b' },
    { type: 'VERIFICATION_REFER', to: 'c' },
  ]
  test.each(edges.map((edge, at) => [edge.type, at] as const))(
    'without %s, or with two of it, nothing starts',
    (type, at) => {
      const node = (own: readonly Edge[]) => [{ name: 'own', type: 'VERIFICATION', edges: own } as const]
      expect(() => checkPipeline(node(edges))).not.toThrow()
      expect(() => checkPipeline(node(edges.toSpliced(at, 1)))).toThrow(`The stage own has 0 edges ${type}; it needs 1`)
      expect(() => checkPipeline(node([...edges, { type, to: 'd' }]))).toThrow(
        `The stage own has 2 edges ${type}; it needs 1`,
      )
    },
  )
})

test.each([
  [{ tier: 2 }, 'medium', [true, false]],
  [{ tier: 3 }, 'medium', [true, true]],
  [{ tier: 2 }, 'critical', [true, true]],
  [{ tier: 1 }, 'medium', [false, false]],
  [{ enabled: false }, 'high', [false, false]],
] as const)('the tiers of %o at %s stakes', (verifier, stakes, tiers) => {
  const config = verificationConfig(attemptFor(aContract({ verifier, stakes })))
  expect([config.tier2_enabled, config.tier3_enabled]).toEqual(tiers)
  expect(config).toMatchObject({ tier3_vote_count: 3, max_probes_per_criterion: 5, min_confidence: null })
})

test('people in the task and in results are placeholders, the same one everywhere', async () => {
  const model = aModel((request) => saysPass(request))
  const body =
    '## Acceptance criteria\n- Only administrators may delete a user.\n\n## Notes\nAsk ada@example.com, +49 30 1234 5678, card 4111 1111 1111 1111, order 1234567890123.'
  await verdictOf({ model, attempt: attemptFor(aContract({ body })) })
  const prompt = model.requests.map(promptText).join()
  expect(prompt).toContain('Ask ⟦PERSON 1⟧, ⟦PERSON 2⟧, card ⟦PERSON 3⟧, order 1234567890123.')
})

test('hidden text is only named where the policy says so, or where it is expected', async () => {
  const change = aChange([aFile('src/users.ts', guardLines), aFile('i18n/he.json', ['+x \u2067abc\u2069'])])
  const model = () => aModel((request) => saysPass(request))
  const judge = async (verifier: Parameters<typeof aContract>[0]) =>
    verdictOf({ change, model: model(), attempt: attemptFor(aContract(verifier)) })
  expect(await judge({})).toMatchObject({
    verdict: { reason_code: 'hidden_text' },
    examined: { remarks: ['hidden_unicode: i18n/he.json:1 has U+2067.'] },
  })
  expect(await judge({ verifier: { hidden_text: 'finding' } })).toMatchObject({
    verdict: { outcome: 'PASS' },
    examined: { remarks: ['hidden_unicode: i18n/he.json:1 has U+2067.'] },
  })
  expect(await judge({ verifier: { hidden_text_allowed: ['i18n/**'] } })).toMatchObject({
    verdict: { outcome: 'PASS' },
    examined: { remarks: [] },
  })
})
