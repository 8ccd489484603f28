// Who takes up what a guest made, and who says yes to a first policy: never whoever made it.
import { expect, test } from 'vitest'
import { isAcknowledged } from '../../src/core/decision/gate/proposal.ts'
import { isTakenUp, isUnasked } from '../../src/core/decision/gate/taken-up.ts'
import type { Act } from '../../src/core/people/act.ts'
import type { Builder } from '../../src/core/people/people.ts'
import { aTask, anAttempt } from '../words/attempts.ts'

const builder: Builder = { id: 5, login: 'gus', kind: 'human', permission: 'read', teams: [], via: ['author'] }
const word = (given: Partial<Act>): Act => ({
  id: 'c1#ACKNOWLEDGMENT',
  type: 'ACKNOWLEDGMENT',
  user: 'ada',
  user_id: 1,
  permission: 'admin',
  reason: 'seen',
  at: '',
  source: 'comment',
  label: null,
  covers: [{ subject: 'guest', result: null }],
  solo: false,
  standing: 'stands',
  seq: 1,
  ...given,
})

test.each([
  ['by somebody else', {}, true],
  ['also once a push has ended what else it allowed', { standing: 'voided' }, true],
  ['not by a word that was taken back', { standing: 'revoked' }, false],
  ['not by another word', { type: 'CHECK_OVERRIDE' }, false],
  ['not by whoever made it', { user: 'gus', user_id: 5 }, false],
  ['not by whoever made it under another name', { user: 'gustav', user_id: 5 }, false],
  ['by whoever made it where nobody else could', { user: 'gus', user_id: 5, solo: true }, true],
] as const)('a guest’s pull request is taken up: %s', (_how, given, taken) => {
  const attempt = anAttempt({ guest: true, builders: [builder], acts: [word(given)] })
  expect(isTakenUp(aTask(attempt), { pull: attempt.pull })).toBe(taken)
  expect(isUnasked(aTask(attempt), attempt)).toBe(!taken)
  expect(isTakenUp(aTask(attempt), { pull: attempt.pull + 1 })).toBe(false)
})

test('a proposal is acknowledged by a word about it, and by no other', () => {
  const about = (subject: string) =>
    isAcknowledged(anAttempt({ acts: [word({ covers: [{ subject, result: null }] })] }))
  expect([about('proposal'), about('guest'), about('scope')]).toEqual([true, false, false])
})
