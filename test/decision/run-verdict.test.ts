// What a run of the Action says of a commit by itself.
import { expect, test } from 'vitest'
import { checkPassed, runPassed } from '../../src/core/decision/gate/run-verdict.ts'

const check = (name: string, passed: boolean, required: boolean) => ({
  name,
  passed,
  exit_code: passed ? 0 : 1,
  output: '',
  duration_ms: 1,
  required,
})
const good = check('test', true, true)
const bad = check('test', false, true)
const advice = check('style', false, false)

test.each([
  ['everything passed', true, [good], true],
  ['there is nothing but tier 1', true, [], true],
  ['only what informs failed', true, [good, advice], true],
  ['a required check failed', true, [advice, bad, good], false],
  ['tier 1 failed', false, [good], false],
])('%s', (_title, passed, checks, verdict) => {
  expect(runPassed({ checks, tier1: { passed } })).toBe(verdict)
})

test('what was not looked at is no pass', () => expect(runPassed({ checks: [good], tier1: null })).toBe(false))

test.each([
  ['it passed', [good], true],
  ['it failed', [bad], false],
  ['it failed, and nothing requires it', [advice], false],
  ['there is none', [], false],
  ['there are two', [good, good], false],
])('a job that is one check: %s', (_title, checks, passed) => expect(checkPassed({ checks })).toBe(passed))
