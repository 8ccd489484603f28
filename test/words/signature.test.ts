// Which failures count as the same one: by the tests and problems that failed, never by a check's name alone.
import { describe, expect, test } from 'vitest'
import { failingNames } from '../../src/core/decision/gate/failing.ts'
import { lastStraw, spentBy } from '../../src/core/decision/gate/history.ts'
import { failureSignature } from '../../src/core/decision/gate/signature.ts'
import type { Attempt, CheckState } from '../../src/core/decision/model.ts'
import type { Decision, RowName } from '../../src/core/decision/decision.ts'
import { aDecision, anAttempt, answered, aTask, checks, policyOf } from './attempts.ts'

const check = (subject: string) => ({ code: 'VERIFICATION_CHECK_FAILED' as const, subject, detail: null })
const tier1 = (subject: string, detail: string | null) => ({
  code: 'VERIFICATION_TIER1_FAILED' as const,
  subject,
  detail,
})
const failed = (row: RowName, reasons: Decision['reasons'], given: Partial<Attempt> = {}) =>
  anAttempt({ decision: aDecision(row, { reasons }), ...given })
const suite = (output: string, state: CheckState = 'failed', name = 'test') =>
  failed('checks', [check(name)], { checks: checks([name, state, output]) })

describe('what a check names as failing', () => {
  // prettier-ignore
  test.each([
    ['vitest', ' FAIL  test/cart.test.ts > totals\n ✓ other (3 ms)\n   × totals 12ms', ['test/cart.test.ts > totals', 'totals #ms']],
    ['jest', '  ● cart › totals', ['cart › totals']],
    ['TAP', 'ok 1 - a\nnot ok 2 - totals', ['totals']],
    ['mocha', '  1) cart totals:', ['cart totals:']],
    ['go', '--- FAIL: TestTotal (0.00s)', ['TestTotal']],
    ['pytest', 'FAILED tests/test_cart.py::test_total - assert 8 == 10', ['tests/test_cart.py::test_total - assert # == #']],
    ['cargo', 'test cart::totals ... FAILED\ntest cart::other ... ok', ['cart::totals']],
    ['maven', '[ERROR]   CartTest.totals:12 expected:<8> but was:<10>', ['CartTest.totals:# expected:<#> but was:<#>']],
    ['tsc', "src/a.ts(3,7): error TS2322: Type 'x'", ["src/a.ts(#,#): error TS#: Type 'x'"]],
    ['a linter', 'src/a.ts:12:30: error: unused', ['src/a.ts:#:#: error: unused']],
    ['an interpreter', 'AssertionError: expected 8, got 10', ['AssertionError: expected #, got #']],
    ['colours', '\u001b[31m FAIL \u001b[39m a.test.ts', ['a.test.ts']],
    ['nothing that could be known again', 'it went wrong\nexit status 1', []],
  ])('%s', (_, output, names) => {
    expect(failingNames(output)).toEqual(names)
  })
})

test('of a long output the first names are known, and of a long line its beginning', () => {
  const failures = Array.from(
    { length: 600 },
    (_, index) => `FAILED ${'x'.repeat(index % 30)}.${'y'.repeat(index / 30)}`,
  )
  expect(failingNames(failures.join('\n'))).toHaveLength(500)
  const [name = ''] = failingNames(`FAILED ${'x'.repeat(900)}`)
  expect(name).toHaveLength(500 - 'FAILED '.length)
})

