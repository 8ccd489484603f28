// A merge group is judged by what is in it and by its own required checks, and by nothing else.
import { expect, test } from 'vitest'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import type { Attempt, Group } from '../../src/core/decision/model.ts'
import { anAttempt, aTask, checks, policyOf } from '../words/attempts.ts'

const policy = policyOf({
  verification: {
    checks: ['test', 'lint', { name: 'style', command: 'npm run style', required: false }],
    retry: { max_attempts: 1, applies_to: 'everyone' },
  },
})
const passed = checks(['test', 'passed'], ['lint', 'passed'])

/** What the gate says of it: status, authority and row, then each reason. */
function said(given: Partial<Attempt>, members: Partial<Group> = {}): string[] {
  const group = { pull: 7, beside: [], base_sha: 'b'.repeat(40), lacking: [], covers: [], ...members }
  const attempt = anAttempt({ decision: null, files: null, group, ...given }, policy)
  const { status, by, row, reasons } = conclude(aTask(attempt), attempt)
  return [`${status} ${by} ${row}`, ...reasons.map(({ code, subject }) => `${code} ${subject}`)]
}

// prettier-ignore
test.each<[string, Partial<Attempt>, Partial<Group>, string[]]>([
  ['its checks passed', { checks: passed }, {}, ['success checks success']],
  ['nobody has looked at what is in it', { checks: passed }, { lacking: null }, ['pending null pending', 'awaiting_member 7']],
  ['some in it are no success', { checks: passed }, { lacking: [7, 9] }, ['refer review review', 'member_not_green 7', 'member_not_green 9']],
  ['its contract cannot be read', { checks: passed, invalid: [{ code: 'policy_invalid', subject: null, detail: null }] }, { lacking: [7] }, ['refer policy invalid', 'policy_invalid null']],
  ['something of ours went wrong', { checks: passed, faults: { hearing: 'it threw' } }, {}, ['refer policy invalid', 'SYSTEM_FAULT hearing']],
  ['nothing has reported', {}, {}, ['pending null pending', 'awaiting_check test', 'awaiting_check lint']],
  ['one still runs, another failed', { checks: checks(['test', 'running'], ['lint', 'failed']) }, {}, ['pending null pending', 'awaiting_check test']],
  ['one never reported', { checks: checks(['lint', 'passed']), waited: true }, {}, ['refer checks pending', 'VERIFICATION_CHECK_MISSING test']],
  ['one failed, for every commit anew', { checks: checks(['test', 'failed'], ['lint', 'passed']), limited: true }, {}, ['retry checks checks', 'VERIFICATION_CHECK_FAILED test']],
  ['one ran out of time, the other was missing', { checks: checks(['test', 'timed_out'], ['lint', 'missing']) }, {}, ['retry checks checks', 'VERIFICATION_CHECK_FAILED test', 'VERIFICATION_CHECK_FAILED lint']],
  ['one does not apply to what it changes', { checks: checks(['test', 'left_out'], ['lint', 'passed']) }, {}, ['success checks success']],
  ['one failed that a member has an override for', { checks: checks(['test', 'failed'], ['lint', 'passed']) }, { covers: ['check:test'] }, ['success checks success']],
  ['one failed, and the override is for another', { checks: checks(['test', 'failed'], ['lint', 'passed']) }, { covers: ['check:lint'] }, ['retry checks checks', 'VERIFICATION_CHECK_FAILED test']],
  ['one failed that only informs', { checks: { ...passed, ...checks(['style', 'failed']) } }, {}, ['success checks success']],
])('%s', (_title, given, members, expected) => {
  expect(said(given, members)).toEqual(expected)
})
