// The two state machines: what may follow what, and by which way a decision gets an attempt to its state.
import { expect, test } from 'vitest'
import type { RowName } from '../../src/core/decision/decision.ts'
import type { AttemptState } from '../../src/core/decision/attempt-state.ts'
import { attemptMayMove, attemptPath, taskMayMove } from '../../src/core/decision/rules/transitions.ts'

test.each<[AttemptState, AttemptState, RowName, readonly AttemptState[] | null]>([
  ['RUNNING', 'RUNNING', 'pending', []],
  ['RUNNING', 'VERIFYING', 'pending', ['VERIFYING']],
  ['RUNNING', 'SUCCESS', 'success', ['VERIFYING', 'SUCCESS']],
  ['RUNNING', 'RETRY', 'tier1', ['VERIFYING', 'RETRY']],
  ['RUNNING', 'FAILED', 'scope', ['FAILED']],
  ['RUNNING', 'FAILED', 'rejected', ['FAILED']],
  ['RUNNING', 'FAILED', 'spent', ['FAILED']],
  ['RUNNING', 'FAILED', 'hard', ['VERIFYING', 'FAILED']],
  ['VERIFYING', 'FAILED', 'hard', ['FAILED']],
  ['SUCCESS', 'FAILED', 'rejected', ['FAILED']],
  ['SUCCESS', 'FAILED', 'scope', ['VERIFYING', 'FAILED']],
  ['SUCCESS', 'RETRY', 'checks', ['VERIFYING', 'RETRY']],
  ['RETRY', 'FAILED', 'rejected', ['FAILED']],
  ['RETRY', 'FAILED', 'checks', ['VERIFYING', 'FAILED']],
  ['RETRY', 'SUCCESS', 'success', ['VERIFYING', 'SUCCESS']],
  ['FAILED', 'SUCCESS', 'approved', ['VERIFYING', 'SUCCESS']],
  ['CANCELLED', 'SUCCESS', 'success', ['VERIFYING', 'SUCCESS']],
  ['SUPERSEDED', 'SUCCESS', 'success', null],
  ['SUPERSEDED', 'FAILED', 'rejected', null],
  ['SUCCESS', 'RUNNING', 'pending', null],
  ['none', 'VERIFYING', 'pending', null],
])('an attempt gets from %s to %s by row %s through %j', (from, to, row, path) => {
  expect(attemptPath(from, to, row)).toEqual(path)
})

test('nothing else is declared', () => {
  expect(attemptMayMove('RUNNING', 'SUCCESS')).toBe(false)
  expect(attemptMayMove('FAILED', 'SUCCESS')).toBe(false)
  expect(attemptMayMove('SUPERSEDED', 'RUNNING')).toBe(true)
  expect(taskMayMove('review', 'completed')).toBe(true)
  expect(taskMayMove('review', 'verified')).toBe(false)
  expect(taskMayMove('none', 'in_progress')).toBe(false)
})
