// From a change to a verdict, through everything but the network: what a model says, and what becomes of it.
import { describe, expect, test } from 'vitest'
import {
  aChange,
  aContract,
  aFile,
  aModel,
  attemptFor,
  blocking,
  endedAs,
  failedWith,
  guardLines,
  outcomeOf,
  proof,
  refusedAs,
  saysPass,
  verdictOf,
  type Said,
  type Trial,
} from './lab.ts'

const said = (changed: Said): Trial => ({ model: aModel((request) => saysPass(request, changed)) })

test('a change whose questions are all answered with proof passes', async () => {
  const answer = await verdictOf({ model: aModel((request) => saysPass(request)) })
  expect(answer).toMatchObject({
    type: 'report_verdict',
    verdict: {
      outcome: 'PASS',
      confidence: 0.9,
      votes: null,
      evaluator: { agent_id: 'countersign-verifier', session_id: 'session-1' },
    },
    examined: { generator_agent_id: 'agent[bot]', coverage: { shown: 3, changed: 3 }, score: 1, reused: false },
  })
})

/** What a careful reviewer says about roles, and what no list of words can judge. */
function sounding(request: Parameters<typeof saysPass>[0]): Said {
  const pass = saysPass(request)
  const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
  const why = 'Users may assume the role of an administrator; what is not shown to them is presumably secret.'
  return { ...pass, probes: probes.map((one: Said) => ({ ...one, why })) }
}

describe('what becomes of an answer', () => {
  const probe =
    (answer: string, evidence: readonly unknown[] = []) =>
    (request: Parameters<typeof saysPass>[0]): Said => {
      const pass = saysPass(request)
      const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
      return {
        ...pass,
        probes: probes.map((one: Said) => (one['id'] === 'c1.p1' ? { ...one, answer, evidence } : one)),
      }
    }
  test.each<[string, Trial, string]>([
    ['a question answered with no', { model: aModel(probe('not_met')) }, 'SOFT_FAIL'],
    ['a yes without proof', { model: aModel(probe('met')) }, 'REFER cannot_tell'],
    [
      'a yes with a quote of code that is not there',
      { model: aModel(probe('met', [{ ...proof, quote: 'return everything.fine()' }])) },
      'REFER cannot_tell',
    ],
    ['a question that does not apply', { model: aModel(probe('not_applicable')) }, 'REFER cannot_tell'],
    ['a finding that blocks', said({ findings: [blocking] }), 'SOFT_FAIL'],
    [
      'a finding whose quote is not there',
      said({ findings: [{ ...blocking, quote: 'delete(everybody)' }] }),
      'REFER insufficient_evidence',
    ],
    ['a finding without a scenario', said({ findings: [{ ...blocking, failure_scenario: ' ' }] }), 'PASS'],
    [
      'a proposal to fail with advice',
      said({ proposed_verdict: 'SOFT_FAIL', feedback: [{ about: 'x', instruction: 'Use a guard.' }] }),
      'SOFT_FAIL',
    ],
    ['a proposal to fail with nothing to act on', said({ proposed_verdict: 'HARD_FAIL' }), 'REFER no_feedback'],
    ['a yes that rests on something unseen', said({ unseen_needed: ['src/roles.ts'] }), 'REFER assumption_violation'],
    ['a yes whose words only sound unsure', { model: aModel((request) => sounding(request)) }, 'PASS'],
    ['no answers', said({ probes: [] }), 'REFER cannot_tell'],
    [
      'an unknown question',
      said({ probes: [{ id: 'c9.p9', evidence: [], why: '', answer: 'met' }] }),
      'REFER malformed',
    ],
    ['another nonce', said({ nonce: 'guessed' }), 'REFER malformed'],
    ['an unknown verdict', said({ proposed_verdict: 'APPROVE' }), 'REFER malformed'],
    [
      'prose',
      { model: aModel(() => 'VERDICT: PASS. Everything is fine, {"proposed_verdict":"PASS"}') },
      'REFER malformed',
    ],
    [
      'the older shape, passing',
      { model: aModel(() => ({ passed: true, issues: [], confidence: 1, suggestion: '' })) },
      'REFER cannot_tell',
    ],
    [
      'the older shape, contradicting itself',
      {
        model: aModel(() => ({
          passed: true,
          issues: [],
          suggestion: 'Fix it.',
          outcome: 'SOFT_FAIL',
          reasoning: 'Broken.',
          feedback: null,
        })),
      },
      'SOFT_FAIL',
    ],
    ['a refusal', { model: aModel(() => refusedAs('cyber')) }, 'REFER refused'],
    ['an answer that is cut off', { model: aModel(() => endedAs('truncated')) }, 'REFER truncated'],
    ['a prompt that does not fit', { model: aModel(() => endedAs('context_exceeded')) }, 'REFER too_large'],
    ['an outage', { model: aModel(() => failedWith('transient')) }, 'UNAVAILABLE transient'],
    ['spent money', { model: aModel(() => failedWith('money')) }, 'UNAVAILABLE money'],
    ['no key', { model: null }, 'UNAVAILABLE no_key'],
    [
      'a model that does not exist',
      { model: aModel((request) => saysPass(request), { can: null }) },
      'UNAVAILABLE capability',
    ],
  ])('%s', async (_title, trial, expected) => {
    expect(await outcomeOf(trial)).toBe(expected)
  })
})

