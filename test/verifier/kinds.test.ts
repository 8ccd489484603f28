// The ways to a verdict beside the rubric: patterns over a plain answer, a suite's own result, several kinds together,
// and words found without any model.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { costMs } from '../aside/computed.ts'
import { z } from 'zod'
import { policySchema } from '../../src/core/contract/policy/policy.ts'
import { compose, claimsCompletion, suiteResult, type KindResult } from '../../src/verifier/weighing/kinds.ts'
import { compiled } from '../../src/core/linear-pattern.ts'
import { defaultFail, defaultPass, excerpt, readByPatterns } from '../../src/verifier/weighing/pattern.ts'
import { checks } from '../words/attempts.ts'
import {
  aChange,
  aContract,
  aFile,
  aModel,
  attemptFor,
  failedWith,
  guardLines,
  outcomeOf,
  promptText,
  saysPass,
  verdictOf,
  type TaskGiven,
  type Trial,
} from './lab.ts'

const fixture = z.object({ case: z.string(), text: z.string(), reason: z.string().optional() })
const fixtures = (name: string) =>
  readFileSync(`test/verifier/fixtures/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => fixture.parse(JSON.parse(line)))

const byPatterns = (text: string, pass = defaultPass, fail = defaultFail) => {
  const [one, other] = [compiled(pass), compiled(fail)]
  if (one === null || other === null) throw new Error('A pattern does not compile')
  return readByPatterns(text, one, other)
}
const trial = (verifier: NonNullable<TaskGiven['verifier']>, given: Trial = {}): Trial => ({
  attempt: attemptFor(aContract({ verifier })),
  ...given,
})

describe('patterns', () => {
  test.each(fixtures('evaluator_pass'))('pass: $case', async ({ text }) => {
    expect(byPatterns(text)).toEqual({ passed: true })
    expect(await outcomeOf(trial({ kind: 'response_pattern' }, { model: aModel(() => text) }))).toBe('PASS')
  })

  test.each(fixtures('evaluator_fail'))('fail: $case', async ({ text, reason }) => {
    expect(byPatterns(text)).toEqual({ passed: false, reason })
    const answer = await verdictOf(trial({ kind: 'response_pattern' }, { model: aModel(() => text) }))
    expect(answer).toMatchObject({ verdict: { outcome: 'SOFT_FAIL', feedback: reason, confidence: null } })
  })

  test('ask for plain text, blindly, in one call', async () => {
    const model = aModel(() => 'VERDICT: PASS')
    const own = attemptFor(aContract({ task: 'acme/shop#7', title: 'ZEBRA', verifier: { kind: 'response_pattern' } }))
    await verdictOf({ attempt: own, model })
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]?.format).toBeNull()
    expect(model.requests.map(promptText).join()).not.toContain('ZEBRA')
  })

  test('of one’s own', () => {
    expect(byPatterns('score: 9', String.raw`score: \d`, 'score: 0')).toEqual({ passed: true })
    expect(byPatterns('score: 0 for lack of tests', String.raw`score: \d\d`, 'score: 0 for (.*)')).toEqual({
      passed: false,
      reason: 'lack of tests',
    })
  })

  test('say why in the words of the answer, as far as it has any', () => {
    const why = (text: string, fail: string) => {
      const read = byPatterns(text, 'PASSED', fail)
      return read.passed ? null : read.reason
    }
    expect(why('first\nscore: 0 here \n', 'score: 0')).toBe('score: 0 here')
    expect(why('score: 0\nlast', 'score: 0')).toBe('no verdict: neither pattern matches its last line')
    expect(why('score: 0', 'score: 0')).toBe('score: 0')
    expect(why('first\nscore: 0', 'score: 0(.*)')).toBe('score: 0')
    expect(why('', '^$')).toBe('the failing pattern matches')
    expect(why(`score: 0 ${'x'.repeat(900)}`, 'score: 0 (.*)')).toBe('x'.repeat(500))
    expect(why('PASSED, FAILED', 'FAILED')).toBe('ambiguous verdict: both patterns match')
    expect(why('nothing', 'FAILED')).toBe('no verdict: neither pattern matches its last line')
  })

  test('read 65,536 characters, and what stands behind them says nothing', () => {
    const filler = 'x'.repeat(65_536 - 'PASSED'.length)
    expect(byPatterns(`${filler}PASSED`, 'PASSED', 'FAILED')).toEqual({ passed: true })
    expect(byPatterns(`${filler}.PASSED`, 'PASSED', 'FAILED')).toMatchObject({ passed: false })
    expect(byPatterns(`PASSED${filler} FAILED`, 'PASSED', 'FAILED')).toEqual({ passed: true })
  })

  test('that do not compile are a mistake in the policy', () => {
    expect(compiled('(')).toBeNull()
    const verifier = { kind: 'response_pattern', pass_pattern: '(?<=x)y' } as const
    const read = policySchema.safeParse({ verification: { verifier } })
    expect(read.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['verification.verifier.pass_pattern', 'is not a regular expression of RE2 syntax'],
    ])
  })

  test('take time that grows with the text and nothing else', async () => {
    expect(await costMs(() => byPatterns('a'.repeat(65_000), '(a+)+$!', '(a|aa)+b'))).toBeLessThan(1_000)
  })

  test('an outage is no answer', async () => {
    expect(await outcomeOf(trial({ kind: 'response_pattern' }, { model: aModel(() => failedWith('transient')) }))).toBe(
      'UNAVAILABLE transient',
    )
    expect(await outcomeOf(trial({ kind: 'response_pattern' }, { model: null }))).toBe('UNAVAILABLE no_key')
  })

  test('what was not read does not pass', async () => {
    const change = aChange([aFile('src/users.ts', guardLines), aFile('src/big.ts', null, { additions: 9 })])
    expect(await outcomeOf(trial({ kind: 'response_pattern' }, { change, model: aModel(() => 'VERDICT: PASS') }))).toBe(
      'REFER coverage',
    )
  })

  test('a reason is cut between characters', () => {
    expect(excerpt('a😀', 2)).toBe('a')
  })
})

describe('an evaluator from outside', () => {
  const verifier = { kind: 'response_pattern', evaluator: 'judge' } as const
  type State = 'passed' | 'failed' | 'timed_out' | 'missing'
  const judged = (text: string, state: State = 'passed') =>
    attemptFor(aContract({ verifier }), { checks: checks(['test', 'passed'], ['judge', state, text]) })
  const model = aModel(() => 'VERDICT: PASS')

  test.each(fixtures('evaluator_pass'))('that passes is believed, and no model is asked: $case', async ({ text }) => {
    expect(await outcomeOf({ attempt: judged(text), model })).toBe('PASS')
    expect(model.requests).toEqual([])
  })

  test.each(fixtures('evaluator_fail'))('that fails asks for a retry: $case', async ({ text, reason }) => {
    const answer = await verdictOf({ attempt: judged(text), model: null })
    expect(answer).toMatchObject({ verdict: { outcome: 'SOFT_FAIL', feedback: `\`judge\`: ${reason}` } })
  })

  test('that did not succeed has failed, and one that has not answered has said nothing', async () => {
    const outcome = (state: State) => verdictOf({ attempt: judged('VERDICT: PASS', state), model })
    expect(await outcome('failed')).toMatchObject({ verdict: { feedback: '`judge` failed with exit code 1' } })
    expect(await outcome('timed_out')).toMatchObject({ verdict: { feedback: '`judge` ran out of time' } })
    expect(await outcome('missing')).toMatchObject({ type: 'report_unavailable', reason: 'no_result' })
  })
})

