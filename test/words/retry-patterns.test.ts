// How earlier attempts are counted, summed up and compared.
import { describe, expect, test } from 'vitest'
import type { CheckState } from '../../src/core/decision/model.ts'
import type { RowName } from '../../src/core/decision/decision.ts'
import { retryContext } from '../../src/core/words/retry/retry-context.ts'
import { aDecision, anAttempt, aTask, checks, contextOf } from './attempts.ts'

describe('attempts', () => {
  const failing = (ordinal: number, row: RowName = 'checks') =>
    anAttempt({ ordinal, decision: aDecision(row), checks: checks(['test', 'failed']) })

  test('an outage is no attempt, and a reset starts from one', () => {
    const [first, outage, third] = [failing(1), failing(2, 'unavailable'), failing(3)]
    const task = aTask(first, outage, third)
    expect(retryContext(task, third).attempt_number).toBe(3)
    expect(retryContext(task, outage).attempt_number).toBe(2)
    expect(retryContext({ ...task, counted_after: 1 }, third).attempt_number).toBe(2)
    expect(retryContext({ ...task, counted_after: 3 }, third).attempt_number).toBe(1)
  })

  test('the newest three are kept', () => {
    const all = [1, 2, 3, 4, 5].map((ordinal) => failing(ordinal))
    const context = retryContext(aTask(...all), failing(5))
    expect(context.prior_attempts.map(({ attempt_number }) => attempt_number)).toEqual([2, 3, 4])
    expect(context.truncated).toEqual(['prior_attempts'])
    expect(context.prior_attempts[0]).toEqual({
      attempt_number: 2,
      duration_ms: 900,
      outcome: 'CHECK_FAILURE',
      check_results: [{ name: 'test', passed: false, output_excerpt: '' }],
      verifier_outcome: null,
      verifier_feedback: null,
      files_modified: ['src/cart.ts'],
      diff_summary: '1 file changed: 1 modified',
    })
  })

  test.each<[RowName, CheckState, string]>([
    ['scope', 'passed', 'SCOPE_VIOLATION'],
    ['tier1', 'passed', 'CHECK_FAILURE'],
    ['checks', 'failed', 'CHECK_FAILURE'],
    ['checks', 'timed_out', 'TIMEOUT'],
    ['hard', 'passed', 'VERIFIER_REJECTION'],
    ['soft', 'passed', 'VERIFIER_REJECTION'],
    ['block', 'passed', 'VERIFIER_REJECTION'],
    ['rejected', 'passed', 'HUMAN_REJECTION'],
    ['unavailable', 'passed', 'CRASH'],
  ])('row %s with a check that %s is %s', (row, state, outcome) => {
    const before = anAttempt({ ordinal: 1, decision: aDecision(row), checks: checks(['test', state]) })
    expect(retryContext(aTask(before), failing(2)).prior_attempts).toMatchObject([{ outcome }])
  })

  test('attempts that did not fail, or were superseded, are left out', () => {
    const referred = anAttempt({ ordinal: 1, decision: aDecision('refer', { status: 'refer' }) })
    const superseded = anAttempt({ ordinal: 2, state: 'SUPERSEDED' })
    expect(retryContext(aTask(referred, superseded), failing(3)).prior_attempts).toEqual([])
  })

  test('what repeats is named with how often', () => {
    const lint = anAttempt({
      ordinal: 1,
      checks: checks(['lint', 'failed']),
      files: [
        { path: 'src/cart.ts', previous_path: null, status: 'added' },
        { path: 'a.ts', previous_path: null, status: 'added' },
      ],
    })
    const context = retryContext(aTask(lint, failing(2), failing(3)), failing(4))
    expect(context.patterns).toEqual([
      '`test` has failed in 3 attempts in a row.',
      '`src/cart.ts` was changed in each of the 4 attempts.',
    ])
    expect(contextOf(failing(1)).patterns).toEqual([])
  })
})
