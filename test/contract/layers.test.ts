// The organisation's default lies below the repository's policy; keys merge, checks merge by name, other lists replace.
import { describe, expect, test } from 'vitest'
import { mergeLayers, policyOf } from '../../src/core/contract/policy/layers.ts'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'

describe('layers merge', () => {
  test.each([
    ['keys', { mode: 'off', budget: { usd_per_task: 1 } }, { budget: { calls_per_attempt: 2 } }, { mode: 'off', budget: { usd_per_task: 1, calls_per_attempt: 2 } }],
    ['the upper value wins', { mode: 'off' }, { mode: 'shadow' }, { mode: 'shadow' }],
    ['other lists replace', { protected_paths: ['a', 'b'] }, { protected_paths: ['c'] }, { protected_paths: ['c'] }],
    ['other lists called checks replace too', { goals: { integration_checks: ['a'] } }, { goals: { integration_checks: ['b'] } }, { goals: { integration_checks: ['b'] } }],
    ['checks by name', { verification: { checks: [{ name: 'test', command: 'a', timeout: 5 }, 'lint'] } }, { verification: { checks: [{ name: 'test', timeout: 9 }, 'docs'] } }, { verification: { checks: [{ name: 'test', command: 'a', timeout: 9 }, 'lint', 'docs'] } }],
    ['a new source replaces the old one', { verification: { checks: [{ name: 'test', command: 'a' }] } }, { verification: { checks: [{ name: 'test', check_run: 'ci' }] } }, { verification: { checks: [{ name: 'test', check_run: 'ci' }] } }],
    ['and what only the old one reads', { verification: { checks: [{ name: 'test', command: 'a', timeout: 9, paths: ['b'] }] } }, { verification: { checks: [{ name: 'test', status: 'ci' }] } }, { verification: { checks: [{ name: 'test', paths: ['b'], status: 'ci' }] } }],
    ['and no more than that', { verification: { checks: [{ name: 'test', check_run: 'a', app: 'b' }] } }, { verification: { checks: [{ name: 'test', check_run: 'ci' }] } }, { verification: { checks: [{ name: 'test', app: 'b', check_run: 'ci' }] } }],
    ['a bare string is named after itself', { verification: { checks: [{ command: 'lint', required: false }] } }, { verification: { checks: ['lint'] } }, { verification: { checks: [{ required: false, command: 'lint' }] } }],
  ])('%s', (_title, lower, upper, merged) => {
    expect(mergeLayers(lower, upper)).toEqual(merged)
  }) // prettier-ignore
})

const outcomes = ['PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER']
const mine = {
  criteria: [{ name: 'a', description: 'b', weight: 1, grade_type: 'binary' }],
  calibration: outcomes.map((expected_verdict) => ({ artifact_summary: 'a', expected_verdict, rationale: 'b' })),
}

test('a policy may use the rubric that the organisation defines, and only then', () => {
  const text = 'verification: { verifier: { rubric: mine } }'
  expect(readPolicy(text, 'p.yml', { rubrics: { mine } })).toMatchObject({ ok: true, layer: { verification: {} } })
  expect(readPolicy(text, 'p.yml')).toMatchObject({ ok: false, problems: [{ key: 'verification.verifier.rubric' }] })
})

test('a change that breaks what the organisation defines is reported where it was written', () => {
  const text =
    'mode: off\nrubrics:\n  mine:\n    criteria:\n      - { name: a, description: b, weight: 0.5, grade_type: binary }'
  const reading = readPolicy(text, 'p.yml', { rubrics: { mine } })
  expect(reading).toMatchObject({ ok: false, problems: [{ line: 5, key: 'rubrics.mine.criteria' }] })
})

test('an entry may name a check of the organisation without its command', () => {
  const below = {
    verification: {
      checks: [
        { name: 'lint', command: 'l' },
        { name: 'test', command: 'a' },
      ],
    },
  }
  const reading = readPolicy('verification: { checks: [{ name: test, timeout: 1m }] }', 'p.yml', below)
  expect(reading).toMatchObject({ ok: true, policy: { verification: { checks: [{}, { command: 'a', timeout: 60 }] } } })
  const wrong = readPolicy('verification: { checks: [{ name: test, timeout: soon }] }', 'p.yml', below)
  expect(wrong).toMatchObject({ ok: false, problems: [{ line: 1, key: 'verification.checks[0].timeout' }] })
})

test('a repeated name in one file stays an error when the organisation has that check', () => {
  const below = { verification: { checks: ['a'] } }
  expect(readPolicy('verification: { checks: [a, a] }', 'p.yml', below)).toMatchObject({ ok: false })
})

test('a merged layer makes a policy', () => {
  expect(policyOf(mergeLayers({ mode: 'off' }, {})).mode).toBe('off')
  expect(() => policyOf({ mode: 'never' })).toThrow(/mode/)
})
