// Which failures count as the same one.
import { describe, expect, test } from 'vitest'
import type { Attempt, Decision, RowName } from '../../src/core/decision/model.ts'
import { failureSignature } from '../../src/core/decision/gate/signature.ts'
import { aDecision, anAttempt, answered } from './attempts.ts'

describe('the signature of a failure', () => {
  const failed = (row: RowName, reasons: Decision['reasons'], given: Partial<Attempt> = {}) =>
    anAttempt({ decision: aDecision(row, { reasons }), ...given })
  const check = (subject: string) => ({ code: 'VERIFICATION_CHECK_FAILED' as const, subject, detail: null })

  test('numbers, order and the end of all attempts make no difference', () => {
    const one = failureSignature(failed('checks', [check('shard 1'), check('lint')]))
    const limit = { code: 'POLICY_NO_PROGRESS' as const, subject: '2', detail: null }
    const other = anAttempt({
      decision: aDecision('checks', { status: 'failed', reasons: [check('lint'), check('shard 22'), limit] }),
    })
    expect(one).not.toBeNull()
    expect(failureSignature(other)).not.toBe(one)
    const same = anAttempt({
      decision: aDecision('checks', { status: 'failed', reasons: [check('lint'), check('shard 2'), limit] }),
    })
    expect(failureSignature(same)).toBe(one)
  })

  test.each<[string, Attempt, Attempt]>([
    ['the stage', failed('checks', []), failed('tier1', [])],
    ['the names', failed('checks', [check('a')]), failed('checks', [check('b')])],
    [
      'the objections',
      failed('soft', [], { verifier: answered({ objections: ['c1.p1'] }) }),
      failed('soft', [], { verifier: answered({ objections: ['c1.p2'] }) }),
    ],
    [
      'the feedback',
      failed('soft', [], { verifier: answered() }),
      failed('soft', [], { verifier: answered({ feedback: 'b' }) }),
    ],
  ])('%s makes a difference', (_what, one, other) => {
    expect(failureSignature(one)).not.toBe(failureSignature(other))
  })

  test('feedback beside known objections, or beside a failed check, makes none', () => {
    const objecting = (feedback: string) =>
      failed('soft', [], { verifier: answered({ objections: ['c1.p1'], feedback }) })
    expect(failureSignature(objecting('a'))).toBe(failureSignature(objecting('b')))
    const failing = (feedback: string) => failed('checks', [], { verifier: answered({ feedback }) })
    expect(failureSignature(failing('a'))).toBe(failureSignature(failing('b')))
  })

  test.each([
    ['no decision', null],
    ['a success', aDecision('success', { status: 'success' })],
    ['a human', aDecision('rejected', { status: 'failed' })],
    ['a spent task', aDecision('spent', { status: 'failed' })],
    ['an invalid policy', aDecision('invalid', { status: 'failed' })],
    ['an outage', aDecision('unavailable')],
  ])('%s has none', (_what, decision) => expect(failureSignature(anAttempt({ decision }))).toBeNull())
})
