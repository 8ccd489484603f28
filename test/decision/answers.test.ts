// What a hash of the record is taken over where a model answered: the hash of its text, so that the text may go one day.
import { expect, test } from 'vitest'
import { answersHold, hasAnswers, hashed, kept, withoutAnswers } from '../../src/core/decision/record/answers.ts'

const answer = kept({ key: 'k', nonce: 'n', model: 'm', text: 'it is well' })
const { text: _text, ...digest } = answer
const gone = { ...answer, text: '' }
const older = { model: 'm', text: 'part of what was hashed' }
const eventOf = (...raw: readonly unknown[]) => ({ type: 'VerificationCompleted', data: { outcome: 'PASS', raw } })

test('the hash is taken over the digest of each answer, and over all else as it stands', () => {
  expect(hashed(eventOf(answer, older, null, 'word'))).toEqual(eventOf(digest, older, null, 'word'))
  expect(withoutAnswers(eventOf(answer, older, null, 'word'))).toEqual(eventOf(gone, older, null, 'word'))
  expect(hashed(eventOf(answer))).toEqual(hashed(withoutAnswers(eventOf(answer))))
})

test.each<[string, object]>([
  ['without data', { type: 'TaskReopened' }],
  ['whose data is nothing', { data: null }],
  ['whose data is a word', { data: 'raw' }],
  ['that nobody answered', { data: { outcome: 'PASS' } }],
  ['whose answers are no list', { data: { raw: 'words' } }],
])('an event %s stays as it is', (_title, event) => {
  expect([hashed(event), withoutAnswers(event)]).toEqual([event, event])
  expect([hasAnswers(event), answersHold(event)]).toEqual([false, true])
})

// prettier-ignore
test.each<[string, readonly unknown[], boolean, boolean]>([
  ['one that stands there', [answer], true, true],
  ['one that was removed', [gone], false, true],
  ['one of two that was removed', [gone, answer], true, true],
  ['one of an older record', [older], false, true],
  ['another text than was hashed', [{ ...answer, text: 'it is bad' }], true, false],
  ['another text beside one that holds', [answer, { ...answer, text: 'it is bad' }], true, false],
  ['no text at all', [digest], true, false],
])('%s: whether texts can be removed, and whether they hold', (_title, raw, removable, holds) => {
  expect([hasAnswers(eventOf(...raw)), answersHold(eventOf(...raw))]).toEqual([removable, holds])
})
