// What a failed call means, and how often it is made again.
import { describe, expect, test } from 'vitest'
import { causeOf, isGrammarTooLarge, isRescheduled, type Trouble } from '../../src/verifier/calls/faults.ts'
import { failedWith, refusedAs } from './lab.ts'

describe('the class of a fault', () => {
  test.each<[string, Partial<Trouble>, string]>([
    ['a limit that grows with use', { status: 429, code: 'ramp_limit_exceeded' }, 'ramp'],
    ['no more credit', { status: 400, code: 'credit_balance_too_low' }, 'money'],
    ['a spend limit, which comes as a 429', { status: 429, code: 'contract_spend_limit_reached' }, 'money'],
    ['a limit of the organisation', { status: 429, code: 'enforced_monthly_limit' }, 'money'],
    ['a bill', { status: 402 }, 'money'],
    ['trouble with billing', { status: 403, type: 'billing_error' }, 'money'],
    ['too many at once', { status: 429, type: 'rate_limit_error' }, 'transient'],
    ['a conflict', { status: 409 }, 'transient'],
    ['a time limit', { status: 408 }, 'transient'],
    ['a server error', { status: 500 }, 'transient'],
    ['a server that is overloaded', { status: 529, type: 'overloaded_error' }, 'transient'],
    ['a connection that broke', {}, 'transient'],
    ['a stream that ended with an outage', { type: 'overloaded_error' }, 'transient'],
    ['a stream that ended with our mistake', { type: 'invalid_request_error' }, 'config'],
    ['a request that is wrong', { status: 400, type: 'invalid_request_error' }, 'config'],
    ['an outage named under a status that is none', { status: 400, type: 'api_error' }, 'config'],
    ['a key that is wrong', { status: 401, type: 'authentication_error' }, 'config'],
    ['a status just below those of servers', { status: 499 }, 'config'],
  ])('%s', (_title, trouble, cause) => {
    expect(causeOf({ status: null, type: null, code: null, ...trouble })).toBe(cause)
  })
})

test('only an outage is asked about again later', () => {
  expect(['transient', 'ramp', 'deadline', 'quorum', 'money', 'config', 'refused'].filter(isRescheduled)).toEqual([
    'transient',
    'ramp',
    'deadline',
    'quorum',
  ])
})

test('a grammar that is too large is told from other mistakes', () => {
  const failed = (status: number, code: string) => isGrammarTooLarge(failedWith('config', { status, code }))
  expect([failed(400, 'grammar_too_large'), failed(429, 'grammar_too_large'), failed(400, 'other')]).toEqual([
    true,
    false,
    false,
  ])
  expect(isGrammarTooLarge(refusedAs(null))).toBe(false)
})