describe('the signature of a failure', () => {
  test('times, counts and order make no difference', () => {
    const one = failureSignature(suite(' FAIL  a.test.ts > x 12 ms\n FAIL  b.test.ts'))
    expect(one).not.toBeNull()
    expect(failureSignature(suite(' FAIL  b.test.ts\n FAIL  a.test.ts > x 340 ms\n3 tests'))).toBe(one)
  })

  // prettier-ignore
  test.each<[string, Attempt, Attempt]>([
    ['another test', suite(' FAIL  a.test.ts'), suite(' FAIL  b.test.ts')],
    ['one test less', suite(' FAIL  a.test.ts\n FAIL  b.test.ts'), suite(' FAIL  b.test.ts')],
    ['another file', failed('tier1', [tier1('syntax_a', 'a.json line 3')]), failed('tier1', [tier1('syntax_b', 'b.json line 3')])],
    ['another objection', failed('soft', [], { verifier: answered({ objections: ['c1.p1'] }) }), failed('soft', [], { verifier: answered({ objections: ['c1.p2'] }) })],
    ['other feedback', failed('soft', [], { verifier: answered() }), failed('soft', [], { verifier: answered({ feedback: 'b' }) })],
  ])('%s is another failure', (_what, one, other) => {
    expect(failureSignature(one)).not.toBeNull()
    expect(failureSignature(other)).not.toBeNull()
    expect(failureSignature(one)).not.toBe(failureSignature(other))
  })

  // prettier-ignore
  test.each<[string, Attempt]>([
    ['a check of which nothing more is known', suite('it went wrong')],
    ['a check without output', suite('')],
    ['one check of two of which nothing is known', failed('checks', [check('test'), check('lint')], { checks: checks(['test', 'failed', ' FAIL  a.test.ts'], ['lint', 'failed', 'no']) })],
    ['a check that timed out', failed('checks', [{ code: 'VERIFICATION_TIMEOUT', subject: 'test', detail: null }], { checks: checks(['test', 'timed_out', ' FAIL  a.test.ts']) })],
    ['a check that never reported', failed('checks', [{ code: 'VERIFICATION_CHECK_MISSING', subject: 'test', detail: null }])],
    ['tier 1 without a word', failed('tier1', [tier1('x', null)])],
    ['a verifier without a word', failed('soft', [], { verifier: answered({ feedback: null }) })],
    ['no decision', anAttempt({ decision: null })],
    ['a success', anAttempt({ decision: aDecision('success', { status: 'success' }) })],
    ['a human', anAttempt({ decision: aDecision('rejected', { status: 'failed' }) })],
    ['a spent task', anAttempt({ decision: aDecision('spent', { status: 'failed' }) })],
    ['an invalid policy', anAttempt({ decision: aDecision('invalid', { status: 'failed' }) })],
    ['an outage', anAttempt({ decision: aDecision('unavailable') })],
  ])('%s has none', (_what, attempt) => expect(failureSignature(attempt)).toBeNull())

  test('that a limit was reached makes no difference', () => {
    const limit = { code: 'POLICY_RETRY_LIMIT_EXCEEDED', subject: '3', detail: '3' } as const
    const blocked = { code: 'gate_blocked', subject: 'red_team', detail: 'a key in line 3' } as const
    for (const [row, reason] of [
      ['tier1', tier1('syntax', 'a.json')],
      ['block', blocked],
    ] as const) {
      const before = failureSignature(failed(row, [reason]))
      expect(before).not.toBeNull()
      expect(failureSignature(failed(row, [reason, limit]))).toBe(before)
    }
    expect(failureSignature(failed('block', [{ ...blocked, detail: null }]))).toBeNull()
    expect(failureSignature(failed('block', [blocked]))).toBe(
      failureSignature(failed('block', [{ ...blocked, detail: 'a key in line 8' }])),
    )
    expect(failureSignature(failed('block', [blocked]))).not.toBe(
      failureSignature(failed('block', [{ ...blocked, detail: 'a secret' }])),
    )
  })

  test('feedback beside known objections, or beside a failed check, makes no difference', () => {
    const objecting = (feedback: string) =>
      failed('soft', [], { verifier: answered({ objections: ['c1.p1'], feedback }) })
    expect(failureSignature(objecting('a'))).toBe(failureSignature(objecting('b')))
    const failing = (feedback: string) => ({ ...suite(' FAIL  a.test.ts'), verifier: answered({ feedback }) })
    expect(failureSignature(failing('a'))).toBe(failureSignature(failing('b')))
  })
})

