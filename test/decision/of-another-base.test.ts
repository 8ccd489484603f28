// A result that was reported for one base of a commit does not count for another one, in whichever second it came.
import { expect, test } from 'vitest'
import { ofThisBase } from '../../src/core/decision/results/of-another-base.ts'
import type { Attempt } from '../../src/core/decision/model.ts'
import { anAttempt, aTask } from '../words/attempts.ts'

const sha = '1'.repeat(40)
const seen = (id: string): Partial<Attempt> => ({
  id: 'before',
  head_sha: sha,
  base_ref: 'lax',
  merges_into: 'lax',
  checks: { build: { id, name: 'build', state: 'passed', result: null } },
})
const since = { head_sha: sha, results_since: '2026-01-01T00:00:00Z' }

test.each<[string, Partial<Attempt>, Partial<Attempt>, string, boolean]>([
  ['a job', seen('12/2026-01-01T00:00:00Z'), since, '12/2026-01-01T00:00:09Z', false],
  ['a run of the Action, repeated', seen('12.1'), since, '12.2', false],
  ['a status', seen('12'), since, '12', false],
  ['another run', seen('12.1'), since, '13.1', true],
  ['a run whose number begins alike', seen('12.1'), since, '121.1', true],
  ['what the App itself found', seen('app-1'), since, 'app-1', true],
  ['of another commit', { ...seen('12.1'), head_sha: '2'.repeat(40) }, since, '12.1', true],
  ['of another pull request', { ...seen('12.1'), pull: 8 }, since, '12.1', true],
  ['of the same base', { ...seen('12.1'), base_ref: 'main', merges_into: 'main' }, since, '12.1', true],
  ['where there was no other base', seen('12.1'), { ...since, results_since: null }, '12.1', true],
])('%s', (_title, before, now, run, counts) => {
  const [other, attempt] = [anAttempt(before), anAttempt(now)]
  const input = { type: 'start_check', attempt_id: attempt.id, run, name: 'build' } as const
  const told = ofThisBase(aTask(other, attempt), attempt, input)
  expect(told.type).toBe(counts ? 'start_check' : 'refuse_result')
})