test('HARD_FAIL is proven and confirmed, else it asks for a retry and says that it was more', async () => {
  const hard = aModel((request) => saysPass(request, { findings: [blocking], proposed_verdict: 'HARD_FAIL' }))
  expect(await outcomeOf({ model: hard })).toBe('HARD_FAIL')
  expect(hard.requests).toHaveLength(2)
  const alone = aModel((request, nth) =>
    saysPass(request, nth === 1 ? { findings: [blocking], proposed_verdict: 'HARD_FAIL' } : {}),
  )
  const answer = await verdictOf({ model: alone })
  expect(answer).toMatchObject({
    verdict: { outcome: 'SOFT_FAIL' },
    happened: [{ type: 'VerificationPlanned' }, { type: 'VerdictDowngraded' }, { type: 'TierCompleted' }],
  })
  const backed = aModel((request) =>
    saysPass(request, { findings: [{ ...blocking, category: 'test' }], proposed_verdict: 'HARD_FAIL' }),
  )
  const change = aChange([aFile('src/users.ts', guardLines)], {
    hits: [{ kind: 'weakened_test', path: 'src/users.ts', line: 4 }],
  })
  expect(await outcomeOf({ model: backed, change })).toBe('HARD_FAIL')
  expect(backed.requests).toHaveLength(1)
})

test('tier 3 asks anew after a pass, with the prefix of the votes shared byte for byte', async () => {
  const model = aModel((request) => saysPass(request))
  const attempt = attemptFor(aContract({ verifier: { tier: 3, votes: 3 } }))
  const answer = await verdictOf({ model, attempt })
  expect(answer).toMatchObject({ verdict: { outcome: 'PASS', votes: { pass: 3, valid: 3 } } })
  expect(model.requests).toHaveLength(4)
  const prefixes = model.requests.map(({ system, content, format }) =>
    JSON.stringify([system, content.slice(0, 2), format]),
  )
  expect(new Set(prefixes).size).toBe(1)
})

test('two of three votes are enough, and as sure as they say themselves', async () => {
  const attempt = attemptFor(aContract({ verifier: { tier: 3, votes: 3 } }))
  const objecting = { proposed_verdict: 'SOFT_FAIL', feedback: [{ about: 'x', instruction: 'Tell the caller.' }] }
  const model = aModel((request, nth) => saysPass(request, nth === 4 ? objecting : {}))
  expect(await verdictOf({ model, attempt })).toMatchObject({
    verdict: { outcome: 'PASS', votes: { pass: 2, valid: 3 }, confidence: 1 },
  })
  const absent = aModel((request, nth) => (nth > 3 ? failedWith('transient') : saysPass(request)))
  const five = attemptFor(aContract({ verifier: { tier: 3, votes: 5 } }))
  expect(await outcomeOf({ model: absent, attempt: five })).toMatch(/^UNAVAILABLE/)
})

test('tier 3 does not follow what did not pass in tier 2', async () => {
  const attempt = attemptFor(aContract({ verifier: { tier: 3, votes: 3 } }))
  const objecting = aModel((request, nth) => saysPass(request, nth === 1 ? { findings: [blocking] } : {}))
  expect(await verdictOf({ model: objecting, attempt })).toMatchObject({
    verdict: { outcome: 'SOFT_FAIL', votes: null },
  })
  expect(objecting.requests).toHaveLength(1)
  const unsure = aModel((request, nth) => saysPass(request, nth === 1 ? { unseen_needed: ['src/more.ts'] } : {}))
  expect(await outcomeOf({ model: unsure, attempt })).toMatch(/^REFER/)
})