describe('no progress', () => {
  const policy = policyOf({ verification: { checks: ['test'], retry: { max_attempts: 9, stop_on_no_progress: 2 } } })
  const nth = (ordinal: number, output: string, given: Partial<Attempt> = {}) =>
    anAttempt(
      {
        ordinal,
        checks: checks(['test', 'failed', output]),
        decision: aDecision('checks', { reasons: [check('test')] }),
        ...given,
      },
      policy,
    )
  const green = (ordinal: number, given: Partial<Decision> = {}) =>
    nth(ordinal, '', {
      checks: checks(['test', 'passed']),
      decision: aDecision('success', { status: 'success', ...given }),
    })
  const same = ' FAIL  a.test.ts'

  const codes = (...attempts: Attempt[]) => {
    const last = attempts.at(-1)
    if (last === undefined || last.decision === null) throw new Error('no attempt')
    return lastStraw(aTask(...attempts), last, last.decision).map(({ code }) => code)
  }
  // prettier-ignore
  test.each<[string, Attempt[], string[]]>([
    ['the same test twice', [nth(1, same), nth(2, same)], ['POLICY_NO_PROGRESS']],
    ['another test', [nth(1, same), nth(2, ' FAIL  b.test.ts')], []],
    ['a check whose tests are not known', [nth(1, 'no'), nth(2, 'no')], []],
    ['a green attempt in between', [nth(1, same), green(2), nth(3, same)], []],
    ['one that only waited for a human in between', [nth(1, same), green(2, { status: 'refer', row: 'review' }), nth(3, same)], []],
    ['one that waited for a confirmation in between', [nth(1, same), green(2, { status: 'refer', row: 'confirmation' }), nth(3, same)], []],
    ['one that the verifier referred in between', [nth(1, same), green(2, { status: 'refer', row: 'refer' }), nth(3, same)], []],
    ['one that waited for leave to begin in between', [nth(1, same), green(2, { status: 'refer', row: 'protected' }), nth(3, same)], ['POLICY_NO_PROGRESS']],
    ['an outage in between', [nth(1, same), green(2, { status: 'retry', row: 'unavailable' }), nth(3, same)], ['POLICY_NO_PROGRESS']],
    ['another test before', [nth(1, ' FAIL  b.test.ts'), nth(2, same), nth(3, same)], ['POLICY_NO_PROGRESS']],
    ['another test since', [nth(1, same), nth(2, same), nth(3, ' FAIL  b.test.ts')], []],
    ['a superseded one in between', [nth(1, same), nth(2, same, { state: 'SUPERSEDED' }), nth(3, same)], ['POLICY_NO_PROGRESS']],
  ])('%s', (_, attempts, expected) => {
    expect(codes(...attempts)).toEqual(expected)
  })

  test('what had made no progress before is told to the next attempt, unless it was green since', () => {
    const next = nth(4, '', { decision: null })
    const spent = (...before: Attempt[]) => spentBy(aTask(...before, next), next).map(({ code }) => code)
    expect(spent(nth(1, same), nth(2, same))).toEqual(['POLICY_NO_PROGRESS'])
    expect(spent(nth(1, same), nth(2, same), green(3))).toEqual([])
    const outage = green(3, { status: 'retry', row: 'unavailable' })
    expect(spent(nth(1, same), nth(2, same), outage)).toEqual(['POLICY_NO_PROGRESS'])
  })

  test('as often as policy says, all in one way', () => {
    const thrice = policyOf({ verification: { retry: { max_attempts: 9, stop_on_no_progress: 3 } } })
    const told = (...outputs: string[]) => {
      const attempts = outputs.map((output, index) => {
        const { contract } = anAttempt({}, thrice)
        return nth(index + 1, output, { contract })
      })
      return codes(...attempts)
    }
    expect(told(same, same)).toEqual([])
    expect(told(same, same, same)).toEqual(['POLICY_NO_PROGRESS'])
    expect(told(same, ' FAIL  b.test.ts', same)).toEqual([])
    expect(told(' FAIL  b.test.ts', same, same)).toEqual([])
  })

  test('outages use up no attempt', () => {
    const two = policyOf({ verification: { retry: { max_attempts: 2 } } })
    const { contract } = anAttempt({}, two)
    const [first, outage, next] = [
      nth(1, 'a', { contract }),
      green(2, { status: 'retry', row: 'unavailable' }),
      nth(3, '', { contract }),
    ]
    const spent = (...before: Attempt[]) => spentBy(aTask(...before, next), next).map(({ code }) => code)
    expect(spent(first, outage)).toEqual([])
    expect(spent(first, nth(2, 'b'))).toEqual(['POLICY_RETRY_LIMIT_EXCEEDED'])
  })

  test('after new attempts were granted the present one is no longer the last straw', () => {
    const [first, second] = [nth(1, same), nth(2, same)]
    const task = { ...aTask(first, second), counted_after: 2 }
    expect(lastStraw(task, second, aDecision('checks'))).toEqual([])
  })
})