describe('a test suite', () => {
  const attempt = (state: 'passed' | 'failed' | 'timed_out' | 'missing' | 'running') =>
    attemptFor(aContract({ verifier: { kind: 'test_suite', test_suite: { check: 'suite' } } }), {
      checks: checks(['suite', state, 'VERDICT: PASS']),
    })

  test.each([
    ['passed', { outcome: 'PASS' }],
    ['failed', { outcome: 'SOFT_FAIL', reason: '`suite` failed with exit code 1' }],
    ['timed_out', { outcome: 'SOFT_FAIL', reason: '`suite` ran out of time: VERIFICATION_TIMEOUT' }],
    ['missing', { outcome: 'UNAVAILABLE', reason: 'no_result' }],
    ['running', { outcome: 'UNAVAILABLE', reason: 'no_result' }],
  ] as const)('that %s', (state, result) => {
    expect(suiteResult(attempt(state))).toEqual(result)
  })

  test('is the verdict, whatever anybody says, and asks no model', async () => {
    const model = aModel(() => 'VERDICT: FAIL')
    expect(await outcomeOf({ attempt: attempt('passed'), model })).toBe('PASS')
    expect(await outcomeOf({ attempt: attempt('failed'), model: aModel(() => 'VERDICT: PASS') })).toBe('SOFT_FAIL')
    expect(model.requests).toEqual([])
  })
})

describe('several kinds', () => {
  const pass: KindResult = { outcome: 'PASS' }
  const fail = (reason: string): KindResult => ({ outcome: 'SOFT_FAIL', reason })
  const refer: KindResult = { outcome: 'REFER', reason: 'coverage' }
  const away: KindResult = { outcome: 'UNAVAILABLE', reason: 'transient' }
  test.each<[string, KindResult[], object]>([
    ['all pass', [pass, pass], { outcome: 'PASS' }],
    ['one fails', [pass, fail('late'), pass], { outcome: 'SOFT_FAIL', reason: '[verifier 1] late' }],
    ['two fail', [fail('a'), fail('b')], { outcome: 'SOFT_FAIL', reason: '[verifier 0] a\n[verifier 1] b' }],
    ['one refers', [fail('a'), refer], refer],
    ['one is away', [refer, away, fail('a')], away],
    ['none', [], { outcome: 'REFER' }],
  ])('%s', (_title, children, whole) => {
    expect(compose(children)).toMatchObject(whole)
  })

  test('a long reason is cut between characters', () => {
    const whole = compose([fail('é😀'.repeat(1_500))])
    expect(whole).toMatchObject({ outcome: 'SOFT_FAIL' })
    if (whole.outcome === 'SOFT_FAIL')
      expect([whole.reason.length <= 2_000, whole.reason.isWellFormed()]).toEqual([true, true])
  })

  test('all of them run, and the one with a rubric is told in full', async () => {
    const verifier: NonNullable<TaskGiven['verifier']> = {
      kind: 'composite',
      all: ['test_suite', 'rubric'],
      test_suite: { check: 'test' },
    }
    const model = aModel((request) => saysPass(request))
    const failing = attemptFor(aContract({ verifier }), { checks: checks(['test', 'failed', 'no']) })
    expect(await verdictOf({ attempt: attemptFor(aContract({ verifier })), model })).toMatchObject({
      verdict: { outcome: 'PASS', confidence: 0.9 },
      examined: { rubric: 'default-task' },
    })
    expect(await verdictOf({ attempt: failing, model })).toMatchObject({
      verdict: { outcome: 'SOFT_FAIL', feedback: '[verifier 0] `test` failed with exit code 1' },
    })
    expect(model.requests).toHaveLength(2)
  })
})

describe('without a model', () => {
  test('words decide only where the policy says so, and every result says that nobody read it', async () => {
    const found = await verdictOf(trial({ grader: 'heuristic', criteria: '- isAdmin Forbidden' }))
    expect(found).toMatchObject({
      verdict: { outcome: 'PASS', confidence: 0.6 },
      examined: { remarks: ['heuristic: no model read this change'] },
    })
    const missing = await verdictOf({
      attempt: attemptFor(aContract({ body: '', verifier: { grader: 'heuristic', criteria: '- a changelog entry' } })),
    })
    expect(missing).toMatchObject({ verdict: { outcome: 'SOFT_FAIL', confidence: 0.1 } })
    expect(await outcomeOf(trial({ grader: 'llm' }, { model: null }))).toBe('UNAVAILABLE no_key')
  })

  test('they stand in for a model that is away when the policy says so', async () => {
    const away = aModel(() => failedWith('transient'))
    const verifier = { grader_fallback: 'heuristic', criteria: '- isAdmin Forbidden' } as const
    expect(await verdictOf(trial(verifier, { model: away }))).toMatchObject({
      verdict: { outcome: 'PASS' },
      examined: { rubric: 'heuristic' },
    })
  })

  test('what nobody could read refers here too', async () => {
    const change = aChange([aFile('src/users.ts', guardLines), aFile('src/big.ts', null, { additions: 9 })])
    expect(await outcomeOf(trial({ grader: 'heuristic', criteria: '- isAdmin Forbidden' }, { change }))).toBe(
      'REFER coverage',
    )
  })
})

test('whether the work claims to be done is another question', () => {
  expect(claimsCompletion({ draft: true, body: '', closes: [4] })).toEqual({ claimed: false, warnings: [] })
  expect(claimsCompletion({ draft: false, body: '- [x] a\n- [ ] b', closes: [] })).toEqual({
    claimed: true,
    warnings: ['open_boxes', 'no_issue'],
  })
})
